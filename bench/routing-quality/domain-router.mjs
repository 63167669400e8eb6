import {
  createEliminationResolver,
  createKnobResolver,
  createPaymentFold,
  decideGateway,
  gatewayDecided,
  SHIPPED_ELIMINATION_RULES,
  SHIPPED_SCORING_DEFAULTS,
} from '@switchyard/routing'
import { sampleOutcomeRecorded } from '@switchyard/testing'

const merchantId = 'm_quality'

const RULES = {
  resolveKnobs: createKnobResolver(SHIPPED_SCORING_DEFAULTS),
  resolveElimination: createEliminationResolver(SHIPPED_ELIMINATION_RULES),
  eliminationRules: SHIPPED_ELIMINATION_RULES,
}

const sourcesOf = (features, fold) => ({
  ...RULES,
  debitRouting: { enabled: false },
  features: { registered: true, enabled: features },
  successRateScoring: { settings: null },
  scoringDimensions: { chosen: null },
  eliminationSettings: { settings: null },
  windows: fold,
  priorityPlan: (_, candidates) => ({ gateways: candidates, tag: null, algorithmId: null, run: null }),
})

const requestOf = (paymentId, candidates, at) => ({
  merchantId,
  requestId: paymentId,
  at,
  rankingAlgorithm: 'SR_BASED_ROUTING',
  candidates,
  eliminationRequested: null,
  multiObjectiveRequested: null,
  payment: {
    paymentId,
    amount: 10,
    currency: 'EUR',
    country: null,
    paymentType: 'ORDER_PAYMENT',
    paymentMethodType: 'CARD',
    paymentMethod: 'CREDIT',
    cardType: null,
    cardNetwork: null,
    cardIsIn: null,
    authType: null,
    preferredGateway: null,
    udfs: null,
  },
})

/** The domain alone: decisions and outcomes through the fold, in event time. */
export const domainRouter = (features) => {
  const fold = createPaymentFold()
  const sources = sourcesOf(features, fold)
  return {
    decide: (paymentId, candidates, at) => {
      const request = requestOf(paymentId, candidates, at)
      const result = decideGateway(request, sources)
      fold.apply(gatewayDecided(request, result.decision, { latencyUs: 0, merchantRegistrationCount: 1 }))
      return result.decision.gateway
    },
    report: (paymentId, gateway, isApproved, at) => {
      const status = isApproved ? 'CHARGED' : 'FAILURE'
      fold.apply(sampleOutcomeRecorded({ merchantId, paymentId, requestId: `${paymentId}:o`, gateway, status, at }))
    },
  }
}
