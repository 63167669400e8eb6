import { type GatewayDecision, type PaymentDetails, shownScore } from '@switchyard/routing'
import { multiObjectiveInfo } from '../costs/multi-objective-info.ts'
import { debitRoutingOutput } from './debit-routing-output.ts'
import { experimentAnswer } from './experiment-answer.ts'
import { priorityLogicOutput, shownPlan } from './priority-logic-output.ts'

const priorityMap = ({ candidates, scores, down }: GatewayDecision): object | null =>
  scores.length === 0
    ? null
    : Object.fromEntries(candidates.map((gateway, index) => [gateway, shownScore(gateway, scores[index] ?? 0, down)]))

/** The answer of a decision (decide.md 3.1): every member is always there, null where it has nothing to say; in an experiment one more. */
export const decisionAnswer = (decision: GatewayDecision, payment: PaymentDetails, latencyMs: number): object => ({
  decided_gateway: decision.gateway,
  fallback_gateways: decision.fallbacks,
  gateway_priority_map: priorityMap(decision),
  filter_wise_gateways: null,
  priority_logic_tag: decision.plan?.tag ?? null,
  routing_approach: decision.approach,
  gateway_before_evaluation: decision.gatewayBeforeEvaluation,
  priority_logic_output: priorityLogicOutput(shownPlan(decision)),
  debit_routing_output: debitRoutingOutput(decision.network),
  reset_approach: 'NO_RESET',
  routing_dimension: decision.routingDimension?.text ?? null,
  routing_dimension_level: decision.routingDimension?.level ?? null,
  is_scheduled_outage: false,
  is_dynamic_mga_enabled: false,
  gateway_mga_id_map: null,
  is_rust_based_decider: true,
  latency: latencyMs,
  multi_objective_info: decision.costs && multiObjectiveInfo(decision.costs, payment),
  ...experimentAnswer(decision.experiment),
})
