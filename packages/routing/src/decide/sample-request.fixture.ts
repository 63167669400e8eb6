import { createPaymentFold } from '../outcomes/payment-fold.ts'
import { createKnobResolver, SHIPPED_SCORING_DEFAULTS } from '../scoring/knobs.ts'
import type { DecisionSources } from './decide-gateway.ts'
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
    authType: 'THREE_DS',
    preferredGateway: null,
    ...payment,
  },
})

/** Sources for tests: an unknown merchant's configuration and no outcomes. */
export const sampleSources = (changes: Partial<DecisionSources> = {}): DecisionSources => ({
  debitRouting: { enabled: false },
  successRateScoring: { settings: null },
  resolveKnobs: createKnobResolver(SHIPPED_SCORING_DEFAULTS),
  windows: createPaymentFold(),
  priorityPlan: (_, candidates) => candidateOrder(candidates),
  ...changes,
})
