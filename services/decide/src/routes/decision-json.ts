import {
  type GatewayDecision,
  type PaymentDetails,
  type PriorityLogicRun,
  type PriorityPlan,
  RecentKinds,
  type RoutingDimension,
  shownScore,
} from '@switchyard/routing'
import { multiObjectiveJson } from '../costs/multi-objective-json.ts'
import { debitRoutingJson } from './debit-routing-json.ts'
import { experimentAnswer } from './experiment-answer.ts'
import { shownPlan } from './priority-logic-output.ts'
import { inOnePiece, listed, quoted, quotedOnce, writtenOnce } from './quoted.ts'

const quotedOrNull = (text: string | null): string => (text === null ? 'null' : quoted(text))

// With the marks around it, so that an answer is put together from fewer pieces.
const beginning = writtenOnce((gateway) => `{"decided_gateway":${quotedOnce(gateway)},"fallback_gateways":`)
const firstMember = writtenOnce((name) => `{${quotedOnce(name)}:`)
const nextMember = writtenOnce((name) => `,${quotedOnce(name)}:`)

const priorityMap = ({ candidates, scores, down }: GatewayDecision): string => {
  if (scores.length === 0) return 'null'
  let members = ''
  for (let index = 0; index < candidates.length; index++) {
    const gateway = candidates[index] ?? ''
    members += (index === 0 ? firstMember(gateway) : nextMember(gateway)) + shownScore(gateway, scores[index] ?? 0, down)
  }
  return members === '' ? '{}' : `${members}}`
}

/** What is written for one of few objects, written once for those that were there last. */
const writtenFor = <Kind extends object>(write: (kind: Kind) => string): ((kind: Kind) => string) => {
  const recent = new RecentKinds<Kind, { readonly kind: Kind; readonly json: string }>(
    (a, b) => a === b,
    (kind) => ({ kind, json: inOnePiece(write(kind)) }),
  )
  return (kind) => recent.of(kind).json
}

/** Nearly every plan is the order of the candidates, which nothing was evaluated for. */
const orderJson = writtenFor<readonly string[]>(
  (gateways) =>
    `{"isEnforcement":false,"gws":${listed(gateways)},"priorityLogicTag":null,"gatewayReferenceIds":{},"primaryLogic":null,"fallbackLogic":null}`,
)

const runJson = ({ name, failure }: PriorityLogicRun): string =>
  `{"name":${quotedOrNull(name)},"status":"${failure === null ? 'SUCCESS' : 'FAILURE'}","failure_reason":"${failure ?? 'NO_ERROR'}"}`

const planJson = (plan: PriorityPlan | null): string => {
  if (plan === null) return 'null'
  const { gateways, tag, run } = plan
  if (run === null && tag === null) return orderJson(gateways)
  const tagged = `,"priorityLogicTag":${quotedOrNull(tag)},"gatewayReferenceIds":{},"primaryLogic":`
  return `{"isEnforcement":false,"gws":${listed(gateways)}${tagged}${run === null ? 'null' : runJson(run)},"fallbackLogic":null}`
}

const aroundDimension = (text: string, level: string): string =>
  `,"reset_approach":"NO_RESET","routing_dimension":${text},"routing_dimension_level":${level},`
const NO_DIMENSION = inOnePiece(aroundDimension('null', 'null'))
const dimensionJson = writtenFor<RoutingDimension>(({ text, level }) => aroundDimension(quotedOnce(text), `"${level}"`))

/** Nearly no decision is part of an experiment. */
const experimentJson = ({ experiment }: GatewayDecision): string => {
  const shown = experiment === null ? undefined : experimentAnswer(experiment).experiment
  return shown === undefined ? '' : `,"experiment":{"id":${quoted(shown.id)},"arm":"${shown.arm}"}`
}

const CONSTANT = '"is_scheduled_outage":false,"is_dynamic_mga_enabled":false,"gateway_mga_id_map":null,"is_rust_based_decider":true'

// What nearly every answer says, with what stands around it, is one piece.
const label = (tag: string, approach: string): string =>
  `,"filter_wise_gateways":null,"priority_logic_tag":${tag},"routing_approach":"${approach}","gateway_before_evaluation":`
const labelWithoutTag = writtenOnce((approach) => label('null', approach))
const NO_NETWORKS = ',"debit_routing_output":null'
const ending = (latencyMs: number, costs: string): string => `${CONSTANT},"latency":${latencyMs},"multi_objective_info":${costs}`
/** A decision that takes longer than that is not told often. */
const SHORT_MS_COUNT = 16
const ENDINGS_WITHOUT_COSTS = Array.from({ length: SHORT_MS_COUNT }, (_, latencyMs) => inOnePiece(`${ending(latencyMs, 'null')}}`))

const endingJson = (decision: GatewayDecision, payment: PaymentDetails, latencyMs: number): string => {
  const { costs, experiment } = decision
  const known = costs === null && experiment === null ? ENDINGS_WITHOUT_COSTS[latencyMs] : undefined
  return known ?? `${ending(latencyMs, costs === null ? 'null' : multiObjectiveJson(costs, payment))}${experimentJson(decision)}}`
}

/**
 * The text of `decisionAnswer` in ASCII, written in less than half the time that printing it takes; a property test holds the two to
 * each other.
 */
export const decisionJson = (decision: GatewayDecision, payment: PaymentDetails, latencyMs: number): string => {
  const { gateway, fallbacks, plan, approach, gatewayBeforeEvaluation, routingDimension, network } = decision
  const chosen = `${beginning(gateway)}${listed(fallbacks)},"gateway_priority_map":${priorityMap(decision)}`
  const tag = plan?.tag ?? null
  const labelled = tag === null ? labelWithoutTag(approach) : label(quoted(tag), approach)
  const planned = `${labelled}${quotedOrNull(gatewayBeforeEvaluation)},"priority_logic_output":${planJson(shownPlan(decision))}`
  const networks = network === null ? NO_NETWORKS : `,"debit_routing_output":${debitRoutingJson(network)}`
  const dimension = routingDimension === null ? NO_DIMENSION : dimensionJson(routingDimension)
  return chosen + planned + networks + dimension + endingJson(decision, payment, latencyMs)
}
