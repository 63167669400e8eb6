import type { PaymentsEvent, PaymentsEventPart } from '@switchyard/events'
import type { DocumentKey, DocumentProjection } from '@switchyard/kernel'
import type { FoldOfPayments, RecordedEvent } from '@switchyard/runtime'

/** What one outcome did: its number within the merchant and within the payment. It depends on everything before it. */
interface SampleEffect {
  readonly merchantId: string
  readonly paymentId: string
  readonly number: number
  readonly ofPayment: number
}

interface MerchantCounts {
  total: number
  readonly payments: Map<string, number>
}

export interface SampleFold extends FoldOfPayments<SampleEffect> {
  /** Everything that was applied, as text. */
  readonly print: () => string
}

/** Counts outcomes; ignores everything else. `ballast` bytes make each merchant's export long. */
export const createSampleFold = (ballast = 0): SampleFold => {
  const merchants = new Map<string, MerchantCounts>()
  const printMerchant = (merchantId: string): string => {
    const { total, payments } = merchants.get(merchantId) ?? { total: 0, payments: new Map<string, number>() }
    return JSON.stringify({ total, payments: [...payments].toSorted() })
  }
  return {
    apply: ({ type, data }: PaymentsEventPart) => {
      if (type !== 'OutcomeRecorded') return []
      const merchant = merchants.get(data.merchantId) ?? { total: 0, payments: new Map<string, number>() }
      merchants.set(data.merchantId, merchant)
      merchant.total += 1
      const ofPayment = (merchant.payments.get(data.paymentId) ?? 0) + 1
      merchant.payments.set(data.paymentId, ofPayment)
      return [{ merchantId: data.merchantId, paymentId: data.paymentId, number: merchant.total, ofPayment }]
    },
    merchantIds: () => merchants.keys(),
    exportMerchant: (merchantId) => Buffer.from(printMerchant(merchantId).padEnd(ballast)),
    importMerchant: (merchantId, bytes) => {
      const { total, payments } = JSON.parse(Buffer.from(bytes).toString())
      merchants.set(merchantId, { total, payments: new Map(payments) })
    },
    print: () =>
      [...merchants.keys()]
        .toSorted()
        .map((id) => `${id} ${printMerchant(id)}`)
        .join('\n'),
  }
}

export type SampleRecord = RecordedEvent<PaymentsEvent, readonly SampleEffect[]>

/** Counting twice or skipping shows at once. */
export interface SampleTotals {
  readonly count: number
  readonly numbers: readonly number[]
  readonly eventIds: readonly string[]
}

const merchantKeys = ({ event }: SampleRecord): readonly DocumentKey[] =>
  event.type === 'OutcomeRecorded' ? [[event.data.merchantId]] : []

export const sampleTotals: DocumentProjection<SampleTotals, SampleRecord> = {
  name: 'sample-totals-v1',
  keysOf: merchantKeys,
  initialView: () => ({ count: 0, numbers: [], eventIds: [] }),
  project: ({ count, numbers, eventIds }, { effects, eventId }) => ({
    count: count + 1,
    numbers: [...numbers, ...effects.map(({ number }) => number)],
    eventIds: [...eventIds, eventId],
  }),
}

export const samplePayments: DocumentProjection<{ readonly count: number; readonly last: number }, SampleRecord> = {
  name: 'sample-payments-v1',
  keysOf: ({ event }) => (event.type === 'OutcomeRecorded' ? [[event.data.merchantId, event.data.paymentId]] : []),
  initialView: () => ({ count: 0, last: 0 }),
  project: ({ count }, { effects }) => ({ count: count + 1, last: effects[0]?.ofPayment ?? 0 }),
}
