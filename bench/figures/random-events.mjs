// Random events of a merchant that uses everything: what the figures are counted from.
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'

export const MERCHANT = 'm_figures'
export const CURRENCIES = ['EUR', 'USD']
export const EXPERIMENTS = ['e_one', 'e_two']
const GATEWAYS = ['adyen', 'checkout', 'stripe']
const APPROACHES = ['SR_SELECTION_V3_ROUTING', 'SR_V3_HEDGING', 'PRIORITY_LOGIC']
const STATUSES = ['CHARGED', 'FAILURE', 'AUTHORIZED', 'PENDING_VBV']
const ERRORS = ['GATEWAY_NOT_FOUND', 'DEBIT_ROUTING_NOT_ENABLED']

const pick = (draw, values) => values[Math.floor(draw() * values.length)]

const experimentOf = (draw) => {
  if (draw() > 0.2) return null
  const algorithmId = draw() < 0.2 ? 'a_fixed' : null
  const exclusion = draw() < 0.05 ? 'NO_CANDIDATE' : null
  return { experimentId: pick(draw, EXPERIMENTS), arm: pick(draw, ['CONTROL', 'VARIANT']), algorithmId, overrides: null, exclusion }
}

const weighedOf = (gateway, costBps) => ({
  gateway,
  costBps,
  authRatio: 0.9,
  pctBps: costBps,
  fixed: 0,
  expectedRatio: 0.2,
  source: 'EXACT',
  interchangeCategory: null,
})

/** What a decision says of costs: that they were weighed, what they are, or nothing. */
const costsOf = (draw, gateway) => {
  const kind = draw()
  if (kind < 0.7) return {}
  if (kind < 0.85) {
    const costsBps = GATEWAYS.map(() => (draw() < 0.9 ? Math.round(300 * draw()) : null))
    return { pricing: { costsBps, marginRatio: 0.2, wanted: draw() < 0.5 } }
  }
  const isWon = draw() < 0.5
  const head = isWon ? GATEWAYS.find((other) => other !== gateway) : gateway
  const costSavedBps = isWon ? Math.round(100 * draw()) : null
  const ranked = [weighedOf(gateway, Math.round(300 * draw())), ...(isWon ? [weighedOf(head, 300)] : [])]
  const outcome = isWon ? 'COST_WON' : 'AUTH_WON'
  return {
    costChoice: {
      outcome,
      cause: 'UNKNOWN',
      marginRatio: 0.2,
      head,
      chosen: gateway,
      costSavedBps,
      gapRatio: null,
      ranked,
      modelVersion: null,
    },
  }
}

const decided = (draw, ids) => {
  const gateway = pick(draw, GATEWAYS)
  const chosen = {
    gateway,
    gatewayBeforeEvaluation: gateway,
    approach: pick(draw, APPROACHES),
    candidates: GATEWAYS,
    scores: [0.9, 0.8, 0.7],
  }
  const payment = {
    currency: pick(draw, CURRENCIES),
    paymentMethod: pick(draw, ['CREDIT', 'DEBIT']),
    amount: Math.round(10_000 * draw()) / 100,
  }
  const priorityLogicTag = draw() < 0.1 ? pick(draw, ['first', 'second']) : null
  return sampleGatewayDecided({
    ...ids,
    ...chosen,
    ...payment,
    priorityLogicTag,
    experiment: experimentOf(draw),
    ...costsOf(draw, gateway),
  })
}

const refused = (draw, ids) => {
  const failure = { stage: 'request_failed', errorCode: pick(draw, ERRORS), errorMessage: 'refused' }
  const kind = draw()
  if (kind < 0.2) return { type: 'OutcomeRefused', data: { ...ids, ...failure, gateway: pick(draw, GATEWAYS) } }
  if (kind < 0.3) return { type: 'RuleEvaluationRefused', data: { ...ids, ...failure } }
  const currency = pick(draw, CURRENCIES)
  const about = {
    paymentMethodType: 'CARD',
    paymentMethod: 'CREDIT',
    cardNetwork: 'VISA',
    cardIsIn: null,
    currency,
    country: null,
    authType: null,
  }
  const payment = draw() < 0.8 ? about : null
  return { type: 'DecisionRefused', data: { ...ids, ...failure, rankingAlgorithm: 'SR_BASED_ROUTING', approach: null, payment } }
}

const evaluated = (draw, ids) => ({
  type: 'RuleEvaluated',
  data: {
    ...ids,
    algorithmId: 'a_rules',
    kind: 'ADVANCED',
    status: 'SUCCESS',
    ruleName: pick(draw, ['first', 'second']),
    gateway: pick(draw, GATEWAYS),
    evaluated: GATEWAYS,
    eligible: GATEWAYS,
    drawnSlot: null,
    parameters: {},
    experimentId: null,
    experimentArm: null,
  },
})

/** One random event; outcomes are of earlier payments, most of them of new ones. */
export const randomEvent = (draw, index, at) => {
  const ids = { merchantId: MERCHANT, paymentId: `pay_${index}`, requestId: `r_${index}`, at }
  const kind = draw()
  if (kind < 0.5 || index === 0) return decided(draw, ids)
  if (kind < 0.93) {
    const back = draw() < 0.8 ? Math.min(index, 200) : index
    const paymentId = `pay_${index - 1 - Math.floor(draw() * back)}`
    const smartRetry = draw() < 0.1 ? true : null
    return sampleOutcomeRecorded({ ...ids, paymentId, gateway: pick(draw, GATEWAYS), status: pick(draw, STATUSES), smartRetry })
  }
  return kind < 0.98 ? refused(draw, ids) : evaluated(draw, ids)
}
