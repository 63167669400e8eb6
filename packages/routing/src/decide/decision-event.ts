import type { GatewayDecided, NetworkCosts, PaymentPricing } from '@switchyard/events'
import type { NetworkRouting } from '../debit-routing/route-by-network.ts'
import type { GatewayDecision } from './decision.ts'
import type { DecisionRequest } from './request.ts'

/** Largest latency that the event can carry, in microseconds. */
const LATENCY_US_MAX = 2_147_483_647

/** Named one by one: copying all but one takes several times as long. */
const recordedRouting = (routing: NetworkRouting): NetworkCosts => ({
  options: routing.options,
  skipped: routing.skipped,
  issuerCountry: routing.issuerCountry,
  isRegulated: routing.isRegulated,
  regulatedName: routing.regulatedName,
  cardType: routing.cardType,
  source: routing.source,
  acquirerCountry: routing.acquirerCountry,
  category: routing.category,
  feeTableVersion: routing.feeTableVersion,
})

/** How a decision was made, beside what was decided. */
export interface DecisionCircumstances {
  /** Microseconds. */
  readonly latencyUs: number
  /** Which registration of the merchant id it was made for. */
  readonly merchantRegistrationCount: number
  /** What the payment costs, where weighing does not tell it. */
  readonly pricing: PaymentPricing | null
}

/** The event of a decision: all that its outcomes and a replay need (decide.md 17). */
export const gatewayDecided = (
  request: DecisionRequest,
  decision: GatewayDecision,
  { latencyUs, merchantRegistrationCount, pricing }: DecisionCircumstances,
): GatewayDecided => {
  const { payment } = request
  return {
    type: 'GatewayDecided',
    data: {
      merchantId: request.merchantId,
      paymentId: payment.paymentId,
      requestId: request.requestId,
      at: request.at,
      rankingAlgorithm: request.rankingAlgorithm,
      paymentType: payment.paymentType,
      paymentMethodType: payment.paymentMethodType,
      paymentMethod: payment.paymentMethod,
      amount: payment.amount,
      currency: payment.currency,
      country: payment.country,
      cardType: payment.cardType,
      cardNetwork: payment.cardNetwork,
      cardIsIn: payment.cardIsIn,
      authType: payment.authType,
      preferredGateway: payment.preferredGateway,
      eliminationRequested: request.eliminationRequested,
      multiObjectiveRequested: request.multiObjectiveRequested,
      candidates: decision.candidates,
      scores: decision.scores,
      gateway: decision.gateway,
      fallbacks: decision.fallbacks,
      approach: decision.approach,
      gatewayBeforeEvaluation: decision.gatewayBeforeEvaluation,
      explored: decision.explored,
      algorithmId: decision.plan?.algorithmId ?? null,
      priorityLogicTag: decision.plan?.tag ?? null,
      dimension: decision.dimension,
      knobs: decision.knobs,
      elimination: decision.elimination,
      down: decision.down,
      probe: decision.probe,
      network: decision.network && recordedRouting(decision.network),
      networkProblem: decision.networkProblem,
      experiment: decision.experiment,
      costChoice: decision.costs && decision.costs.choice,
      pricing,
      latencyUs: Math.max(0, Math.min(LATENCY_US_MAX, Math.round(latencyUs))),
      merchantRegistrationCount,
    },
  }
}
