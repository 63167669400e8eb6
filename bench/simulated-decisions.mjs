// What simulations of the domain alone share: card payments, decided by success rates as the service is shipped.
import { createEliminationResolver, createKnobResolver, SHIPPED_ELIMINATION_RULES, SHIPPED_SCORING_DEFAULTS } from '@switchyard/routing'

/** The part of a decision's sources that no merchant changes, and that of one that has chosen nothing. */
export const SHIPPED_SOURCES = {
  resolveKnobs: createKnobResolver(SHIPPED_SCORING_DEFAULTS),
  resolveElimination: createEliminationResolver(SHIPPED_ELIMINATION_RULES),
  eliminationRules: SHIPPED_ELIMINATION_RULES,
  debitRouting: { enabled: false },
  scoringDimensions: { chosen: null },
  eliminationSettings: { settings: null },
}

/** The request of one card payment. */
export const simulatedRequest = ({ merchantId, paymentId, candidates, at, amount = 10 }) => ({
  merchantId,
  requestId: paymentId,
  at,
  rankingAlgorithm: 'SR_BASED_ROUTING',
  candidates,
  eliminationRequested: null,
  multiObjectiveRequested: null,
  debit: null,
  payment: {
    paymentId,
    amount,
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
