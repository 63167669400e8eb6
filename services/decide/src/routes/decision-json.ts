import { type GatewayDecision, type PaymentDetails, type PriorityPlan, shownScore } from '@switchyard/routing'
import { multiObjectiveJson } from '../costs/multi-objective-json.ts'
import { debitRoutingOutput } from './debit-routing-output.ts'
import { experimentAnswer } from './experiment-answer.ts'
import { priorityLogicOutput, shownPlan } from './priority-logic-output.ts'
import { inAscii, quoted } from './quoted.ts'

const quotedOrNull = (text: string | null): string => (text === null ? 'null' : quoted(text))

const list = (texts: readonly string[]): string => {
  let items = ''
  for (const text of texts) items += items === '' ? quoted(text) : `,${quoted(text)}`
  return `[${items}]`
}

const priorityMap = ({ candidates, scores, down }: GatewayDecision): string => {
  if (scores.length === 0) return 'null'
  let members = ''
  for (const [index, gateway] of candidates.entries()) {
    const member = `${quoted(gateway)}:${shownScore(gateway, scores[index] ?? 0, down)}`
    members += members === '' ? member : `,${member}`
  }
  return `{${members}}`
}

/** Nearly every plan is the order of the candidates, which nothing was evaluated for. */
const planJson = (plan: PriorityPlan | null): string =>
  plan === null || plan.run !== null || plan.tag !== null
    ? inAscii(JSON.stringify(priorityLogicOutput(plan)))
    : `{"isEnforcement":false,"gws":${list(plan.gateways)},"priorityLogicTag":null,"gatewayReferenceIds":{},"primaryLogic":null,"fallbackLogic":null}`

/** Nearly no decision is part of an experiment. */
const experimentJson = ({ experiment }: GatewayDecision): string => {
  const shown = experiment === null ? undefined : experimentAnswer(experiment).experiment
  return shown === undefined ? '' : `,"experiment":{"id":${quoted(shown.id)},"arm":"${shown.arm}"}`
}

/**
 * The text of `decisionAnswer` in ASCII, written in less than half the time that printing it takes; a property test holds the two to
 * each other.
 */
export const decisionJson = (decision: GatewayDecision, payment: PaymentDetails, latencyMs: number): string => {
  const { gateway, fallbacks, plan, approach, gatewayBeforeEvaluation, routingDimension, network } = decision
  const costs = decision.costs === null ? 'null' : multiObjectiveJson(decision.costs, payment)
  const networks = network === null ? 'null' : inAscii(JSON.stringify(debitRoutingOutput(network)))
  const chosen = `{"decided_gateway":${quoted(gateway)},"fallback_gateways":${list(fallbacks)},"gateway_priority_map":${priorityMap(decision)}`
  const label = `"filter_wise_gateways":null,"priority_logic_tag":${quotedOrNull(plan?.tag ?? null)},"routing_approach":"${approach}"`
  const before = `"gateway_before_evaluation":${quotedOrNull(gatewayBeforeEvaluation)},"priority_logic_output":${planJson(shownPlan(decision))}`
  const dimension = `"routing_dimension":${quotedOrNull(routingDimension?.text ?? null)},"routing_dimension_level":${quotedOrNull(routingDimension?.level ?? null)}`
  const constant = '"is_scheduled_outage":false,"is_dynamic_mga_enabled":false,"gateway_mga_id_map":null,"is_rust_based_decider":true'
  return `${chosen},${label},${before},"debit_routing_output":${networks},"reset_approach":"NO_RESET",${dimension},${constant},"latency":${latencyMs},"multi_objective_info":${costs}${experimentJson(decision)}}`
}
