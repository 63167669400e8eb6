import type { GatewayDecided, OutcomeRecorded } from '@switchyard/events'

/** What tells one payment from another. */
export interface PaymentFact {
  readonly merchantId: string
  readonly paymentId: string
  readonly at: number
}

/** A decision for `adyen` as the service records it. */
export const decidedEvent = ({ merchantId, paymentId, at }: PaymentFact): GatewayDecided => ({
  type: 'GatewayDecided',
  data: {
    merchantId,
    paymentId,
    requestId: `req_${paymentId}`,
    at,
    rankingAlgorithm: 'SR_BASED_ROUTING',
    paymentType: 'ORDER_PAYMENT',
    paymentMethodType: 'CARD',
    paymentMethod: 'CREDIT',
    amount: 120.5,
    currency: 'EUR',
    country: 'DE',
    cardType: 'CREDIT',
    cardNetwork: 'VISA',
    cardIsIn: '424242',
    authType: 'THREE_DS',
    preferredGateway: null,
    eliminationRequested: false,
    multiObjectiveRequested: null,
    candidates: ['stripe', 'adyen', 'checkout'],
    scores: [1, 1, 1],
    gateway: 'adyen',
    fallbacks: ['stripe', 'checkout'],
    approach: 'SR_SELECTION_V3_ROUTING',
    gatewayBeforeEvaluation: 'adyen',
    explored: false,
    algorithmId: null,
    priorityLogicTag: null,
    dimension: {
      paymentType: 'ORDER_PAYMENT',
      paymentMethodType: 'CARD',
      paymentMethod: 'CREDIT',
      cardNetwork: null,
      cardIsIn: null,
      currency: null,
      country: null,
      authType: null,
      udfs: [],
    },
    knobs: { bucketSize: 125, hedgingPercent: 5, latencyThresholdMs: 90_000, outcomeWindowMs: 1_800_000 },
    latencyUs: 40,
  },
})

/** What came of it; every tenth payment fails. */
export const outcomeEvent = ({ merchantId, paymentId, at }: PaymentFact): OutcomeRecorded => ({
  type: 'OutcomeRecorded',
  data: {
    merchantId,
    paymentId,
    requestId: `req_${paymentId}_outcome`,
    at,
    gateway: 'adyen',
    status: paymentId.endsWith('7') ? 'FAILURE' : 'CHARGED',
    gatewayReferenceId: null,
    enforceFailure: false,
    gatewayLatencyMs: null,
    smartRetry: null,
    error: null,
  },
})
