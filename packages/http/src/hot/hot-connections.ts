import type { Socket } from 'node:net'
import type { NewId, Now } from '@switchyard/kernel'
import { PLAIN_REQUEST_BYTES_MAX, PLAIN_REQUEST_TIMEOUT_MS } from '../limits.ts'
import type { ConnectionFate } from '../server/exchange.ts'
import { requestIdOf } from '../server/request-id.ts'
import type { HttpTelemetry, ServeRoute } from '../server/serve-route.ts'
import { createAnswerText } from './answer-text.ts'
import { HotConnection, type HotContext } from './hot-connection.ts'
import type { FindHotRoute } from './hot-routes.ts'
import { createPlainRequestReader } from './plain-request.ts'

/** What {@link createHotConnections} needs. */
export interface HotConnectionsDependencies {
  readonly findRoute: FindHotRoute
  readonly serve: ServeRoute
  readonly newId: NewId
  readonly now: Now
  readonly telemetry?: HttpTelemetry
  readonly fate: () => ConnectionFate
  /** Takes a connection that sends something else, paused, with the bytes of it that nobody has read yet. */
  readonly handOver: (socket: Socket, bytes: Buffer) => void
  /** How long a request may take to arrive, in milliseconds. */
  readonly requestTimeoutMs: number
}

/** The connections of a server that have sent nothing but plain requests to hot routes so far. */
export interface HotConnections {
  readonly accept: (socket: Socket) => void
  /** Ends those that are idle, and the others behind their answers. */
  readonly close: () => void
  readonly cut: () => void
}

export const createHotConnections = (dependencies: HotConnectionsDependencies): HotConnections => {
  const { findRoute, serve, newId, now, telemetry, fate, handOver, requestTimeoutMs } = dependencies
  const connections = new Set<HotConnection>()
  const context: HotContext = {
    findRoute,
    readPlainRequest: createPlainRequestReader((path) => findRoute(path) !== undefined, PLAIN_REQUEST_BYTES_MAX),
    serve,
    requestIdOf: (inbound) => requestIdOf(inbound, newId),
    monotonicMs: telemetry?.monotonicMs ?? (() => 0),
    answerText: createAnswerText(now),
    fate,
    handOver,
    ended: (connection) => connections.delete(connection),
    restTimeoutMs: Math.min(PLAIN_REQUEST_TIMEOUT_MS, requestTimeoutMs),
  }
  return {
    accept: (socket) => {
      connections.add(new HotConnection(socket, context))
    },
    close: () => {
      for (const connection of connections) connection.close()
    },
    cut: () => {
      for (const connection of connections) connection.cut()
    },
  }
}
