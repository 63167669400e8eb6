import type { IncomingHttpHeaders } from 'node:http'
import { assertNever, type Now } from '@switchyard/kernel'
import type { RouteBody } from '../body/route-body.ts'
import { platformError } from '../errors.ts'
import type { Authentication } from '../gate/authentication.ts'
import type { Gate } from '../gate/gate.ts'
import type { RateVerdict, TakeFromRate } from '../gate/rate-limit.ts'
import { ownText } from '../own-text.ts'
import type { Identity, Refusal, Route, RouteReply, RouteRequest } from '../route.ts'
import type { Exchange } from './exchange.ts'
import { replyToFailure, replyToRefusal } from './failures.ts'
import type { HttpLogger } from './logger.ts'
import { type AwaitPosition, createPositionGate, type RefuseUntilPosition } from './position-wait.ts'
import { parseQuery } from './query.ts'
import { correlationOf, requestTraceOf, type TraceSink } from './trace-context.ts'

/** Measures answers, for metrics. */
export interface HttpTelemetry {
  readonly monotonicMs: () => number
  /** `route` is undefined when none was found. */
  readonly answered: (route: Route | undefined, status: number, durationMs: number) => void
}

export interface RouteServerOptions {
  readonly gate: Gate
  readonly now: Now
  readonly logger: HttpLogger
  readonly awaitPosition?: AwaitPosition
  readonly telemetry?: HttpTelemetry
  /** Hears of requests that are part of a trace. */
  readonly traces?: TraceSink
  /** How many requests a credential may send; absent: any number. */
  readonly takeFromRate?: TakeFromRate
}

/** The options, and what the server keeps count of. */
interface Serving extends RouteServerOptions {
  readonly refuseUntilPosition: RefuseUntilPosition
}

/** Takes one request through the gate to its handler and answers it. Never throws. */
export type ServeRoute = (exchange: Exchange) => void

/** An exchange whose headers were looked at. */
interface Admitted {
  readonly exchange: Exchange
  readonly identity: Identity
  readonly query: URLSearchParams
  readonly receivedAt: number
  /** What the answer says of the caller's limit. */
  readonly limitHeaders: RateVerdict['headers'] | undefined
  /** Whether the body was not there with the headers. */
  isBodyLate: boolean
}

const ANONYMOUS: Identity = { kind: 'anonymous' }
const NOT_KNOWN_YET: Authentication = { identity: ANONYMOUS }
const BROKEN_QUERY = platformError(400, 'TE_03', 'Failed to deserialize query string: broken percent-encoding')

const refuse = (route: Route, refusal: Refusal, request: RouteRequest): RouteReply =>
  route.refuse === undefined ? replyToRefusal(refusal) : route.refuse(refusal, request)

/** Routes that check a secret themselves parse their body first (platform.md 1.1, check order). */
const isGuardedFirst = ({ spec: { access } }: Route): boolean => access === 'protected' || access === 'session'

/** What stands before the body: credentials, permission, tenant, identity. */
const authenticateFirst = (route: Route, headers: IncomingHttpHeaders, gate: Gate): Authentication => {
  const authentication = isGuardedFirst(route) ? gate.authenticate(route.spec, headers) : NOT_KNOWN_YET
  if (authentication.refused !== undefined) return authentication
  const refused = (route.spec.tenant ? gate.refuseTenant(headers) : undefined) ?? gate.refuseIdentity(route.spec, authentication.identity)
  return refused === undefined ? authentication : { refused }
}

const handleChecked = (route: Route, request: RouteRequest, gate: Gate): RouteReply | Promise<RouteReply> => {
  const finish = (refusal: Refusal | undefined): RouteReply | Promise<RouteReply> =>
    refusal === undefined ? route.handle(request) : refuse(route, refusal, request)
  const checked = gate.refuseMerchant(route.spec, request)
  return checked instanceof Promise ? checked.then(finish) : finish(checked)
}

/** Who calls is asked once more: the position waited for may be that of the key's revocation, or of a membership. */
const handleAgain = (route: Route, request: RouteRequest, gate: Gate): RouteReply | Promise<RouteReply> => {
  const { refused, identity } = gate.authenticate(route.spec, request.headers)
  return refused ?? handleChecked(route, { ...request, identity }, gate)
}

const handleParsed = (route: Route, request: RouteRequest, { gate, refuseUntilPosition }: Serving): RouteReply | Promise<RouteReply> => {
  const waiting = refuseUntilPosition(route.spec, request.headers)
  return waiting === undefined
    ? handleChecked(route, request, gate)
    : waiting.then((refused) => refused ?? handleAgain(route, request, gate))
}

const requestOf = ({ exchange, query, receivedAt }: Admitted, identity: Identity, body: unknown): RouteRequest => ({
  params: exchange.params,
  query,
  body,
  headers: exchange.headers,
  isHead: exchange.isHead ?? false,
  identity,
  requestId: exchange.requestId,
  receivedAt,
  remoteAddress: exchange.remoteAddress,
})

/**
 * Who calls is found out behind the body where the route says so, and once more where the body came later than its headers: a client
 * may hold it back until the key was revoked, or until the merchant was closed and somebody else has registered its id.
 */
const isAskedBehindBody = ({ exchange: { route }, isBodyLate }: Admitted): boolean => !isGuardedFirst(route) || isBodyLate

/** The answer to a request whose body was read; undefined when its client is gone. */
const answer = (admitted: Admitted, body: RouteBody, serving: Serving): RouteReply | undefined | Promise<RouteReply> => {
  const { route, headers } = admitted.exchange
  switch (body.kind) {
    case 'aborted':
      return undefined
    case 'answered':
      return body.reply
    case 'refused':
      return refuse(route, body.refusal, requestOf(admitted, admitted.identity, undefined))
    case 'value': {
      const late = isAskedBehindBody(admitted) ? serving.gate.authenticate(route.spec, headers) : undefined
      if (late?.refused !== undefined) return late.refused
      return handleParsed(route, requestOf(admitted, late?.identity ?? admitted.identity, body.value), serving)
    }
    default:
      return assertNever(body)
  }
}

/** The answer with what it says of the caller's limit. */
const withLimit = (reply: RouteReply | undefined, { limitHeaders }: Admitted): RouteReply | undefined =>
  reply === undefined || limitHeaders === undefined ? reply : { ...reply, headers: { ...limitHeaders, ...reply.headers } }

/** Sends the answers of exchanges, and what failed to the log. */
const createFinish = ({
  logger,
  telemetry,
}: RouteServerOptions): {
  readonly finish: (exchange: Exchange, reply: RouteReply | undefined) => void
  readonly fail: (exchange: Exchange, error: unknown) => void
} => {
  const send = (exchange: Exchange, made: RouteReply): void => {
    const reply = exchange.route.restate?.(made) ?? made
    exchange.send(reply)?.catch((error: unknown) => report(exchange, reply.status, error))
    telemetry?.answered(exchange.route, reply.status, telemetry.monotonicMs() - exchange.startedMs)
  }
  const report = ({ requestId, route, headers }: Exchange, status: number, err: unknown): void => {
    const { method, path } = route.spec
    logger.error({ requestId, ...correlationOf(headers), method, path, status, err }, 'request failed')
  }
  const fail = (exchange: Exchange, error: unknown): void => {
    const reply = replyToFailure(error, exchange.route.spec.method)
    report(exchange, reply.status, error)
    send(exchange, reply)
  }
  return {
    fail,
    finish: (exchange, reply) => {
      if (reply === undefined) return
      if (reply.cause !== undefined) report(exchange, reply.status, reply.cause)
      try {
        send(exchange, reply)
      } catch (error) {
        fail(exchange, error)
      }
    },
  }
}

/**
 * Serves routes, hot and cold alike. Nothing here is asynchronous by itself: a hot route whose handler answers at once is
 * served without a promise, which saves a tenth of its time.
 */
export const createServeRoute = (options: RouteServerOptions): ServeRoute => {
  const { gate, now, traces, takeFromRate } = options
  const serving: Serving = { ...options, refuseUntilPosition: createPositionGate(options.awaitPosition) }
  const { finish, fail } = createFinish(options)

  const proceed = (admitted: Admitted, body: RouteBody): void => {
    const { exchange } = admitted
    try {
      const reply = answer(admitted, body, serving)
      if (reply instanceof Promise)
        reply.then(
          (late) => finish(exchange, withLimit(late, admitted)),
          (error: unknown) => fail(exchange, error),
        )
      else finish(exchange, withLimit(reply, admitted))
    } catch (error) {
      fail(exchange, error)
    }
  }

  /** A key that is not known here may just have been issued elsewhere. */
  const startRefreshed = async (exchange: Exchange, refresh: () => Promise<void>): Promise<void> => {
    try {
      await refresh()
      admit(exchange, authenticateFirst(exchange.route, exchange.headers, gate))
    } catch (error) {
      fail(exchange, error)
    }
  }

  const start = (exchange: Exchange): void => {
    const trace = traces === undefined ? undefined : requestTraceOf(exchange.headers)
    if (trace !== undefined) traces?.remember(ownText(exchange.requestId), trace)
    const authentication = authenticateFirst(exchange.route, exchange.headers, gate)
    const { refreshCredentials } = gate
    if (authentication.unknown === true && refreshCredentials !== undefined) void startRefreshed(exchange, refreshCredentials)
    else admit(exchange, authentication)
  }

  const admit = (exchange: Exchange, { refused, identity }: Authentication): void => {
    const query = parseQuery(exchange.url)
    if (refused !== undefined) return finish(exchange, refused)
    const verdict = takeFromRate?.(exchange.route.spec, identity)
    if (verdict?.refused !== undefined) return finish(exchange, verdict.refused)
    if (query === undefined) return finish(exchange, BROKEN_QUERY)
    const admitted: Admitted = { exchange, identity, query, receivedAt: now(), limitHeaders: verdict?.headers, isBodyLate: false }
    exchange.readBody((body) => proceed(admitted, body))
    admitted.isBodyLate = true
  }

  return (exchange) => {
    try {
      start(exchange)
    } catch (error) {
      fail(exchange, error)
    }
  }
}
