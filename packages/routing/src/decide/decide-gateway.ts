import type { ExperimentAssignment } from '@switchyard/events'
import { assert, assertNever } from '@switchyard/kernel'
import type { DownGateway } from '../elimination/merchant-health.ts'
import { assignmentOf, type LiveExperiment } from '../experiments/live-experiment.ts'
import { hasFeature } from '../feature-flags/feature-flags.ts'
import { boostedScore } from '../scoring/extra-score.ts'
import { type Case, caseOf, type DecisionSources, downOf } from './case.ts'
import { type CostSources, weighed } from './cost-step.ts'
import type { DecisionRefusal, DecisionResult, GatewayDecision, PriorityPlan } from './decision.ts'
import { approachOf, type BaseApproach, probedGateway, upFirst } from './elimination.ts'
import { exploredGateway } from './exploration.ts'
import { candidateOrder, preferring } from './priority-plan.ts'
import { rankGateways, scoresByPriority } from './ranking.ts'
import type { DecisionRequest } from './request.ts'
import { routingDimensionOf } from './routing-dimension.ts'
import type { WeighedCosts } from './weighing.ts'

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

/** What a decision by scores reads beside its case. */
type ScoreSources = Pick<DecisionSources, 'windows' | 'eliminationRules' | 'priorityPlan'>

const refuse = (refusal: DecisionRefusal): DecisionResult => ({ decided: false, refusal })

/** The merchant's wish settles a choice of one (decide.md 4.2). */
const byPreference = ({ candidates, dimension, knobs, elimination, experiment }: Case, preferred: string): DecisionResult =>
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
          experiment,
          costs: null,
        },
      }
    : refuse({ code: 'GATEWAY_NOT_FOUND', plan: null })

/** Success rates (decide.md 5). A preferred gateway has no say here (4.2). */
const bySuccessRate = ({ request, candidates, dimension, knobs }: Case, { windows }: ScoreSources): Standing => {
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

const planOf = ({ request, candidates }: Case, sources: ScoreSources): PriorityPlan =>
  preferring(sources.priorityPlan(request, candidates), request.payment.preferredGateway, candidates)

/** Success rates were asked for, or are what the payment's arm of an experiment routes by. */
const isBySuccessRate = ({ request: { rankingAlgorithm }, experiment }: Case): boolean =>
  rankingAlgorithm === 'SR_BASED_ROUTING' ||
  rankingAlgorithm === 'NTW_SR_HYBRID_ROUTING' ||
  (experiment !== null && experiment.exclusion === null && experiment.algorithmId === null)

const standingOf = (one: Case, sources: ScoreSources): Standing => {
  const { candidates } = one
  if (!isBySuccessRate(one)) return byPriority(one, planOf(one, sources))
  return candidates.length > 1 ? bySuccessRate(one, sources) : byPriority(one, candidateOrder(candidates))
}

/** Best by score, explored or probed: down gateways are never explored, a few payments are set aside to try them. */
const choose = ({ request, candidates }: Case, { scores, hedgingPercent, base }: Standing, down: readonly DownGateway[]): Choice => {
  const { paymentId } = request.payment
  const ranked = rankGateways(paymentId, candidates, scores)
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

/** Nearly every payment goes to the first: a list of known length is made with no room to spare. */
const without = (gateway: string, ordered: readonly string[]): readonly string[] =>
  ordered[0] === gateway ? ordered.slice(1) : ordered.filter((other) => other !== gateway)

/** Where the payment goes once cost has had its say. */
const afterCosts = (
  { gateway, ordered, base }: Choice,
  { candidates }: Case,
  costs: WeighedCosts | null,
  downCount: number,
): Pick<GatewayDecision, 'gateway' | 'fallbacks' | 'approach'> => {
  const approach = candidates.length === 1 ? 'DEFAULT' : approachOf(base, downCount, candidates.length)
  const chosen = costs === null ? null : costs.choice.chosen
  if (costs === null || chosen === null) return { gateway, fallbacks: without(gateway, ordered), approach }
  const isByCost = costs.choice.outcome === 'COST_WON'
  return { gateway: chosen, fallbacks: costs.fallbacks, approach: isByCost ? 'SR_SELECTION_MULTI_OBJECTIVE' : approach }
}

type Decided = Extract<DecisionResult, { readonly decided: true }>

const answer = (one: Case, standing: Standing, downGateways: readonly DownGateway[], costSources: CostSources | null): Decided => {
  const { request, candidates, dimension, knobs, elimination, experiment } = one
  const choice = choose(one, standing, downGateways)
  const { gatewayBeforeEvaluation, explored, probe } = choice
  const down = downGateways.map((other) => other.gateway)
  const costs = costSources === null || explored || !isBySuccessRate(one) ? null : weighed(one, standing.scores, down, costSources)
  const { gateway, fallbacks, approach } = afterCosts(choice, one, costs, down.length)
  return {
    decided: true,
    decision: {
      gateway,
      fallbacks,
      candidates,
      scores: standing.scores,
      down,
      approach,
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
      experiment,
      costs,
    },
  }
}

/** The decision of a case with at least one candidate, by success rates or by the priority list; costs count only where their sources are. */
export const decideCase = (one: Case, sources: ScoreSources, costSources: CostSources | null): Decided =>
  answer(one, standingOf(one, sources), downOf(one, sources), costSources)

/** By success rates or by the priority list. */
const byScores = (request: DecisionRequest, sources: DecisionSources, experiment: ExperimentAssignment | null = null): DecisionResult => {
  const { preferredGateway } = request.payment
  const one = caseOf(request, sources, experiment)
  if (one.candidates.length < 2 && preferredGateway !== null) return byPreference(one, preferredGateway)
  if (one.candidates.length === 0) return refuse({ code: 'GATEWAY_NOT_FOUND', plan: candidateOrder([]) })
  return decideCase(one, sources, sources)
}

/** By the algorithm of a fixed arm (analytics.md 6.3): no scores, nothing to explore; gateways that are down come last. */
const byArm = (one: Case, plan: PriorityPlan, sources: DecisionSources): DecisionResult => {
  const { candidates, dimension, knobs, elimination, experiment } = one
  const down = downOf(one, sources)
  const [gateway, ...fallbacks] = upFirst(plan.gateways, down)
  assert(gateway !== undefined, 'a plan of an arm names a candidate')
  return {
    decided: true,
    decision: {
      gateway,
      fallbacks,
      candidates,
      scores: [],
      down: down.map((other) => other.gateway),
      approach: 'AB_TEST_STATIC_ALGORITHM',
      gatewayBeforeEvaluation: null,
      explored: false,
      probe: false,
      plan,
      routingDimension: null,
      dimension,
      knobs,
      elimination,
      network: null,
      networkProblem: null,
      experiment,
      costs: null,
    },
  }
}

/** As the payment's arm has it; as without the experiment when the arm's algorithm gives no candidate, which is recorded. */
const inExperiment = (live: LiveExperiment, request: DecisionRequest, sources: DecisionSources): DecisionResult => {
  const assignment = assignmentOf(live, request.payment.paymentId)
  if (assignment.algorithmId === null) return byScores(request, sources, assignment)
  const one = caseOf(request, sources, assignment)
  const { candidates } = one
  const result = sources.experiments.byAlgorithm(live, assignment.algorithmId, { ...request.payment, candidates })
  if ('plan' in result) return byArm(one, result.plan, sources)
  return byScores(request, sources, { ...assignment, exclusion: result.exclusion })
}

/** By the costs of the networks alone: the first candidate takes the payment, whatever its scores (network.md 7). */
const byNetworks = (request: DecisionRequest, sources: DecisionSources): DecisionResult => {
  const { candidates, dimension, knobs, elimination } = caseOf(request, sources, null)
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
      experiment: null,
      costs: null,
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
 * ever chosen. Elimination comes after scoring and before exploration. Networks need the merchant's debit flag; a live
 * experiment takes part in every decision but theirs (network.md N9).
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
    case null: {
      const isExperimenting = hasFeature(sources.features, 'ab-test-real-payments')
      const live = isExperimenting ? sources.experiments.live(request.merchantId) : undefined
      return live === undefined ? byScores(request, sources) : inExperiment(live, request, sources)
    }
    default:
      return assertNever(rankingAlgorithm)
  }
}
