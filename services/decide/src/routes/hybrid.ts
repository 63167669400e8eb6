import {
  bodyOfReply,
  MERCHANT_UNKNOWN_TO_DECISIONS,
  mayActFor,
  parseBody,
  platformError,
  type Route,
  type RouteReply,
  type RouteRequest,
  replyToRefusal,
} from '@switchyard/http'
import { CANDIDATE_COUNT_MAX } from '@switchyard/routing'
import * as z from 'zod'
import type { DecideServiceDependencies } from '../dependencies.ts'
import { hybridAnswer } from './answer-schemas.ts'
import { problemReply } from './decision-envelope.ts'
import { type DecisionWire, decisionSchema } from './decision-wire.ts'
import { printConnector } from './evaluate-answer.ts'
import { type EvaluateRequest, evaluateRequestOf } from './evaluate-request.ts'
import { evaluationSchema as rulesSchema } from './evaluation-wire.ts'
import { type Connector, decidedConnector } from './hybrid-connectors.ts'
import { refuseMerchant } from './named-merchant.ts'
import { isName } from './plain-values.ts'

/** What the route works with: the two routes that it joins, and the states that know merchants. */
export interface HybridRouteDependencies {
  readonly evaluate: Route['handle']
  readonly decide: Route['handle']
  readonly states: DecideServiceDependencies['states']
}

interface HybridRequest {
  readonly rules: EvaluateRequest | undefined
  readonly decision: DecisionWire | undefined
}

const schema: z.ZodType<HybridRequest> = z
  .object({ static_routing_request: rulesSchema.nullish(), dynamic_routing_request: decisionSchema.nullish() })
  .transform(({ static_routing_request, dynamic_routing_request }) => ({
    rules: static_routing_request ? evaluateRequestOf(static_routing_request) : undefined,
    decision: dynamic_routing_request ?? undefined,
  }))

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

/** What the rules led to, alone. */
const withoutDecision = (halves: Halves & { readonly fixed: StaticHalf }): RouteReply => {
  const connectors = halves.fixed.connectors ?? halves.fallback
  return connectors === undefined ? halves.fixed.reply : answer(connectors, halves)
}

/** What a decision led to, with or without rules beside it. */
const withDecision = (halves: Halves & { readonly dynamic: RouteReply }): RouteReply => {
  const { dynamic, fallback } = halves
  if (isAnswered(dynamic)) return answer([decidedConnector(bodyOfReply(dynamic), fallback ?? [])], halves)
  return fallback === undefined ? dynamic : answer(fallback, halves)
}

/**
 * The request with the names of the fallback as candidates, if it names none itself. Connectors of rules may have names that no
 * decision takes: one of them must not refuse the others.
 */
const withCandidates = (decision: DecisionWire, fallback: readonly Connector[] | undefined): DecisionWire => {
  if (decision.eligibleGatewayList?.length || fallback === undefined) return decision
  const names = new Set(fallback.map(({ gateway_name }) => gateway_name))
  return { ...decision, eligibleGatewayList: [...names].filter(isName).slice(0, CANDIDATE_COUNT_MAX) }
}

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

  const dynamicHalf = async (
    request: RouteRequest,
    decision: DecisionWire,
    fallback: readonly Connector[] | undefined,
  ): Promise<RouteReply> => {
    const refused = await refuseMerchant(states, request, decision.merchantId)
    return refused === undefined ? decide({ ...request, body: withCandidates(decision, fallback) }) : problemReply(refused)
  }

  /** A merchant that the credential may not act for; whether the one of the decision exists comes first (contract/README.md 13). */
  const foreignMerchant = async (request: RouteRequest, { rules, decision }: HybridRequest): Promise<string | undefined> => {
    const isForeign = (merchantId: string): boolean => !mayActFor(request.identity, merchantId)
    if (rules !== undefined && isForeign(rules.merchantId)) return rules.merchantId
    if (decision === undefined || !isForeign(decision.merchantId)) return undefined
    const refused = await refuseMerchant(states, request, decision.merchantId)
    return refused?.infoCode === 'MERCHANT_FOREIGN' ? decision.merchantId : undefined
  }

  const joined = async (request: RouteRequest, { rules, decision }: HybridRequest): Promise<RouteReply> => {
    const fixed = rules && (await staticHalf(request))
    const fallback = orNone(fixed?.connectors ?? rules?.fallback.map(printConnector) ?? [])
    if (decision !== undefined) return withDecision({ fixed, fallback, dynamic: await dynamicHalf(request, decision, fallback) })
    return fixed === undefined ? NEITHER : withoutDecision({ fixed, fallback })
  }

  return {
    spec: {
      method: 'POST',
      path: '/routing/hybrid',
      access: 'protected',
      permission: 'routing:write',
      tenant: false,
      body: 'json',
      hot: true,
    },
    api: {
      summary: 'Evaluate rules and decide, in one call',
      body: schema,
      answer: hybridAnswer,
      refusesLike: 'decisions',
      refusals: MERCHANT_UNKNOWN_TO_DECISIONS,
    },
    handle: async (request) => {
      const parsed = parseBody(schema, request.body)
      if (!parsed.ok) return parsed.reply
      const merchantId = await foreignMerchant(request, parsed.value)
      return merchantId === undefined ? joined(request, parsed.value) : replyToRefusal({ code: 'MERCHANT_FOREIGN', merchantId })
    },
  }
}
