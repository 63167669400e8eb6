import type { EliminationKnobs, ExperimentAssignment, ScoringDimension, ScoringKnobs } from '@switchyard/events'
import type { NetworkRouting } from '../debit-routing/route-by-network.ts'
import type { WeighedCosts } from './weighing.ts'

/** Label of the way a gateway was chosen (decide.md 3.3). */
export type RoutingApproach =
  | 'SR_SELECTION_V3_ROUTING'
  | 'SR_SELECTION_MULTI_OBJECTIVE'
  | 'SR_V3_HEDGING'
  | 'SR_V3_DOWNTIME_ROUTING'
  | 'SR_V3_DOWNTIME_HEDGING'
  | 'SR_V3_ALL_DOWNTIME_ROUTING'
  | 'SR_V3_ALL_DOWNTIME_HEDGING'
  | 'PRIORITY_LOGIC'
  | 'PL_DOWNTIME_ROUTING'
  | 'PL_ALL_DOWNTIME_ROUTING'
  | 'DEFAULT'
  | 'MERCHANT_PREFERENCE'
  | 'NTW_BASED_ROUTING'
  | 'AB_TEST_STATIC_ALGORITHM'

/** How the evaluation of an algorithm went. */
export interface PriorityLogicRun {
  /** Rule or algorithm name. */
  readonly name: string | null
  readonly failure: 'PL_EVALUATION_FAILED' | null
}

/** Gateways by priority, and where the order comes from. */
export interface PriorityPlan {
  /** Candidates only, without duplicates, best first. */
  readonly gateways: readonly string[]
  /** Rule or algorithm name. */
  readonly tag: string | null
  readonly algorithmId: string | null
  /** Null when no algorithm was evaluated. */
  readonly run: PriorityLogicRun | null
}

/** What analytics group payments by, in the words of the interface (decide.md 3.5); not the dimension of the scores. */
export interface RoutingDimension {
  readonly text: string
  readonly level: 'CARD_LEVEL' | 'PM_LEVEL'
}

/** A gateway was chosen. */
export interface GatewayDecision {
  readonly gateway: string
  /** The other candidates, best first. */
  readonly fallbacks: readonly string[]
  /** Without duplicates, in the order sent. */
  readonly candidates: readonly string[]
  /** Between 0 and 1, in the order of the candidates; without regard to what is down. Empty when networks alone decided, or a fixed arm of an experiment. */
  readonly scores: readonly number[]
  /** Candidates that are down, if elimination is enabled: they come after all others. */
  readonly down: readonly string[]
  readonly approach: RoutingApproach
  /** Head after exploration, before elimination and cost; null when networks alone decided. */
  readonly gatewayBeforeEvaluation: string | null
  /** Whether the payment went to another than the best gateway in order to learn. */
  readonly explored: boolean
  /** Whether it tries a gateway that is down. */
  readonly probe: boolean
  /** Null when the merchant's preference settled it, or networks alone. */
  readonly plan: PriorityPlan | null
  /** Null when the merchant's preference settled it, or networks alone. */
  readonly routingDimension: RoutingDimension | null
  readonly dimension: ScoringDimension
  readonly knobs: ScoringKnobs
  readonly elimination: EliminationKnobs
  /** The networks of the payment; null when they were not asked for, or can't be told. */
  readonly network: NetworkRouting | null
  /** Why the networks can't be told, for people; null when they can, or were not asked for. */
  readonly networkProblem: string | null
  /** The payment's part in the merchant's live experiment; null without one. */
  readonly experiment: ExperimentAssignment | null
  /** How approval and cost were weighed; null when they were not. */
  readonly costs: WeighedCosts | null
}

/** Why no gateway can be chosen. */
export type DecisionRefusal =
  | { readonly code: 'DEBIT_ROUTING_NOT_ENABLED' }
  /** `detail` says why, for people. */
  | { readonly code: 'CO_BADGED_NETWORK_NOT_FOUND'; readonly detail: string }
  /** `plan` is null when the preferred gateway is not among the candidates. */
  | { readonly code: 'GATEWAY_NOT_FOUND'; readonly plan: PriorityPlan | null }

/** The outcome of a request. */
export type DecisionResult =
  | { readonly decided: true; readonly decision: GatewayDecision }
  | { readonly decided: false; readonly refusal: DecisionRefusal }
