import {
  actorOf,
  type Route,
  type RouteApi,
  type RouteReply,
  type RouteRequest,
  type RouteSpec,
  requestTraceOf,
  wholeNumberOf,
} from '@switchyard/http'
import type { Now } from '@switchyard/kernel'
import { LIST_LIMIT_MAX } from '@switchyard/webhooks'
import * as z from 'zod'
import type { Answer, Origin, WebhookOperations } from '../operations.ts'
import { eventDetail, eventDetails, eventList } from './answer-schemas.ts'
import { listBodyOfQuery, listQuery, listRequest, parseEventList } from './event-list-request.ts'
import { printDetail, printRow } from './event-wire.ts'
import { idempotencyKeyOf } from './idempotency-key.ts'
import { eventsError, eventsRefusal, positionHeaders, refuseEvents, restateEvents } from './replies.ts'

/** What the routes of events need. */
export interface EventRouteDeps {
  readonly operations: WebhookOperations
  readonly now: Now
}

/** Who asks. */
export const originOf = ({ identity, requestId, headers }: RouteRequest): Origin => ({
  actor: actorOf(identity),
  requestId,
  trace: requestTraceOf(headers),
})

/** The merchant that the path names. */
export const merchantOf = ({ params }: RouteRequest): string => params['merchantId'] ?? ''

/** Method, path below the merchant, and body of a row. */
type EventsPlace = readonly [method: 'GET' | 'POST', path: string, body: RouteSpec['body']]

/** A row under `/events`, with its own envelope. */
export const eventsRoute = ([method, path, body]: EventsPlace, api: RouteApi, handle: Route['handle']): Route => ({
  spec: {
    method,
    path: `/events/:merchantId${path}`,
    access: 'protected',
    permission: method === 'GET' || path === '' ? 'routing:read' : 'routing:write',
    tenant: false,
    merchant: { in: 'path', name: 'merchantId', whenUnknown: 'not-found' },
    body,
    hot: false,
  },
  api,
  handle,
  refuse: refuseEvents,
  restate: restateEvents,
})

/** An answer of `/events`. */
export const eventsReply = <Value>(answer: Answer<Value>, print: (value: Value) => unknown, status = 200): RouteReply =>
  answer.ok ? { status, body: print(answer.value), headers: positionHeaders('webhooks', answer.position) } : eventsRefusal(answer)

const list = async ({ operations, now }: EventRouteDeps, merchantId: string, sent: unknown): Promise<RouteReply> => {
  const parsed = parseEventList(merchantId, sent, now())
  if (!parsed.ok) return parsed.reply
  return eventsReply(await operations.list(parsed.filter), ({ rows, totalCount, isComplete }) => ({
    events: rows.map(printRow),
    total_count: totalCount,
    ...(!isComplete && { total_count_is_minimum: true }),
  }))
}

const MAY_NOT_READ = eventsError(403, 'IR_22', 'This session does not have routing:read')

/** The merchant of a token; the path names none. A profile-level token is of one merchant scope, and what that has is its own. */
const listOfToken = async (deps: EventRouteDeps, request: RouteRequest): Promise<RouteReply> => {
  const { identity, body } = request
  // The gate asks sessions for permissions only where an API key would do as well.
  if (identity.kind === 'user' && !identity.permissions.includes('routing:read')) return MAY_NOT_READ
  const merchantId = identity.kind === 'user' ? identity.merchantId : ''
  return merchantId === '' ? eventsRefusal({ ok: false, refusal: 'MERCHANT_NOT_FOUND' }) : await list(deps, merchantId, body)
}

const attempts = async ({ operations }: EventRouteDeps, request: RouteRequest): Promise<RouteReply> => {
  const limit = wholeNumberOf(request.query, 'limit', LIST_LIMIT_MAX)
  const offset = wholeNumberOf(request.query, 'offset', 0)
  if (limit === undefined || offset === undefined || limit > LIST_LIMIT_MAX)
    return eventsError(422, 'IR_06', `limit (at most ${LIST_LIMIT_MAX}) and offset must be whole numbers`)
  const place = { merchantId: merchantOf(request), eventId: request.params['eventId'] ?? '', limit, offset }
  return eventsReply(await operations.attempts(place), (details) => details.map(printDetail))
}

const retry = async ({ operations }: EventRouteDeps, request: RouteRequest): Promise<RouteReply> => {
  const idempotencyKey = idempotencyKeyOf(request)
  if (idempotencyKey === undefined) return eventsError(400, 'IR_06', 'Idempotency-Key must be 1 to 128 visible ASCII characters')
  const place = { merchantId: merchantOf(request), eventId: request.params['eventId'] ?? '' }
  return eventsReply(await operations.retry({ ...place, idempotencyKey, origin: originOf(request) }), printDetail)
}

const UNKNOWN_EVENT = { 404: 'The merchant or the event is not known' }
const WRONG_FILTER = { 422: 'The filter asks for what can not be listed' }

const listApi = (taken: Pick<RouteApi, 'body' | 'query'>): RouteApi => ({
  summary: 'List the events of a merchant, newest first',
  ...taken,
  answer: eventList,
  refusals: WRONG_FILTER,
})
const retrieveApi: RouteApi = { summary: 'One delivery attempt of an event, by its own id', answer: eventDetail, refusals: UNKNOWN_EVENT }
const attemptsApi: RouteApi = {
  summary: 'Every delivery attempt of an event',
  query: { limit: z.int().min(0).max(LIST_LIMIT_MAX), offset: z.int().min(0) },
  answer: eventDetails,
  refusals: { ...UNKNOWN_EVENT, 422: 'limit or offset is no whole number in its range' },
}
const retryApi: RouteApi = {
  summary: 'Deliver an event again now, and answer what came of it',
  headers: { 'idempotency-key': z.string() },
  answer: eventDetail,
  refusals: { ...UNKNOWN_EVENT, 409: 'A retry of this event is under way, or it has had all its attempts' },
}

const WRONG_FILTER_OR_PROFILE: Readonly<Record<number, string>> = { ...WRONG_FILTER, 404: 'The merchant has no such profile' }

/** Listing, reading and retrying events (webhooks.md 3). */
export const eventRoutes = (deps: EventRouteDeps): readonly Route[] => [
  eventsRoute(['POST', '', 'optional-json'], listApi({ body: listRequest }), (request) => list(deps, merchantOf(request), request.body)),
  eventsRoute(['GET', '', 'none'], listApi({ query: listQuery }), (request) =>
    list(deps, merchantOf(request), listBodyOfQuery(request.query)),
  ),
  {
    spec: {
      method: 'POST',
      path: '/events/profile/list',
      access: 'session',
      permission: 'routing:read',
      tenant: false,
      body: 'optional-json',
      hot: false,
    },
    api: {
      ...listApi({ body: listRequest }),
      summary: "List the events of the token's merchant, newest first",
      refusals: WRONG_FILTER_OR_PROFILE,
    },
    handle: (request) => listOfToken(deps, request),
    refuse: refuseEvents,
    restate: restateEvents,
  },
  eventsRoute(['GET', '/:eventId', 'none'], retrieveApi, async (request) =>
    eventsReply(await deps.operations.retrieve({ merchantId: merchantOf(request), eventId: request.params['eventId'] ?? '' }), printDetail),
  ),
  eventsRoute(['GET', '/:eventId/attempts', 'none'], attemptsApi, (request) => attempts(deps, request)),
  eventsRoute(['POST', '/:eventId/retry', 'none'], retryApi, (request) => retry(deps, request)),
]
