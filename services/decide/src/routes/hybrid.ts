import {
  bodyOfReply,
  mayActFor,
  parseBody,
  platformError,
  type Route,
  type RouteReply,
  type RouteRequest,
  replyToRefusal,
} from '@switchyard/http'
import { CANDIDATE_COUNT_MAX } from '@switchyard/routing'
import { z } from 'zod'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { problemReply } from './decision-envelope.ts'
import { type DecisionWire, decisionSchema } from './decision-wire.ts'
import { printConnector } from './evaluate-answer.ts'
import { type EvaluateRequest, evaluateRequestSchema } from './evaluate-request.ts'
import { type Connector, decidedConnector } from './hybrid-connectors.ts'
import { refuseMerchant } from './named-merchant.ts'

/** What the route works with: the two routes that it joins, and the states that know merchants. */
export interface HybridRouteDependencies {
  readonly evaluate: Route['handle']
  readonly decide: Route['handle']
  readonly states: DecideServiceDependencies['states']
}

interface HybridRequest {
  readonly static_routing_request?: EvaluateRequest | null | undefined
  readonly dynamic_routing_request?: DecisionWire | null | undefined
}

const schema: z.ZodType<HybridRequest> = z.object({
  static_routing_request: evaluateRequestSchema.nullish(),
  dynamic_routing_request: decisionSchema.nullish(),
})

/** What is read of the answer of an evaluation. */
const evaluationSchema = z.object({
  evaluated_output: z.array(z.object({ gateway_name: z.string(), gateway_id: z.string().nullable() })),
})

const NEITHER = platformError(
  400,
  'TE_04',
  'Invalid request received : At least one of static_routing_request or dynamic_routing_request must be provided.',
)

const isAnswered = ({ status }: RouteReply): boolean => status === 200
const orNone = <Item>(items: readonly Item[]): readonly Item[] | undefined => (items.length === 0 ? undefined : items)

/** The half of the rules. */
interface StaticHalf {
  readonly reply: RouteReply
  /** Absent when the evaluation failed. */
  readonly connectors?: readonly Connector[]
}

/** What the halves led to; absent what was not asked for. */
interface Halves {
  readonly fixed?: StaticHalf | undefined
  readonly dynamic?: RouteReply | undefined
  /** What is left when the decision fails, and what it chooses from when it names no candidates. */
  readonly fallback?: readonly Connector[] | undefined
}

const answer = (connectors: readonly Connector[], { fixed, dynamic, fallback }: Halves): RouteReply => ({
  status: 200,
  body: {
    evaluated_connectors: connectors,
    ...(fixed?.connectors && { static_routing: bodyOfReply(fixed.reply) }),
    ...(dynamic && {
      dynamic_routing: isAnswered(dynamic)
        ? { status: 'success', decision: bodyOfReply(dynamic), fallback_connectors: null }
        : { status: 'fallback', decision: null, fallback_connectors: fallback },
    }),
  },
})

/** The table of rules.md 9. */
const joined = (halves: Halves): RouteReply => {
  const { fixed, dynamic, fallback } = halves
  if (dynamic !== undefined && isAnswered(dynamic)) return answer([decidedConnector(bodyOfReply(dynamic), fallback ?? [])], halves)
  if (dynamic !== undefined) return fallback === undefined ? dynamic : answer(fallback, halves)
  if (fixed?.connectors !== undefined) return answer(fixed.connectors, halves)
  return fallback === undefined ? (fixed?.reply ?? NEITHER) : answer(fallback, halves)
}

/** The request with the names of the fallback as candidates, if it names none itself. */
const withCandidates = (decision: DecisionWire, fallback: readonly Connector[] | undefined): DecisionWire => {
  if (decision.eligibleGatewayList?.length || fallback === undefined) return decision
  const names = new Set(fallback.map(({ gateway_name }) => gateway_name))
  return { ...decision, eligibleGatewayList: [...names].slice(0, CANDIDATE_COUNT_MAX) }
}

const foreign = (merchantId: string): RouteReply => replyToRefusal({ code: 'MERCHANT_FOREIGN', merchantId })

/**
 * `POST /routing/hybrid` (rules.md 9): rules and a decision in one call, each recorded as if it had been called alone. The
 * connectors of the rules are the candidates of a decision that names none, and what is left when it fails.
 */
export const hybridRoute = ({ evaluate, decide, states }: HybridRouteDependencies): Route => {
  const staticHalf = async (request: RouteRequest): Promise<StaticHalf> => {
    const body: unknown = Reflect.get(Object(request.body), 'static_routing_request')
    const reply = await evaluate({ ...request, body })
    return isAnswered(reply) ? { reply, connectors: evaluationSchema.parse(bodyOfReply(reply)).evaluated_output } : { reply }
  }

  const answerBoth = async (
    request: RouteRequest,
    rules: EvaluateRequest | null | undefined,
    decision: DecisionWire | null | undefined,
  ) => {
    const unknown = decision ? await refuseMerchant(states, request, decision.merchantId) : undefined
    if (unknown?.infoCode === 'MERCHANT_FOREIGN') return foreign(decision?.merchantId ?? '')
    const fixed = rules ? await staticHalf(request) : undefined
    const fallback = orNone(fixed?.connectors ?? rules?.fallback.map(printConnector) ?? [])
    if (!decision) return joined({ fixed, fallback })
    const dynamic = unknown === undefined ? await decide({ ...request, body: withCandidates(decision, fallback) }) : problemReply(unknown)
    return joined({ fixed, dynamic, fallback })
  }

  return {
    spec: {
      method: 'POST',
      path: '/routing/hybrid',
      access: 'protected',
      permission: 'routing:read',
      tenant: false,
      body: 'json',
      hot: true,
    },
    handle: (request) => {
      const parsed = parseBody(schema, request.body)
      if (!parsed.ok) return parsed.reply
      const { static_routing_request: rules, dynamic_routing_request: decision } = parsed.value
      if (!rules && !decision) return NEITHER
      if (rules && !mayActFor(request.identity, rules.merchantId)) return foreign(rules.merchantId)
      return answerBoth(request, rules, decision)
    },
  }
}
