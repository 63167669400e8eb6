import { createPaymentFold, decideGateway, gatewayDecided, SHIPPED_TUNING_RULES, successRateScoring } from '@switchyard/routing'
import { sampleOutcomeRecorded } from '@switchyard/testing'
import { SHIPPED_SOURCES, simulatedRequest } from '../simulated-decisions.mjs'

const merchantId = 'm_quality'

/** As the service is shipped: a run every 15 minutes. */
const TUNING_INTERVAL_MS = 900_000

const sourcesOf = (features, fold) => ({
  ...SHIPPED_SOURCES,
  features: { registered: true, enabled: features },
  windows: fold,
  priorityPlan: (_, candidates) => ({ gateways: candidates, tag: null, algorithmId: null, run: null }),
})

const stateOf = (features) =>
  features.reduce(
    (state, feature) => successRateScoring.evolve(state, { type: 'FeatureEnabled', data: { merchantId, feature, at: 0 } }),
    successRateScoring.evolve(successRateScoring.initialState, {
      type: 'MerchantRegistered',
      data: { merchantId, name: null, deciderInput: null, at: 0 },
    }),
  )

/** The self-tuning in event time, over what happened in the time looked back on. */
const createTuning = (features) => {
  const { lookbackMs } = SHIPPED_TUNING_RULES
  let state = stateOf(features)
  let payments = []
  const trafficOf = (candidateCount) => {
    const gateways = new Map()
    for (const { outcome } of payments) {
      if (outcome === undefined) continue
      const known = gateways.get(outcome.gateway) ?? { gateway: outcome.gateway, approvedCount: 0, declinedCount: 0 }
      known[outcome.isApproved ? 'approvedCount' : 'declinedCount'] += 1
      gateways.set(outcome.gateway, known)
    }
    return {
      paymentMethodType: 'CARD',
      paymentMethod: 'CREDIT',
      cardNetwork: null,
      currency: null,
      country: null,
      authType: null,
      paymentCount: payments.length,
      gatewayCount: candidateCount,
      gateways: [...gateways.values()],
    }
  }
  return {
    state: () => state,
    decided: (paymentId, candidateCount, at) => {
      const intervalStartAt = Math.floor(at / TUNING_INTERVAL_MS) * TUNING_INTERVAL_MS
      if (intervalStartAt > state.tuning.intervalStartAt) {
        payments = payments.filter((payment) => payment.at >= at - lookbackMs)
        const run = { merchantId, intervalStartAt, at, rules: SHIPPED_TUNING_RULES, traffic: [trafficOf(candidateCount)] }
        const { events } = successRateScoring.decide({ type: 'CalibrateScoring', ...run }, state)
        state = events.reduce(successRateScoring.evolve, state)
      }
      payments.push({ paymentId, at, outcome: undefined })
    },
    reported: (paymentId, gateway, isApproved) => {
      const payment = payments.findLast((one) => one.paymentId === paymentId)
      if (payment !== undefined) payment.outcome = { gateway, isApproved }
    },
  }
}

/** The domain alone: decisions and outcomes through the fold, in event time. */
export const domainRouter = (features) => {
  const fold = createPaymentFold()
  const sources = sourcesOf(features, fold)
  const tuning = createTuning(features)
  return {
    decide: (paymentId, candidates, at) => {
      tuning.decided(paymentId, candidates.length, at)
      const request = simulatedRequest({ merchantId, paymentId, candidates, at })
      const result = decideGateway(request, { ...sources, successRateScoring: tuning.state() })
      fold.apply(gatewayDecided(request, result.decision, { latencyUs: 0, merchantRegistrationCount: 1, pricing: null }))
      return result.decision.gateway
    },
    report: (paymentId, gateway, isApproved, at) => {
      tuning.reported(paymentId, gateway, isApproved)
      const status = isApproved ? 'CHARGED' : 'FAILURE'
      fold.apply(sampleOutcomeRecorded({ merchantId, paymentId, requestId: `${paymentId}:o`, gateway, status, at }))
    },
  }
}
