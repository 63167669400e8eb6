import type { GatewayDecided, OutcomeRecorded, PaymentsEvent, RefusedPayment, RuleEvaluated } from '@switchyard/events'
import type { DocumentKey, DocumentProjection, DocumentWrite } from '@switchyard/kernel'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'
import type { DecidedPayment, OutcomeEffect, RecordedPayment } from './recorded-payment.ts'

/** For tests: the merchant of all samples. */
export const MERCHANT = 'm_1'

export const dimensions: DecidedPayment = {
  decidedAt: 1_000,
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
  cardNetwork: 'VISA',
  cardIsIn: '411111',
  currency: 'EUR',
  country: 'DE',
  authType: 'THREE_DS',
  window: 'CARD CREDIT',
  bySuccessRate: true,
}

/** A decision for adyen. */
export const decided = (paymentId: string, at: number, change: Partial<GatewayDecided['data']> = {}): GatewayDecided =>
  sampleGatewayDecided({
    merchantId: MERCHANT,
    paymentId,
    requestId: `decide-${paymentId}`,
    at,
    amount: 12.5,
    currency: 'EUR',
    country: 'DE',
    cardIsIn: '411111',
    candidates: ['adyen', 'stripe'],
    scores: [0.9, 0.8],
    gateway: 'adyen',
    fallbacks: ['stripe'],
    gatewayBeforeEvaluation: 'adyen',
    latencyUs: 180,
    ...change,
  })

/** A report that adyen charged the payment. */
export const outcome = (paymentId: string, at: number, change: Partial<OutcomeRecorded['data']> = {}): OutcomeRecorded =>
  sampleOutcomeRecorded({ merchantId: MERCHANT, paymentId, requestId: `update-${paymentId}`, at, gateway: 'adyen', ...change })

/** How a table classifies an error that another attempt may get by. */
export const issuerDown = {
  decision: 'retry',
  stepUpPossible: false,
  clearPanPossible: false,
  alternateNetworkPossible: false,
  unifiedCode: null,
  unifiedMessage: null,
  errorCategory: null,
  standardisedCode: 'issuer_down',
  description: null,
  userGuidanceMessage: null,
}

/** An evaluation in which a rule matched. */
export const evaluated = (requestId: string, at: number, change: Partial<RuleEvaluated['data']> = {}): RuleEvaluated => ({
  type: 'RuleEvaluated',
  data: {
    merchantId: MERCHANT,
    paymentId: null,
    requestId,
    at,
    algorithmId: 'routing_1',
    kind: 'ADVANCED',
    status: 'SUCCESS',
    ruleName: 'big tickets',
    gateway: 'adyen',
    evaluated: ['adyen'],
    eligible: ['adyen'],
    drawnSlot: null,
    parameters: { currency: 'EUR' },
    experimentId: null,
    experimentArm: null,
    ...change,
  },
})

/** What could be read of a refused payment. */
export const refusedPayment = (change: Partial<RefusedPayment> = {}): RefusedPayment => ({
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
  cardNetwork: 'VISA',
  cardIsIn: '411111',
  currency: 'EUR',
  country: 'DE',
  authType: null,
  ...change,
})

/** A report of adyen that could not be taken. */
export const outcomeRefused = (requestId: string, at: number, gateway: string | null = 'adyen'): PaymentsEvent => ({
  type: 'OutcomeRefused',
  data: {
    merchantId: MERCHANT,
    paymentId: null,
    requestId,
    at,
    stage: 'request_parse_failed',
    errorCode: 'INVALID_INPUT',
    errorMessage: 'unread',
    gateway,
  },
})

/** A decision that could not be made; without `payment` of a request without a readable one. */
export const decisionRefused = (
  requestId: string,
  at: number,
  errorMessage = 'no gateway left',
  payment: RefusedPayment | null = null,
): PaymentsEvent => ({
  type: 'DecisionRefused',
  data: {
    merchantId: MERCHANT,
    paymentId: null,
    requestId,
    at,
    rankingAlgorithm: 'NTW_BASED_ROUTING',
    stage: 'request_failed',
    errorCode: 'invalid_request_error',
    errorMessage,
    approach: null,
    payment,
  },
})

/** Keys were used: an event of every minute, with which time goes by for what is pending. */
export const keysUsed = (at: number): PaymentsEvent => ({
  type: 'ApiKeysUsed',
  data: { merchantId: MERCHANT, requestId: 'keys-used', at, keyIds: ['key_1'] },
})

/** What the fold makes of an outcome of a decided payment. */
export const effectOf = ({ data }: OutcomeRecorded, change: Partial<OutcomeEffect> = {}): OutcomeEffect => ({
  merchantId: data.merchantId,
  paymentId: data.paymentId,
  requestId: data.requestId,
  gateway: data.gateway,
  status: data.status,
  at: data.at,
  disposition: 'counted',
  slow: false,
  dropped: null,
  health: null,
  success: data.status === 'CHARGED',
  score: { value: 0.9, sampleCount: 10, bucketSize: 125 },
  payment: dimensions,
  ...change,
})

export const waiting = {
  disposition: 'waiting',
  success: null,
  score: null,
  slow: false,
  dropped: null,
  health: null,
  payment: null,
} as const

/** An event with its effects; outcomes that are given alone count. */
export const recorded = (event: PaymentsEvent, effects?: readonly OutcomeEffect[]): Omit<RecordedPayment, 'position' | 'eventId'> => ({
  event,
  effects: effects ?? (event.type === 'OutcomeRecorded' ? [effectOf(event)] : []),
})

/** Gives records their place in the log. */
export const inLog = (records: readonly Omit<RecordedPayment, 'position' | 'eventId'>[]): readonly RecordedPayment[] =>
  records.map((record, offset) => ({ ...record, position: { partition: 3, offset }, eventId: `event-${offset}` }))

/** A document as a projector would keep it. */
export interface Projected<View> {
  readonly key: DocumentKey
  readonly offset: number
  readonly view: View
}

/** The same value, which nobody can change any more. */
const frozen = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const part of Object.values(Object.freeze(value))) frozen(part)
  return value
}

/** All documents of a projection after these records; a view that is changed when it was given away is an error. */
export const projected = <View extends object>(
  projection: DocumentProjection<View, RecordedPayment>,
  records: readonly RecordedPayment[],
): readonly Projected<View>[] => {
  const documents = new Map<string, Projected<View>>()
  for (const record of records) {
    for (const key of projection.keysOf(record)) {
      const name = JSON.stringify(key)
      const view = frozen(projection.project(documents.get(name)?.view ?? projection.initialView(key), record, key))
      documents.set(name, { key, offset: record.position.offset, view })
    }
  }
  return [...documents.values()]
}

/** What a projector would write of these records. */
export const writesOf = <View extends object>(
  projection: DocumentProjection<View, RecordedPayment>,
  records: readonly RecordedPayment[],
): readonly DocumentWrite[] =>
  projected(projection, records).map(({ key, offset, view }) => ({
    collection: projection.name,
    key,
    position: { partition: 3, offset },
    body: view,
  }))
