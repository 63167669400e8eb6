import type { EliminationKnobs, ScoringDimension, ScoringKnobs, SuccessRateSettings } from '@switchyard/events'
import { assert, assertNever } from '@switchyard/kernel'
import type { RouteByNetwork } from '../debit-routing/route-by-network.ts'
import type { EliminationResolver, EliminationRules } from '../elimination/elimination-rules.ts'
import { type DownGateway, NOTHING_DOWN } from '../elimination/merchant-health.ts'
import { type FeatureFlags, hasFeature } from '../feature-flags/feature-flags.ts'
import type { PaymentFold } from '../outcomes/payment-fold.ts'
import { dimensionOf } from '../scoring/dimension.ts'
import { boostedScore } from '../scoring/extra-score.ts'
import type { KnobResolver } from '../scoring/knobs.ts'
import type { Elimination } from '../scoring-settings/elimination-settings.ts'
import type { ChosenDimensions } from '../scoring-settings/scoring-dimensions.ts'
import type { DecisionRefusal, DecisionResult, GatewayDecision, PriorityPlan } from './decision.ts'
import { approachOf, type BaseApproach, probedGateway, upFirst } from './elimination.ts'
import { exploredGateway } from './exploration.ts'
import { candidateOrder, preferring } from './priority-plan.ts'
import { rankGateways, type ScoredGateway, scoresByPriority } from './ranking.ts'
import type { DecisionRequest } from './request.ts'
import { routingDimensionOf } from './routing-dimension.ts'

/** What a decision reads: the merchant's configuration, the success-rate windows and which gateways are down. */
export interface DecisionSources {
  readonly debitRouting: { readonly enabled: boolean }
  readonly features: FeatureFlags
  readonly successRateScoring: { readonly settings: SuccessRateSettings | null }
  readonly scoringDimensions: { readonly chosen: ChosenDimensions | null }
  readonly eliminationSettings: { readonly settings: Elimination | null }
  readonly resolveKnobs: KnobResolver
  readonly resolveElimination: EliminationResolver
  readonly eliminationRules: EliminationRules
  readonly windows: Pick<PaymentFold, 'scoresOf' | 'downAmong'>
  /** The merchant's priority list for the payment. */
  readonly priorityPlan: (request: DecisionRequest, candidates: readonly string[]) => PriorityPlan
  readonly routeByNetwork: RouteByNetwork
}

/** What all steps of one decision share. */
interface Case {
  readonly request: DecisionRequest
  readonly candidates: readonly string[]
  readonly dimension: ScoringDimension
  readonly knobs: ScoringKnobs
  readonly elimination: EliminationKnobs
}

/** How the candidates stand after scoring. */
interface Standing {
  readonly plan: PriorityPlan
  readonly scores: readonly number[]
  /** Share of payments, in percent, that explore. */
  readonly hedgingPercent: number
  readonly base: 'SR_SELECTION_V3_ROUTING' | 'PRIORITY_LOGIC'
}

/** Where the payment goes. */
interface Choice extends Pick<GatewayDecision, 'gateway' | 'gatewayBeforeEvaluation' | 'explored' | 'probe'> {
  /** Best first. */
  readonly ordered: readonly string[]
  readonly base: BaseApproach
}

const refuse = (refusal: DecisionRefusal): DecisionResult => ({ decided: false, refusal })

/** The merchant's wish settles a choice of one (decide.md 4.2). */
const byPreference = ({ candidates, dimension, knobs, elimination }: Case, preferred: string): DecisionResult =>
  candidates.includes(preferred)
    ? {
        decided: true,
        decision: {
          gateway: preferred,
          fallbacks: [],
          candidates,
          scores: [1],
          down: [],
          approach: 'MERCHANT_PREFERENCE',
          gatewayBeforeEvaluation: preferred,
          explored: false,
          probe: false,
          plan: null,
          routingDimension: null,
          dimension,
          knobs,
          elimination,
          network: null,
          networkProblem: null,
        },
      }
    : refuse({ code: 'GATEWAY_NOT_FOUND', plan: null })

/** Success rates (decide.md 5). A preferred gateway has no say here (4.2). */
const bySuccessRate = ({ request, candidates, dimension, knobs }: Case, { windows }: DecisionSources): Standing => {
  const { bucketSize, hedgingPercent } = knobs
  const learned = windows.scoresOf({ merchantId: request.merchantId, dimension, gateways: candidates, bucketSize })
  const scores =
    knobs.extraScores.length === 0 ? learned : learned.map((score, index) => boostedScore(score, candidates[index] ?? '', knobs))
  return { plan: candidateOrder(candidates), scores, hedgingPercent, base: 'SR_SELECTION_V3_ROUTING' }
}

/** The priority list as pseudo scores (decide.md 9). */
const byPriority = ({ candidates }: Case, plan: PriorityPlan): Standing => ({
  plan,
  scores: candidates.length > 1 ? scoresByPriority(candidates, plan.gateways) : [1],
  hedgingPercent: 0,
  base: 'PRIORITY_LOGIC',
})

const planOf = ({ request, candidates }: Case, sources: DecisionSources): PriorityPlan =>
  preferring(sources.priorityPlan(request, candidates), request.payment.preferredGateway, candidates)

const standingOf = (one: Case, sources: DecisionSources): Standing => {
  const { request, candidates } = one
  const isSuccessRate = request.rankingAlgorithm === 'SR_BASED_ROUTING' || request.rankingAlgorithm === 'NTW_SR_HYBRID_ROUTING'
  if (!isSuccessRate) return byPriority(one, planOf(one, sources))
  return candidates.length > 1 ? bySuccessRate(one, sources) : byPriority(one, candidateOrder(candidates))
}

const downOf = ({ request, candidates, elimination }: Case, { windows, eliminationRules }: DecisionSources): readonly DownGateway[] => {
  if (!elimination.enabled) return NOTHING_DOWN
  const { merchantId, payment, at } = request
  return windows.downAmong(merchantId, { payment, gateways: candidates, at, rules: eliminationRules })
}

/** Best by score, explored or probed: down gateways are never explored, a few payments are set aside to try them. */
const choose = ({ request, candidates }: Case, { scores, hedgingPercent, base }: Standing, down: readonly DownGateway[]): Choice => {
  const { paymentId } = request.payment
  const scored: readonly ScoredGateway[] = candidates.map((gateway, index) => ({ gateway, score: scores[index] ?? 0 }))
  const ranked = rankGateways(paymentId, scored).map(({ gateway }) => gateway)
  const ordered = upFirst(ranked, down)
  const [best] = ranked
  const [head] = ordered
  assert(best !== undefined && head !== undefined, 'somebody is ranked first')
  const probed = probedGateway(ordered, down)
  const upCount = candidates.length - down.length
  const explorable = down.length === 0 || upCount === 0 ? ordered : ordered.slice(0, upCount)
  const other = probed ?? exploredGateway(paymentId, explorable, hedgingPercent)
  return {
    gateway: other ?? head,
    gatewayBeforeEvaluation: other ?? best,
    explored: other !== undefined,
    probe: probed !== undefined,
    ordered,
    base: other !== undefined && base === 'SR_SELECTION_V3_ROUTING' ? 'SR_V3_HEDGING' : base,
  }
}

const answer = (one: Case, standing: Standing, down: readonly DownGateway[]): DecisionResult => {
  const { request, candidates, dimension, knobs, elimination } = one
  const { gateway, gatewayBeforeEvaluation, explored, probe, ordered, base } = choose(one, standing, down)
  return {
    decided: true,
    decision: {
      gateway,
      fallbacks: ordered.filter((other) => other !== gateway),
      candidates,
      scores: standing.scores,
      down: down.map((other) => other.gateway),
      approach: candidates.length === 1 ? 'DEFAULT' : approachOf(base, down.length, candidates.length),
      gatewayBeforeEvaluation,
      explored,
      probe,
      plan: standing.plan,
      routingDimension: routingDimensionOf(request.payment),
      dimension,
      knobs,
      elimination,
      network: null,
      networkProblem: null,
    },
  }
}

const withoutDuplicates = (candidates: readonly string[]): readonly string[] =>
  candidates.some((gateway, index) => candidates.indexOf(gateway) !== index) ? [...new Set(candidates)] : candidates

const caseOf = (request: DecisionRequest, sources: DecisionSources): Case => {
  const { payment, eliminationRequested: requested } = request
  const { features, successRateScoring, scoringDimensions, eliminationSettings } = sources
  const adaptive = hasFeature(features, 'explore-exploit-srv3')
  return {
    request,
    candidates: withoutDuplicates(request.candidates),
    dimension: dimensionOf(payment, scoringDimensions.chosen),
    knobs: sources.resolveKnobs({ settings: successRateScoring.settings, adaptive }, payment),
    elimination: sources.resolveElimination({
      settings: eliminationSettings.settings,
      flag: hasFeature(features, 'elimination'),
      requested,
    }),
  }
}

/** By success rates or by the priority list. */
const byScores = (request: DecisionRequest, sources: DecisionSources): DecisionResult => {
  const { preferredGateway } = request.payment
  const one = caseOf(request, sources)
  if (one.candidates.length < 2 && preferredGateway !== null) return byPreference(one, preferredGateway)
  if (one.candidates.length === 0) return refuse({ code: 'GATEWAY_NOT_FOUND', plan: candidateOrder([]) })
  return answer(one, standingOf(one, sources), downOf(one, sources))
}

/** By the costs of the networks alone: the first candidate takes the payment, whatever its scores (network.md 7). */
const byNetworks = (request: DecisionRequest, sources: DecisionSources): DecisionResult => {
  const { candidates, dimension, knobs, elimination } = caseOf(request, sources)
  const [gateway, ...fallbacks] = candidates
  if (gateway === undefined) return refuse({ code: 'GATEWAY_NOT_FOUND', plan: candidateOrder([]) })
  const { routing, problem } = sources.routeByNetwork(request)
  if (routing === undefined) return refuse({ code: 'CO_BADGED_NETWORK_NOT_FOUND', detail: problem })
  return {
    decided: true,
    decision: {
      gateway,
      fallbacks,
      candidates,
      scores: [],
      down: [],
      approach: 'NTW_BASED_ROUTING',
      gatewayBeforeEvaluation: null,
      explored: false,
      probe: false,
      plan: null,
      routingDimension: null,
      dimension,
      knobs,
      elimination,
      network: routing,
      networkProblem: null,
    },
  }
}

/** Success rates choose the gateway, costs order the networks; neither knows of the other (network.md 9). */
const byScoresAndNetworks = (request: DecisionRequest, sources: DecisionSources): DecisionResult => {
  const result = byScores(request, sources)
  if (!result.decided) return result
  const { routing, problem } = sources.routeByNetwork(request)
  const { decision } = result
  return {
    decided: true,
    decision:
      routing === undefined ? { ...decision, networkProblem: problem } : { ...decision, approach: 'NTW_BASED_ROUTING', network: routing },
  }
}

/**
 * Chooses a gateway (decide.md 4.1) and, where they are asked for, orders the networks: a pure function of request and
 * sources, so the same request on the same state gives the same answer. Duplicate candidates count once; only candidates are
 * ever chosen. Elimination comes after scoring and before exploration. Networks need the merchant's debit flag.
 */
export const decideGateway = (request: DecisionRequest, sources: DecisionSources): DecisionResult => {
  const { rankingAlgorithm } = request
  switch (rankingAlgorithm) {
    case 'NTW_BASED_ROUTING':
    case 'NTW_SR_HYBRID_ROUTING':
      if (!sources.debitRouting.enabled) return refuse({ code: 'DEBIT_ROUTING_NOT_ENABLED' })
      return rankingAlgorithm === 'NTW_BASED_ROUTING' ? byNetworks(request, sources) : byScoresAndNetworks(request, sources)
    case 'SR_BASED_ROUTING':
    case 'PL_BASED_ROUTING':
    case null:
      return byScores(request, sources)
    default:
      return assertNever(rankingAlgorithm)
  }
}
