import { parseBody, platformError, type Route, type RouteApi, type RouteReply, type RouteRequest, type RouteSpec } from '@switchyard/http'
import { assertNever, type Now } from '@switchyard/kernel'
import {
  type DebitRouting,
  type DebitRoutingRejection,
  debitRouting,
  type FeatureFlags,
  type FeatureFlagsRejection,
  featureFlags,
  featureList,
} from '@switchyard/routing'
import type { HandleCommand, StreamStates } from '@switchyard/runtime'
import * as z from 'zod'
import { debitRoutingFlag, features } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import { positionHeaders } from './routing-replies.ts'

/** What the routes of flags need. */
export interface FeatureFlagRouteDependencies {
  readonly handle: HandleCommand
  readonly states: StreamStates
  readonly now: Now
}

const toggleSchema = z.object({ enabled: z.boolean() })

const spec = (method: 'GET' | 'POST', path: string): RouteSpec => ({
  method,
  path,
  access: 'protected',
  permission: method === 'GET' ? 'routing:read' : 'routing:write',
  tenant: false,
  merchant: { in: 'path', name: 'merchantId', whenUnknown: 'not-found' },
  body: method === 'GET' ? 'none' : 'json',
  hot: false,
})

const CHANGED_MEANWHILE: RouteApi['refusals'] = { 409: 'Others changed it at the same time; try again' }

const merchantOf = ({ params }: RouteRequest): string => params['merchantId'] ?? ''

const refusal = (rejection: FeatureFlagsRejection | DebitRoutingRejection | { readonly code: 'CONFLICT' }): RouteReply => {
  switch (rejection.code) {
    case 'MERCHANT_NOT_FOUND':
      return platformError(404, 'TE_04', 'MerchantId not found')
    case 'UNKNOWN_FEATURE':
      return platformError(400, 'TE_04', 'Invalid merchant account configuration')
    case 'CONFLICT':
      return platformError(409, 'TE_04', 'The flags were changed by others at the same time; try again')
    default:
      return assertNever(rejection)
  }
}

const printFeatures = (merchantId: string, state: FeatureFlags): object => ({ merchant_id: merchantId, features: featureList(state) })
const printDebitRouting = (merchantId: string, { enabled }: DebitRouting): object => ({
  merchant_id: merchantId,
  debit_routing_enabled: enabled,
})

const toggleFeatureRoute = ({ handle, now }: FeatureFlagRouteDependencies): Route => ({
  spec: spec('POST', '/merchant-account/:merchantId/features/:feature'),
  api: { summary: 'Switch a feature on or off', body: toggleSchema, answer: features, refusals: CHANGED_MEANWHILE },
  handle: async (request) => {
    const body = parseBody(toggleSchema, request.body)
    if (!body.ok) return body.reply
    const merchantId = merchantOf(request)
    const type = body.value.enabled ? 'EnableFeature' : 'DisableFeature'
    const outcome = await handle(featureFlags, {
      key: merchantId,
      command: { type, merchantId, feature: request.params['feature'] ?? '', at: now() },
      origin: originOf(request),
    })
    if (!outcome.accepted) return refusal(outcome.rejection)
    // The merchant may have been closed in between; then nothing was switched.
    if (!outcome.state.registered) return refusal({ code: 'MERCHANT_NOT_FOUND', merchantId })
    return { status: 200, body: printFeatures(merchantId, outcome.state), headers: positionHeaders(outcome.position) }
  },
})

const toggleDebitRoutingRoute = ({ handle, now }: FeatureFlagRouteDependencies): Route => ({
  spec: spec('POST', '/merchant-account/:merchantId/debit-routing'),
  api: { summary: 'Switch routing by debit networks on or off', body: toggleSchema, answer: debitRoutingFlag, refusals: CHANGED_MEANWHILE },
  handle: async (request) => {
    const body = parseBody(toggleSchema, request.body)
    if (!body.ok) return body.reply
    const merchantId = merchantOf(request)
    const type = body.value.enabled ? 'EnableDebitRouting' : 'DisableDebitRouting'
    const outcome = await handle(debitRouting, {
      key: merchantId,
      command: { type, merchantId, at: now() },
      origin: originOf(request),
    })
    if (!outcome.accepted) return refusal(outcome.rejection)
    // The merchant may have been closed in between; then nothing was switched.
    if (!outcome.state.registered) return refusal({ code: 'MERCHANT_NOT_FOUND', merchantId })
    return { status: 200, body: printDebitRouting(merchantId, outcome.state), headers: positionHeaders(outcome.position) }
  },
})

const readRoute = (path: string, api: RouteApi, states: StreamStates, print: (merchantId: string) => object | undefined): Route => ({
  spec: spec('GET', path),
  api,
  handle: async (request) => {
    const merchantId = merchantOf(request)
    await states.readIndex(merchantId)
    const body = print(merchantId)
    return body === undefined ? refusal({ code: 'MERCHANT_NOT_FOUND', merchantId }) : { status: 200, body }
  },
})

/** Feature flags and the debit-routing flag (platform.md 7). */
export const featureFlagRoutes = (deps: FeatureFlagRouteDependencies): readonly Route[] => [
  readRoute('/merchant-account/:merchantId/features', { summary: 'List all features', answer: features }, deps.states, (merchantId) => {
    const state = deps.states.stateOf(featureFlags, merchantId)
    return state.registered ? printFeatures(merchantId, state) : undefined
  }),
  toggleFeatureRoute(deps),
  readRoute(
    '/merchant-account/:merchantId/debit-routing',
    { summary: 'Whether payments are routed by debit networks', answer: debitRoutingFlag },
    deps.states,
    (merchantId) => {
      const state = deps.states.stateOf(debitRouting, merchantId)
      return state.registered ? printDebitRouting(merchantId, state) : undefined
    },
  ),
  toggleDebitRoutingRoute(deps),
]
