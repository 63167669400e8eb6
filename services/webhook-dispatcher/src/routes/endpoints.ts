import { platformError, type Route, type RouteReply, type RouteRequest, type RouteSpec } from '@switchyard/http'
import { ID_LENGTH_MAX } from '@switchyard/kernel'
import type { Answer, EndpointPlace, WebhookOperations } from '../operations.ts'
import { DEFAULT_PROFILE } from '../reads/list-events.ts'
import { parseEndpoint, parseRotation, printEndpoint } from './endpoint-wire.ts'
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

const WRONG_PROFILE = platformError(400, 'TE_03', `profile_id must have 1 to ${ID_LENGTH_MAX} characters`)

/** Runs with the endpoint that path and query name. */
const at =
  (run: (place: EndpointPlace, request: RouteRequest) => Promise<RouteReply>): Route['handle'] =>
  async (request) => {
    const profileId = request.query.get('profile_id') ?? DEFAULT_PROFILE
    if (profileId === '' || profileId.length > ID_LENGTH_MAX) return WRONG_PROFILE
    return await run({ merchantId: merchantOf(request), profileId, origin: originOf(request) }, request)
  }

const reply = <Value>(answer: Answer<Value>, print: (value: Value) => unknown): RouteReply =>
  answer.ok ? { status: 200, body: print(answer.value), headers: positionHeaders('config', answer.position) } : platformRefusal(answer)

/** Configuring, reading, removing and testing endpoints, and rotating their secrets (webhooks.md 9.1). */
export const endpointRoutes = ({ operations }: EndpointRouteDeps): readonly Route[] => [
  {
    spec: spec('PUT', '', 'json'),
    handle: at(async (place, request) => {
      const wish = parseEndpoint(request.body)
      return wish.ok ? reply(await operations.configureEndpoint({ ...place, wish: wish.value }), printEndpoint) : wish.reply
    }),
  },
  { spec: spec('GET', '', 'none'), handle: at(async (place) => reply(await operations.readEndpoint(place), printEndpoint)) },
  {
    spec: spec('DELETE', '', 'none'),
    handle: at(async (place) => {
      const answer = await operations.removeEndpoint(place)
      return answer.ok ? { status: 204, headers: positionHeaders('config', answer.position) } : platformRefusal(answer)
    }),
  },
  {
    spec: spec('POST', '/rotate-secret', 'optional-json'),
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
    handle: at(async (place) => reply(await operations.testEndpoint(place), printExchanged)),
  },
]
