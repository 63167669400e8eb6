import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'

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
/** Thirty days, as long as the topic is kept, take half a million payments. */
const THIRTY_DAYS = { startAt: START_AT, paymentIntervalMs: 5_184 }
/** Payments between a decision and its outcome. */
const OUTCOME_LAG_PAYMENTS = 40
const FAILURE_EVERY = 8

const idOf = (index) => `pay_${String(index).padStart(8, '0')}`
const merchantOf = (index, merchantCount) => `merchant_${index % merchantCount}`
export const REPLAYED_MERCHANTS = Array.from({ length: MERCHANT_COUNT }, (_, index) => merchantOf(index, MERCHANT_COUNT))
/** Each merchant goes round all of them. */
const gatewayOf = (index, merchantCount) => GATEWAYS[Math.floor(index / merchantCount) % GATEWAYS.length]

const decisionOf = (index, at, merchantCount) => {
  const [paymentMethodType, paymentMethod] = METHODS[(index >> 4) % METHODS.length]
  const gateway = gatewayOf(index, merchantCount)
  const isCard = paymentMethodType === 'CARD'
  const { data } = sampleGatewayDecided()
  return sampleGatewayDecided({
    merchantId: merchantOf(index, merchantCount),
    paymentId: idOf(index),
    requestId: `req_${index}`,
    at,
    paymentMethodType,
    paymentMethod,
    currency: 'EUR',
    country: 'DE',
    cardType: null,
    cardNetwork: isCard ? 'VISA' : null,
    cardIsIn: isCard ? '411111' : null,
    authType: null,
    candidates: GATEWAYS,
    scores: [0.9, 0.8, 0.95, 0.7],
    gateway,
    fallbacks: GATEWAYS.filter((name) => name !== gateway),
    gatewayBeforeEvaluation: gateway,
    dimension: { ...data.dimension, paymentMethodType, paymentMethod },
  })
}

const outcomeOf = (index, at, merchantCount) => {
  const result =
    index % FAILURE_EVERY === 0 ? { status: 'AUTHORIZATION_FAILED', statusClass: 'FAILURE' } : { status: 'CHARGED', statusClass: 'SUCCESS' }
  return sampleOutcomeRecorded({
    ...result,
    merchantId: merchantOf(index, merchantCount),
    paymentId: idOf(index),
    requestId: `out_${index}`,
    at,
    gateway: gatewayOf(index, merchantCount),
    gatewayLatencyMs: 120,
  })
}

/**
 * `eventCount` events: every payment is decided, and its outcome comes some payments later.
 *
 * @param {number} eventCount
 * @param {{ readonly startAt: number, readonly paymentIntervalMs: number }} [time] of the first payment, and between two of them
 * @param {number} [merchantCount] they take turns
 */
export function* replayEvents(eventCount, { startAt, paymentIntervalMs } = THIRTY_DAYS, merchantCount = MERCHANT_COUNT) {
  const paymentCount = Math.floor(eventCount / 2)
  for (let index = 0; index < paymentCount + OUTCOME_LAG_PAYMENTS; index += 1) {
    const at = Math.floor(startAt + index * paymentIntervalMs)
    if (index < paymentCount) yield decisionOf(index, at, merchantCount)
    if (index >= OUTCOME_LAG_PAYMENTS) yield outcomeOf(index - OUTCOME_LAG_PAYMENTS, at, merchantCount)
  }
}
