/** Kind of call that an entry belongs to, as the audit names it (analytics.md 3.2). */
export type Route = 'decide_gateway' | 'update_gateway_score' | 'routing_evaluate'

/** The two kinds of timelines: payments, and evaluations of rules without one. */
export type SummaryKind = 'live' | 'preview'

/** What an entry of a timeline records (analytics.md 3.2). */
export type FlowType =
  | 'decide_gateway_decision'
  | 'decide_gateway_rule_hit'
  | 'decide_gateway_error'
  | 'update_gateway_score_update'
  | 'update_gateway_score_error'
  | 'routing_evaluate_single'
  | 'routing_evaluate_priority'
  | 'routing_evaluate_volume_split'
  | 'routing_evaluate_advanced'
  | 'routing_evaluate_preview'
  | 'routing_evaluate_error'

const ROUTES: Readonly<Record<FlowType, Route>> = {
  decide_gateway_decision: 'decide_gateway',
  decide_gateway_rule_hit: 'decide_gateway',
  decide_gateway_error: 'decide_gateway',
  update_gateway_score_update: 'update_gateway_score',
  update_gateway_score_error: 'update_gateway_score',
  routing_evaluate_single: 'routing_evaluate',
  routing_evaluate_priority: 'routing_evaluate',
  routing_evaluate_volume_split: 'routing_evaluate',
  routing_evaluate_advanced: 'routing_evaluate',
  routing_evaluate_preview: 'routing_evaluate',
  routing_evaluate_error: 'routing_evaluate',
}

/** The call that a flow belongs to. */
export const routeOf = (flow: FlowType): Route => ROUTES[flow]
