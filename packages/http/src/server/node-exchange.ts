import type { IncomingMessage, ServerResponse } from 'node:http'
import type { NewId } from '@switchyard/kernel'
import { discardBody, hasBody } from '../body/read-body.ts'
import { readRouteBody } from '../body/route-body.ts'
import type { Route } from '../route.ts'
import type { ConnectionFate, Exchange, Params } from './exchange.ts'
import { requestIdOf } from './request-id.ts'
import type { HttpTelemetry } from './serve-route.ts'
import { streamReply } from './stream-reply.ts'
import { writeReply } from './write-reply.ts'

/** What {@link createNodeExchange} needs. */
export interface NodeExchangeDependencies {
  readonly newId: NewId
  readonly telemetry?: HttpTelemetry
  /** Whether connections are still kept. */
  readonly connection: () => ConnectionFate
}

/** Makes an exchange of what node:http gives. */
export type NodeExchange = (route: Route, params: Params, request: IncomingMessage, response: ServerResponse) => Exchange

/** The exchanges of a server that go through node:http. */
export const createNodeExchange =
  ({ newId, telemetry, connection }: NodeExchangeDependencies): NodeExchange =>
  (route, params, request, response) => {
    const requestId = requestIdOf(request.headers['x-request-id'], newId)
    const discardRest = (): void => {
      if (!request.complete && hasBody(request)) discardBody(request)
    }
    return {
      route,
      params,
      url: request.url ?? '',
      headers: request.headers,
      isHead: request.method === 'HEAD',
      requestId,
      remoteAddress: () => request.socket.remoteAddress ?? '',
      startedMs: telemetry?.monotonicMs() ?? 0,
      readBody: (take) => readRouteBody(route.spec, request, response, take),
      send: (reply) => {
        const context = { requestId, connection: connection() }
        const { pieces } = reply
        if (pieces !== undefined) return streamReply(response, { ...reply, pieces }, context).then(discardRest)
        writeReply(response, reply, context)
        discardRest()
        return undefined
      },
    }
  }
