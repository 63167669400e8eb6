import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { assert, type NewId } from '@switchyard/kernel'
import express, { type ErrorRequestHandler, type Express, type Request } from 'express'
import { platformError } from '../errors.ts'
import type { Gate } from '../gate/gate.ts'
import type { Route, RouteReply, RouteSpec } from '../route.ts'
import type { ConnectionFate } from './exchange.ts'
import { replyToFailure } from './failures.ts'
import type { HttpLogger } from './logger.ts'
import type { NodeExchange } from './node-exchange.ts'
import { requestIdOf } from './request-id.ts'
import type { HttpTelemetry, ServeRoute } from './serve-route.ts'
import { writeReply } from './write-reply.ts'

export interface ExpressAppOptions {
  readonly routes: readonly Route[]
  readonly gate: Gate
  readonly newId: NewId
  readonly logger: HttpLogger
  readonly serve: ServeRoute
  readonly telemetry?: HttpTelemetry
  readonly exchangeOf: NodeExchange
  readonly connection: () => ConnectionFate
}

const READING_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']
const NOT_FOUND: RouteReply = { status: 404 }

/** Sorts static segments before parameters: `/api-key/create` shadows an id named `create` (platform.md 1.1). */
const specificityOf = (path: string): string =>
  path
    .split('/')
    .map((segment) => (/[:*{]/.test(segment) ? '1' : '0'))
    .join('')

const routesByPath = (routes: readonly Route[]): readonly (readonly [string, readonly Route[]])[] => {
  const byPath = new Map<string, Route[]>()
  for (const route of routes) {
    const { path, method } = route.spec
    const siblings = byPath.get(path) ?? []
    assert(!siblings.some(({ spec }) => spec.method === method), `two routes answer ${method} ${path}`)
    byPath.set(path, [...siblings, route])
  }
  return [...byPath].toSorted(([a], [b]) => (specificityOf(a) < specificityOf(b) ? -1 : 1))
}

const allowedMethodsOf = (siblings: readonly Route[]): string =>
  siblings.flatMap(({ spec: { method } }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(',')

/** 405, but behind the gate on protected paths: who may not come in learns nothing of the methods (platform.md 1.1). */
const refuseMethod = (siblings: readonly Route[], request: IncomingMessage, gate: Gate): RouteReply => {
  const notAllowed: RouteReply = { status: 405, headers: { allow: allowedMethodsOf(siblings) } }
  if (!siblings.some(({ spec }) => spec.access === 'protected')) return notAllowed
  const permission = READING_METHODS.includes(request.method ?? '') ? 'routing:read' : 'routing:write'
  return gate.authenticate({ access: 'protected', permission }, request.headers).refused ?? notAllowed
}

type Restate = NonNullable<Route['restate']>

const AS_IT_IS: Restate = (reply) => reply

/** The envelope of errors that the routes of a path share. */
const restateOf = (siblings: readonly Route[]): Restate => siblings.find(({ restate }) => restate !== undefined)?.restate ?? AS_IT_IS

const firstSegmentOf = (path: string): string => path.split('/', 2)[1] ?? ''

/** The same for a path that no route has, or that can't be decoded, so that Express finds none: by what it begins with. */
const createRestateBelow = (routes: readonly Route[]): ((path: string) => Restate) => {
  const restates = new Map(routes.flatMap(({ spec, restate }) => (restate === undefined ? [] : [[firstSegmentOf(spec.path), restate]])))
  return (path) => restates.get(firstSegmentOf(path)) ?? AS_IT_IS
}

const paramsOf = ({ params }: Request): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))

const METHODS: Readonly<Record<RouteSpec['method'], 'get' | 'post' | 'put' | 'delete'>> = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  DELETE: 'delete',
}

/** Express without anything that answers by itself. */
const createBareExpress = (): Express => {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', false)
  app.set('case sensitive routing', true)
  app.set('strict routing', true)
  return app
}

/** All routes on Express; unknown paths are 404, wrong methods 405 with `Allow`, both without a body or in the envelope of their neighbours. */
export const createExpressApp = (options: ExpressAppOptions): RequestListener => {
  const { routes, gate, newId, logger, serve, telemetry, exchangeOf, connection } = options
  const app = createBareExpress()
  const write = (request: IncomingMessage, response: ServerResponse, reply: RouteReply): void => {
    telemetry?.answered(undefined, reply.status, 0)
    writeReply(response, reply, { requestId: requestIdOf(request.headers['x-request-id'], newId), connection: connection() })
  }

  const byPath = routesByPath(routes)
  for (const [path, siblings] of byPath) {
    const mounted = app.route(path)
    for (const route of siblings)
      mounted[METHODS[route.spec.method]]((request, response) => serve(exchangeOf(route, paramsOf(request), request, response)))
    const restate = restateOf(siblings)
    mounted.all((request, response) => write(request, response, restate(refuseMethod(siblings, request, gate))))
  }
  const restateBelow = createRestateBelow(routes)
  app.use((request, response) => write(request, response, restateBelow(request.path)(NOT_FOUND)))

  // Express tells an error handler by its four parameters.
  const onError: ErrorRequestHandler = (error: unknown, request, response, _next) => {
    if (error instanceof URIError) {
      write(request, response, restateBelow(request.path)(platformError(400, 'TE_03', 'Invalid URL: broken percent-encoding')))
      return
    }
    logger.error({ method: request.method, err: error }, 'request failed before its route')
    write(request, response, replyToFailure(error))
  }
  app.use(onError)
  return app
}
