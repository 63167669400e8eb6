import { bodyOfReply, MERCHANT_UNKNOWN_TO_DECISIONS, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import type { DecideServiceDependencies } from '../../dependencies.ts'
import { legacyDecision } from '../answer-schemas.ts'
import { unparsablePayload } from '../decision-envelope.ts'
import { refuseMerchant } from '../named-merchant.ts'
import type { Refuse } from '../refuse.ts'
import { memberOf } from '../refused-requests.ts'
import { legacyProblemOf, refuseRenamed } from './legacy-refusal.ts'
import { type LegacyDecision, legacyDecisionSchema, parseLegacyDecision } from './parse-legacy-decision.ts'

const latencyOf = (decision: unknown): unknown =>
  typeof decision === 'object' && decision !== null ? Reflect.get(decision, 'latency') : null

/** The answer of the older interface: the decision inside, filters beside it; none run here. */
const wrapped = (reply: RouteReply, { isConsumed }: LegacyDecision): RouteReply => {
  if (reply.status !== 200) return reply
  const { json: _, ...rest } = reply
  const decided = bodyOfReply(reply)
  const decision = { ...Object(decided), gateway_mga_id_map: {}, is_rust_based_decider: isConsumed }
  return { ...rest, body: { decided_gateway: decision, filter_list: [], latency: latencyOf(decided) } }
}

/** Both interfaces have the same names for these. */
const CARD_MEMBERS = ['paymentMethodType', 'paymentMethod', 'cardSwitchProvider', 'cardIsin', 'paymentSource', 'authType']

const renamed = (body: unknown): object => {
  const [detail, card] = [memberOf(body, 'txnDetail'), memberOf(body, 'txnCardInfo')]
  const ofCard = Object.fromEntries(CARD_MEMBERS.map((name) => [name, memberOf(card, name)]))
  const currency = memberOf(detail, 'currency') ?? memberOf(memberOf(body, 'orderReference'), 'currency')
  return { paymentInfo: { ...ofCard, paymentId: memberOf(detail, 'txnUuid'), currency } }
}

/** `POST /decision_gateway` (decide.md 13.1): the older interface of a decision, an adapter onto the newer one. */
export const legacyDecisionRoute = (decide: Route['handle'], states: DecideServiceDependencies['states'], recordRefusal: Refuse): Route => {
  const refuse = refuseRenamed(recordRefusal, renamed)
  return {
    spec: {
      method: 'POST',
      path: '/decision_gateway',
      access: 'protected',
      permission: 'routing:write',
      tenant: false,
      body: 'raw-json',
      hot: false,
      limitedAs: 'hot',
    },
    api: {
      summary: 'Decide, by the older interface',
      body: legacyDecisionSchema,
      answer: legacyDecision,
      refusals: MERCHANT_UNKNOWN_TO_DECISIONS,
    },
    refuse: (refusal, request) => refuse(request, legacyProblemOf(refusal), 'gate'),
    handle: async (request: RouteRequest) => {
      const { value, problem } = parseLegacyDecision(request.body)
      if (problem !== undefined) return refuse(request, unparsablePayload(problem), 'parse')
      const refused = await refuseMerchant(states, request, value.merchantId)
      if (refused !== undefined) return refuse(request, refused, 'gate')
      return wrapped(await decide({ ...request, body: value.decision }), value)
    },
  }
}
