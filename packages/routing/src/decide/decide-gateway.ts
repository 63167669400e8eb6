import type { ScoringDimension, ScoringKnobs, SuccessRateSettings } from '@switchyard/events'
import { assert, assertNever } from '@switchyard/kernel'
import type { PaymentFold } from '../outcomes/payment-fold.ts'
import { dimensionOf } from '../scoring/dimension.ts'
import type { KnobResolver } from '../scoring/knobs.ts'
import type { DecisionRefusal, DecisionResult, PriorityPlan, RoutingApproach } from './decision.ts'
import { exploredGateway } from './exploration.ts'
import { candidateOrder, preferring } from './priority-plan.ts'
import { rankGateways, type ScoredGateway, scoresByPriority } from './ranking.ts'
import type { DecisionRequest } from './request.ts'
import { routingDimensionOf } from './routing-dimension.ts'

/** What a decision reads: the merchant's configuration and the success-rate windows. */
export interface DecisionSources {
  readonly debitRouting: { readonly enabled: boolean }
  readonly successRateScoring: { readonly settings: SuccessRateSettings | null }
  readonly resolveKnobs: KnobResolver
  readonly windows: Pick<PaymentFold, 'scoresOf'>
  /** The merchant's priority list for the payment. */
  readonly priorityPlan: (request: DecisionRequest, candidates: readonly string[]) => PriorityPlan
}

/** What all steps of one decision share. */
interface Case {
  readonly request: DecisionRequest
  readonly candidates: readonly string[]
  readonly dimension: ScoringDimension
  readonly knobs: ScoringKnobs
}

/** How the candidates stand after scoring. */
interface Standing {
  readonly plan: PriorityPlan
  readonly scores: readonly number[]
  readonly approach: RoutingApproach
  /** Best first. */
  readonly ranked: readonly string[]
  readonly explored: string | undefined
}

const refuse = (refusal: DecisionRefusal): DecisionResult => ({ decided: false, refusal })

const ranking = ({ request, candidates }: Case, scores: readonly number[]): readonly string[] => {
  const scored: readonly ScoredGateway[] = candidates.map((gateway, index) => ({ gateway, score: scores[index] ?? 0 }))
  return rankGateways(request.payment.paymentId, scored).map(({ gateway }) => gateway)
}

/** The merchant's wish settles a choice of one (decide.md 4.2). */
const byPreference = (one: Case, preferred: string): DecisionResult =>
  one.candidates.includes(preferred)
    ? {
        decided: true,
        decision: {
          gateway: preferred,
          fallbacks: [],
          candidates: one.candidates,
          scores: [1],
          approach: 'MERCHANT_PREFERENCE',
          gatewayBeforeEvaluation: preferred,
          explored: false,
          plan: null,
          routingDimension: null,
          dimension: one.dimension,
          knobs: one.knobs,
        },
      }
    : refuse({ code: 'GATEWAY_NOT_FOUND', plan: null })

/** Success rates, and now and then another than the best (decide.md 5). A preferred gateway has no say here (4.2). */
const bySuccessRate = (one: Case, { windows }: DecisionSources): Standing => {
  const { request, candidates, dimension, knobs } = one
  const { bucketSize, hedgingPercent } = knobs
  const scores = windows.scoresOf({ merchantId: request.merchantId, dimension, gateways: candidates, bucketSize }).map(({ value }) => value)
  const ranked = ranking(one, scores)
  const explored = exploredGateway(request.payment.paymentId, ranked, hedgingPercent)
  const approach = explored === undefined ? 'SR_SELECTION_V3_ROUTING' : 'SR_V3_HEDGING'
  return { plan: candidateOrder(candidates), scores, approach, ranked, explored }
}

/** The priority list as pseudo scores (decide.md 9). */
const byPriority = (one: Case, plan: PriorityPlan): Standing => {
  const scores = scoresByPriority(one.candidates, plan.gateways)
  return { plan, scores, approach: 'PRIORITY_LOGIC', ranked: ranking(one, scores), explored: undefined }
}

const planOf = ({ request, candidates }: Case, sources: DecisionSources): PriorityPlan =>
  preferring(sources.priorityPlan(request, candidates), request.payment.preferredGateway, candidates)

const standingOf = (one: Case, sources: DecisionSources): Standing => {
  const { request, candidates } = one
  const isSuccessRate = request.rankingAlgorithm === 'SR_BASED_ROUTING' || request.rankingAlgorithm === 'NTW_SR_HYBRID_ROUTING'
  if (candidates.length > 1) return isSuccessRate ? bySuccessRate(one, sources) : byPriority(one, planOf(one, sources))
  const plan = isSuccessRate ? candidateOrder(candidates) : planOf(one, sources)
  return { plan, scores: [1], approach: 'DEFAULT', ranked: candidates, explored: undefined }
}

const answer = (one: Case, { plan, scores, approach, ranked, explored }: Standing): DecisionResult => {
  const { request, candidates, dimension, knobs } = one
  const gateway = explored ?? ranked[0]
  assert(gateway !== undefined, 'somebody is ranked first')
  return {
    decided: true,
    decision: {
      gateway,
      fallbacks: ranked.filter((other) => other !== gateway),
      candidates,
      scores,
      approach,
      gatewayBeforeEvaluation: gateway,
      explored: explored !== undefined,
      plan,
      routingDimension: routingDimensionOf(request.payment),
      dimension,
      knobs,
    },
  }
}

/** Network routing needs the debit flag, and the fees of the networks, which no merchant has yet. */
const networkRefusal = ({ rankingAlgorithm }: DecisionRequest, { debitRouting }: DecisionSources): DecisionRefusal | undefined => {
  switch (rankingAlgorithm) {
    case 'NTW_BASED_ROUTING':
      return debitRouting.enabled ? { code: 'CO_BADGED_NETWORK_NOT_FOUND' } : { code: 'DEBIT_ROUTING_NOT_ENABLED' }
    case 'NTW_SR_HYBRID_ROUTING':
      return debitRouting.enabled ? undefined : { code: 'DEBIT_ROUTING_NOT_ENABLED' }
    case 'SR_BASED_ROUTING':
    case 'PL_BASED_ROUTING':
    case null:
      return undefined
    default:
      return assertNever(rankingAlgorithm)
  }
}

/**
 * Chooses a gateway (decide.md 4.1): a pure function of request and sources, so the same request on the same state gives
 * the same answer. Duplicate candidates count once; only candidates are ever chosen. The hybrid of network and success
 * rates is answered by success rates alone.
 */
export const decideGateway = (request: DecisionRequest, sources: DecisionSources): DecisionResult => {
  const refusal = networkRefusal(request, sources)
  if (refusal !== undefined) return refuse(refusal)
  const { payment } = request
  const one: Case = {
    request,
    candidates: [...new Set(request.candidates)],
    dimension: dimensionOf(payment),
    knobs: sources.resolveKnobs(sources.successRateScoring.settings, payment),
  }
  if (one.candidates.length < 2 && payment.preferredGateway !== null) return byPreference(one, payment.preferredGateway)
  if (one.candidates.length === 0) return refuse({ code: 'GATEWAY_NOT_FOUND', plan: candidateOrder([]) })
  return answer(one, standingOf(one, sources))
}
