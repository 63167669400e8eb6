import {
  type ConfigEvent,
  createEventCodec,
  type EventCodec,
  type FeatureDisabled,
  type FeatureEnabled,
  type MerchantClosed,
  type MerchantRegistered,
  type OutcomeRecorded,
  publishedSchemaIds,
} from '@switchyard/events'
import { accept, type NewRecord, reject, type Slice } from '@switchyard/kernel'
import { sampleOutcomeRecorded } from '@switchyard/testing'

export const codec: EventCodec = createEventCodec(publishedSchemaIds(), { strict: true })

/** Ids that tell who made them. */
export const idsOf = (name: string): (() => string) => {
  let count = 0
  return () => `${name}-${++count}`
}

/** A name is taken once: two who take it at the same time are a conflict. */
export interface Merchant {
  readonly registered: boolean
  readonly input: string | null
}
export interface Register {
  readonly merchantId: string
  readonly input: string
}
export const merchantSlice: Slice<Register, Merchant, MerchantRegistered | MerchantClosed, { readonly code: 'TAKEN' }> = {
  name: 'sample-merchants',
  version: 1,
  conflicts: 'by-version',
  folds: ['MerchantRegistered', 'MerchantClosed'],
  initialState: { registered: false, input: null },
  decide: ({ merchantId, input }, { registered }) =>
    registered
      ? reject({ code: 'TAKEN' })
      : accept({ type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: input, at: 1 } }),
  evolve: (_state, event) =>
    event.type === 'MerchantRegistered' ? { registered: true, input: event.data.deciderInput } : merchantSlice.initialState,
}

/** Appends to a list that it has read: nothing may come in between. */
export interface AddFeatures {
  readonly merchantId: string
  readonly features: readonly string[]
}
export const listSlice: Slice<AddFeatures, readonly string[], FeatureEnabled | FeatureDisabled, never> = {
  name: 'sample-list',
  version: 1,
  conflicts: 'by-version',
  folds: ['FeatureEnabled', 'FeatureDisabled'],
  initialState: [],
  decide: ({ merchantId, features }, before) =>
    accept(
      ...features.map((name, index) => {
        const data = { merchantId, feature: `${name}@${before.length + index}`, at: 1 }
        return { type: 'FeatureEnabled' as const, data }
      }),
    ),
  evolve: (state, { type, data }) => (type === 'FeatureEnabled' ? [...state, data.feature] : state.filter((name) => name !== data.feature)),
}

/** The same without versions: whoever comes, comes. */
export const commutingSlice: typeof listSlice = { ...listSlice, name: 'sample-commuting', conflicts: 'commute' }

export const sampleSlices = [merchantSlice, listSlice] as const

export const enabled = (merchantId: string, feature: string): FeatureEnabled => ({
  type: 'FeatureEnabled',
  data: { merchantId, feature, at: 1 },
})

export const outcome = (merchantId: string, paymentId: string, requestId: string): OutcomeRecorded =>
  sampleOutcomeRecorded({ merchantId, paymentId, requestId, at: 1 })

export const recordOf = (event: ConfigEvent | OutcomeRecorded, id: string, expectedVersion?: number): NewRecord => ({
  key: 'userId' in event.data ? event.data.userId : event.data.merchantId,
  value: codec.encode(event),
  headers: { id, type: `switchyard.${event.type}`, ...(expectedVersion === undefined ? {} : { expectedVersion }) },
})

/** A record that nobody can read. */
export const poisonRecord = (key: string, id: string): NewRecord => ({
  key,
  value: new Uint8Array([9, 9, 9]),
  headers: { id, type: 'switchyard.payments.OutcomeRecorded' },
})
