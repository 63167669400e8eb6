import { platformError, type Route, type RouteApi, type RouteReply, type RouteRequest, type RouteSpec } from '@switchyard/http'
import { ID_LENGTH_MAX, isUpTo } from '@switchyard/kernel'
import * as z from 'zod'
import type { Answer, EndpointPlace, WebhookOperations } from '../operations.ts'
import { DEFAULT_PROFILE } from '../reads/list-events.ts'
import { endpoint, rotatedSecret, testDelivery } from './answer-schemas.ts'
import { endpointRequest, parseEndpoint, parseRotation, printEndpoint, rotationRequest } from './endpoint-wire.ts'
import { printExchanged } from './event-wire.ts'
import { merchantOf, originOf } from './events.ts'
import { platformRefusal, positionHeaders, printTime } from './replies.ts'

/** What the routes of endpoints need. */
export interface EndpointRouteDeps {
  readonly operations: WebhookOperations
}

const spec = (method: RouteSpec['method'], path: string, body: RouteSpec['body']): RouteSpec => ({
  method,
  path: `/merchant-account/:merchantId/webhook-endpoint${path}`,
  access: 'protected',
  permission: method === 'GET' ? 'routing:read' : 'routing:write',
  tenant: false,
  merchant: { in: 'path', name: 'merchantId', whenUnknown: 'not-found' },
  body,
  hot: false,
})

const profileQuery = { profile_id: z.string().min(1).max(ID_LENGTH_MAX) }
const UNKNOWN = { 404: 'The merchant, or an endpoint of this profile, is not known' }
const TOO_MANY = { 409: 'The merchant has as much of this as it can have, or others changed it at the same time' }

const configureApi: RouteApi = {
  summary: 'Configure where the events of a profile are delivered to',
  query: profileQuery,
  body: endpointRequest,
  answer: endpoint,
  refusals: TOO_MANY,
}
const readApi: RouteApi = {
  summary: 'The endpoint of a profile, and how it does',
  query: profileQuery,
  answer: endpoint,
  refusals: UNKNOWN,
}
const removeApi: RouteApi = {
  summary: 'Remove the endpoint of a profile',
  query: profileQuery,
  status: 204,
  refusals: { 409: 'Others changed it at the same time' },
}
const rotateApi: RouteApi = {
  summary: 'Replace the secret of an endpoint; the earlier one goes on for a while',
  query: profileQuery,
  body: rotationRequest,
  answer: rotatedSecret,
  refusals: { ...UNKNOWN, ...TOO_MANY, 422: 'The body is JSON of another shape' },
}
const testApi: RouteApi = {
  summary: 'Send a test event to the endpoint, and answer what came of it',
  query: profileQuery,
  answer: testDelivery,
  refusals: {
    ...UNKNOWN,
    429: 'As many test events as there can be, of the merchant or in all, wait for their answer; or the credential has used up what it may ask for',
  },
}

const WRONG_PROFILE = platformError(400, 'TE_03', `profile_id must have 1 to ${ID_LENGTH_MAX} characters`)

/** Runs with the endpoint that path and query name. */
const at =
  (run: (place: EndpointPlace, request: RouteRequest) => Promise<RouteReply>): Route['handle'] =>
  async (request) => {
    const profileId = request.query.get('profile_id') ?? DEFAULT_PROFILE
    if (profileId === '' || !isUpTo(profileId, ID_LENGTH_MAX)) return WRONG_PROFILE
    return await run({ merchantId: merchantOf(request), profileId, origin: originOf(request) }, request)
  }

const reply = <Value>(answer: Answer<Value>, print: (value: Value) => unknown): RouteReply =>
  answer.ok ? { status: 200, body: print(answer.value), headers: positionHeaders('config', answer.position) } : platformRefusal(answer)

/** Configuring, reading, removing and testing endpoints, and rotating their secrets (webhooks.md 9.1). */
export const endpointRoutes = ({ operations }: EndpointRouteDeps): readonly Route[] => [
  {
    spec: spec('PUT', '', 'json'),
    api: configureApi,
    handle: at(async (place, request) => {
      const wish = parseEndpoint(request.body)
      return wish.ok ? reply(await operations.configureEndpoint({ ...place, wish: wish.value }), printEndpoint) : wish.reply
    }),
  },
  { spec: spec('GET', '', 'none'), api: readApi, handle: at(async (place) => reply(await operations.readEndpoint(place), printEndpoint)) },
  {
    spec: spec('DELETE', '', 'none'),
    api: removeApi,
    handle: at(async (place) => {
      const answer = await operations.removeEndpoint(place)
      return answer.ok ? { status: 204, headers: positionHeaders('config', answer.position) } : platformRefusal(answer)
    }),
  },
  {
    spec: spec('POST', '/rotate-secret', 'optional-json'),
    api: rotateApi,
    handle: at(async (place, request) => {
      const wish = parseRotation(request.body)
      if (!wish.ok) return wish.reply
      return reply(await operations.rotateSecret({ ...place, ...wish.value }), ({ secret, previousValidUntil }) => ({
        secret,
        previous_valid_until: printTime(previousValidUntil),
      }))
    }),
  },
  {
    spec: spec('POST', '/test', 'none'),
    api: testApi,
    handle: at(async (place) => reply(await operations.testEndpoint(place), printExchanged)),
  },
]
