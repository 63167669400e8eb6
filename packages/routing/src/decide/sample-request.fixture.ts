import { createEliminationResolver, SHIPPED_ELIMINATION_RULES } from '../elimination/elimination-rules.ts'
import { createPaymentFold } from '../outcomes/payment-fold.ts'
import { createKnobResolver, SHIPPED_SCORING_DEFAULTS } from '../scoring/knobs.ts'
import type { DecisionSources } from './case.ts'
import { candidateOrder } from './priority-plan.ts'
import type { DecisionRequest, PaymentDetails } from './request.ts'

/** A request for tests: a card payment with three candidates. */
export const sampleRequest = (changes: Partial<DecisionRequest> = {}, payment: Partial<PaymentDetails> = {}): DecisionRequest => ({
  merchantId: 'm_1',
  requestId: 'r_1',
  at: 0,
  rankingAlgorithm: 'SR_BASED_ROUTING',
  candidates: ['stripe', 'adyen', 'checkout'],
  eliminationRequested: null,
  multiObjectiveRequested: null,
  debit: null,
  ...changes,
  payment: {
    paymentId: 'p_1',
    amount: 100,
    currency: 'USD',
    paymentType: 'ORDER_PAYMENT',
    paymentMethodType: 'CARD',
    paymentMethod: 'CREDIT',
    country: 'US',
    cardType: null,
    cardNetwork: 'VISA',
    cardIsIn: '424242',
    udfs: null,
    authType: 'THREE_DS',
    preferredGateway: null,
    cardProgram: null,
    cardIssuerCountry: null,
    channel: null,
    ...payment,
  },
})

/** Sources for tests: an unknown merchant's configuration and no outcomes. */
export const sampleSources = (changes: Partial<DecisionSources> = {}): DecisionSources => ({
  debitRouting: { enabled: false },
  features: { registered: true, enabled: [] },
  successRateScoring: { settings: null },
  scoringDimensions: { chosen: null },
  eliminationSettings: { settings: null },
  resolveElimination: createEliminationResolver(SHIPPED_ELIMINATION_RULES),
  eliminationRules: SHIPPED_ELIMINATION_RULES,
  resolveKnobs: createKnobResolver(SHIPPED_SCORING_DEFAULTS),
  windows: createPaymentFold(),
  priorityPlan: (_, candidates) => candidateOrder(candidates),
  routeByNetwork: () => ({ problem: 'no networks here' }),
  weighCosts: () => {
    throw new Error('no costs here')
  },
  experiments: { live: () => undefined, byAlgorithm: () => ({ exclusion: 'ALGORITHM_MISSING' }) },
  ...changes,
})
