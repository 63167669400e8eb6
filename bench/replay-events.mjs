/** The history that the replay reads: decisions and outcomes of a few merchants, in the order in which they would have happened. */

const MERCHANT_COUNT = 4
const GATEWAYS = ['adyen', 'checkout', 'stripe', 'worldpay']
const METHODS = [
  ['CARD', 'CREDIT'],
  ['CARD', 'DEBIT'],
  ['UPI', 'UPI_PAY'],
  ['WALLET', 'PAYPAL'],
]
const START_AT = Date.UTC(2026, 0, 1)
/** Event time between two payments: half a million of them are the 30 days that the topic keeps. */
const PAYMENT_INTERVAL_MS = 5_184
/** Payments between a decision and its outcome. */
const OUTCOME_LAG_PAYMENTS = 40
const FAILURE_EVERY = 8

const idOf = (index) => `pay_${String(index).padStart(8, '0')}`
const merchantOf = (index) => `merchant_${index % MERCHANT_COUNT}`
const gatewayOf = (index) => GATEWAYS[(index >> 2) % GATEWAYS.length]

const decisionOf = (index) => {
  const [paymentMethodType, paymentMethod] = METHODS[(index >> 4) % METHODS.length]
  const gateway = gatewayOf(index)
  return {
    type: 'GatewayDecided',
    data: {
      merchantId: merchantOf(index),
      paymentId: idOf(index),
      requestId: `req_${index}`,
      at: START_AT + index * PAYMENT_INTERVAL_MS,
      rankingAlgorithm: 'SR_BASED_ROUTING',
      paymentType: 'ORDER_PAYMENT',
      paymentMethodType,
      paymentMethod,
      amount: 49.9,
      currency: 'EUR',
      country: 'DE',
      cardType: null,
      cardNetwork: paymentMethodType === 'CARD' ? 'VISA' : null,
      cardIsIn: paymentMethodType === 'CARD' ? '411111' : null,
      authType: null,
      preferredGateway: null,
      eliminationRequested: null,
      multiObjectiveRequested: null,
      candidates: GATEWAYS,
      scores: [0.9, 0.8, 0.95, 0.7],
      gateway,
      fallbacks: GATEWAYS.filter((name) => name !== gateway),
      approach: 'SR_SELECTION_V3_ROUTING',
      gatewayBeforeEvaluation: gateway,
      explored: false,
      algorithmId: null,
      priorityLogicTag: null,
      dimension: {
        paymentType: 'ORDER_PAYMENT',
        paymentMethodType,
        paymentMethod,
        cardNetwork: null,
        cardIsIn: null,
        currency: null,
        country: null,
        authType: null,
        udfs: [],
      },
      knobs: { bucketSize: 125, hedgingPercent: 5, latencyThresholdMs: 300_000, outcomeWindowMs: 1_800_000 },
      latencyUs: 40,
    },
  }
}

const outcomeOf = (index) => ({
  type: 'OutcomeRecorded',
  data: {
    merchantId: merchantOf(index),
    paymentId: idOf(index),
    requestId: `out_${index}`,
    at: START_AT + (index + OUTCOME_LAG_PAYMENTS) * PAYMENT_INTERVAL_MS,
    gateway: gatewayOf(index),
    status: index % FAILURE_EVERY === 0 ? 'AUTHORIZATION_FAILED' : 'CHARGED',
    gatewayReferenceId: null,
    enforceFailure: false,
    gatewayLatencyMs: 120,
    smartRetry: null,
    error: null,
  },
})

/**
 * `eventCount` events: every payment is decided, and its outcome comes some payments later.
 *
 * @param {number} eventCount
 */
export function* replayEvents(eventCount) {
  const paymentCount = Math.floor(eventCount / 2)
  for (let index = 0; index < paymentCount + OUTCOME_LAG_PAYMENTS; index += 1) {
    if (index < paymentCount) yield decisionOf(index)
    if (index >= OUTCOME_LAG_PAYMENTS) yield outcomeOf(index - OUTCOME_LAG_PAYMENTS)
  }
}
