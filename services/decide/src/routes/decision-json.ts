import { type GatewayDecision, type PaymentDetails, type PriorityPlan, shownScore } from '@switchyard/routing'
import { multiObjectiveJson } from '../costs/multi-objective-json.ts'
import { debitRoutingOutput } from './debit-routing-output.ts'
import { experimentAnswer } from './experiment-answer.ts'
import { priorityLogicOutput, shownPlan } from './priority-logic-output.ts'
import { inAscii, quoted, quotedOnce, writtenOnce } from './quoted.ts'

const quotedOrNull = (text: string | null): string => (text === null ? 'null' : quoted(text))

// With the marks in front of it, so that an answer is put together from fewer pieces.
const firstItem = writtenOnce((text) => `[${quotedOnce(text)}`)
const nextItem = writtenOnce((text) => `,${quotedOnce(text)}`)
const firstMember = writtenOnce((name) => `{${quotedOnce(name)}:`)
const nextMember = writtenOnce((name) => `,${quotedOnce(name)}:`)

const list = (texts: readonly string[]): string => {
  if (texts.length === 0) return '[]'
  let items = ''
  for (const text of texts) items += items === '' ? firstItem(text) : nextItem(text)
  return `${items}]`
}

const priorityMap = ({ candidates, scores, down }: GatewayDecision): string => {
  if (scores.length === 0) return 'null'
  let members = ''
  for (const [index, gateway] of candidates.entries()) {
    members += (members === '' ? firstMember(gateway) : nextMember(gateway)) + shownScore(gateway, scores[index] ?? 0, down)
  }
  return members === '' ? '{}' : `${members}}`
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

const CONSTANT = '"is_scheduled_outage":false,"is_dynamic_mga_enabled":false,"gateway_mga_id_map":null,"is_rust_based_decider":true'

// What nearly every answer says, with what stands around it, is one piece.
const aroundTag = (tag: string): string => `,"filter_wise_gateways":null,"priority_logic_tag":${tag},"routing_approach":"`
const NO_TAG = aroundTag('null')
const aroundNetworks = (networks: string): string => `,"debit_routing_output":${networks},"reset_approach":"NO_RESET","routing_dimension":`
const NO_NETWORKS = aroundNetworks('null')

/**
 * The text of `decisionAnswer` in ASCII, written in less than half the time that printing it takes; a property test holds the two to
 * each other.
 */
export const decisionJson = (decision: GatewayDecision, payment: PaymentDetails, latencyMs: number): string => {
  const { gateway, fallbacks, plan, approach, gatewayBeforeEvaluation, routingDimension, network } = decision
  const chosen = `{"decided_gateway":${quoted(gateway)},"fallback_gateways":${list(fallbacks)},"gateway_priority_map":${priorityMap(decision)}`
  const tag = plan?.tag ?? null
  const label = tag === null ? NO_TAG : aroundTag(quoted(tag))
  const before = `${label}${approach}","gateway_before_evaluation":${quotedOrNull(gatewayBeforeEvaluation)}`
  const dimension = `${quotedOrNull(routingDimension?.text ?? null)},"routing_dimension_level":${quotedOrNull(routingDimension?.level ?? null)}`
  const networks = network === null ? NO_NETWORKS : aroundNetworks(inAscii(JSON.stringify(debitRoutingOutput(network))))
  const planned = `,"priority_logic_output":${planJson(shownPlan(decision))}${networks}`
  const costs = decision.costs === null ? 'null' : multiObjectiveJson(decision.costs, payment)
  const ending = `,${CONSTANT},"latency":${latencyMs},"multi_objective_info":${costs}${experimentJson(decision)}}`
  return chosen + before + planned + dimension + ending
}
