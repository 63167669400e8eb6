import { createServer, type RequestListener, type Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { assert, type NewId, OperatingError } from '@switchyard/kernel'
import { isTakingLong } from '../body/long-uploads.ts'
import { createHotConnections, type HotConnections } from '../hot/hot-connections.ts'
import { createFindHotRoute, type FindHotRoute } from '../hot/hot-routes.ts'
import {
  CLOSE_TIMEOUT_MS,
  CONNECTION_CHECK_INTERVAL_MS,
  CONNECTION_COUNT_MAX,
  HEADER_BYTES_MAX,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
} from '../limits.ts'
import type { Route } from '../route.ts'
import type { ConnectionFate } from './exchange.ts'
import { createExpressApp } from './express-app.ts'
import { createNodeExchange } from './node-exchange.ts'
import { createOpenAnswers, type OpenAnswers } from './open-answers.ts'
import { brokenRuleOf, createAnswerProtocolError, isRequestTimeout, refuseProtocol } from './protocol-errors.ts'
import { createServeRoute, type RouteServerOptions, type ServeRoute } from './serve-route.ts'

/** What a server answers, and how it ends. */
export interface HttpServerOptions extends RouteServerOptions {
  readonly routes: readonly Route[]
  readonly newId: NewId
  /** How long closing waits for running requests, in milliseconds; default {@link CLOSE_TIMEOUT_MS}. */
  readonly closeTimeoutMs?: number
  /** How long a request may take to arrive, in milliseconds; default {@link REQUEST_TIMEOUT_MS}. */
  readonly requestTimeoutMs?: number
  /** Asked for every connection that was accepted: true when another thread has it, and it is none of this server's any more. */
  readonly giveAway?: (socket: Socket) => boolean
}

/** Where a server listens. */
export interface ListeningAddress {
  readonly host: string
  readonly port: number
  /** For example `http://127.0.0.1:8080`. */
  readonly url: string
}

/** The HTTP listener of a process. */
export interface HttpServer {
  /** Port 0 takes a free one. Rejects with `ADDRESS_IN_USE`, or `SETTING_INVALID` when the address is none of this machine's. */
  readonly listen: (port: number, host: string) => Promise<ListeningAddress>
  /** Serves a connection that another thread has accepted or begun, with the bytes that it has read of it; one that comes too late is cut. */
  readonly adopt: (socket: Socket, bytes: Uint8Array) => void
  /** Goes on answering, but ends each connection behind its answer: whoever balances the load finds others meanwhile. */
  readonly drain: () => void
  /**
   * Accepts nothing more, lets running requests finish within a bound, then cuts them. Until `others` has settled it still adopts
   * connections: with each comes a request that another thread has begun to read.
   */
  readonly close: (others?: Promise<unknown>) => Promise<void>
}

/** What the parts of one server share. */
interface Parts {
  readonly options: HttpServerOptions
  readonly findHotRoute: FindHotRoute
  readonly serve: ServeRoute
  readonly connection: () => ConnectionFate
  readonly answers: OpenAnswers
}

/** Hot routes are found by their path as it was sent before Express sees the request; everything else goes through Express. */
const createListener = ({ options, findHotRoute, serve, connection, answers }: Parts): RequestListener => {
  const exchangeOf = createNodeExchange({ ...options, connection })
  const app = createExpressApp({ ...options, serve, exchangeOf, connection })

  return (request, response) => {
    answers.note(response)
    const broken = brokenRuleOf(request)
    if (broken !== undefined) {
      refuseProtocol(request, response, options.newId, broken)
      return
    }
    const hot = request.method === 'POST' ? findHotRoute(request.url ?? '') : undefined
    if (hot === undefined) app(request, response)
    else serve(exchangeOf(hot.route, hot.params, request, response))
  }
}

/** The connections of a server on both sides of node:http. */
interface Connections {
  readonly hot: HotConnections
  /** Makes a connection node:http's. */
  readonly handOver: (socket: Socket, bytes: Uint8Array) => void
}

/** Puts the hot connections in front of node:http, which gets those that are not plain. */
const acceptHotFirst = (server: Server, { options, findHotRoute, serve, connection }: Parts): Connections => {
  const [toNode] = server.listeners('connection')
  assert(toNode !== undefined, 'node:http listens to the connections of its server')
  server.removeAllListeners('connection')
  const handOver = (socket: Socket, bytes: Uint8Array): void => {
    socket.unshift(bytes)
    Reflect.apply(toNode, server, [socket])
    socket.resume()
  }
  const { requestTimeoutMs = REQUEST_TIMEOUT_MS, giveAway } = options
  const hot = createHotConnections({ ...options, requestTimeoutMs, findRoute: findHotRoute, serve, fate: connection, handOver })
  server.on('connection', giveAway === undefined ? hot.accept : (socket: Socket) => void (giveAway(socket) || hot.accept(socket)))
  return { hot, handOver }
}

/** Whoever reads that a place can't be taken looks for the setting that names another. */
const WHERE_IT_IS_SET = 'HOST and PORT say where, for metrics SWITCHYARD_METRICS_PORT instead of PORT'

const listenError = (error: NodeJS.ErrnoException, address: string): unknown => {
  if (error.code === 'EADDRINUSE')
    return new OperatingError('ADDRESS_IN_USE', `something else listens on ${address} already: ${WHERE_IT_IS_SET}`, {
      retryable: false,
      cause: error,
    })
  if (error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new OperatingError('SETTING_INVALID', `cannot listen on ${address} (${error.code}): ${WHERE_IT_IS_SET}`, {
      retryable: false,
      cause: error,
    })
  return error
}

const listen = (server: Server, port: number, host: string): Promise<ListeningAddress> =>
  new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => reject(listenError(error, `${host}:${port}`))
    server.once('error', onError)
    server.listen({ port, host }, () => {
      server.off('error', onError)
      const address = server.address()
      assert(typeof address === 'object' && address !== null, 'a TCP server has an address')
      const shownHost = address.family === 'IPv6' ? `[${address.address}]` : address.address
      resolve({ host: address.address, port: address.port, url: `http://${shownHost}:${address.port}` })
    })
  })

/** Connections that the server did not accept by itself, and so does not wait for by itself. */
interface Adopted {
  readonly adopt: HttpServer['adopt']
  /** From now on they are cut. */
  readonly refuse: () => void
  /** Resolves when all of them are closed. */
  readonly ended: () => Promise<void>
}

const createAdopted = (handOver: Connections['handOver']): Adopted => {
  const adopted = new Set<Socket>()
  let isOver = false
  return {
    adopt: (socket, bytes) => {
      if (isOver) return void socket.destroy()
      adopted.add(socket)
      socket.once('close', () => adopted.delete(socket))
      handOver(socket, bytes)
    },
    refuse: () => {
      isOver = true
    },
    ended: async () => {
      for (const socket of adopted) await new Promise<void>((resolve) => void socket.once('close', () => resolve()))
    },
  }
}

/** How long closing waits, and for whom else. */
interface Closing {
  readonly timeoutMs: number
  readonly answers: OpenAnswers
  readonly others: Promise<unknown>
}

const close = async (server: Server, hotConnections: HotConnections, adopted: Adopted, closing: Closing): Promise<void> => {
  const { timeoutMs, answers, others } = closing
  const cut = setTimeout(() => {
    adopted.refuse()
    server.closeAllConnections()
    hotConnections.cut()
  }, timeoutMs)
  hotConnections.close()
  // node:http takes connections for idle whose answer was made, and cuts them although their clients still read: it hears of the end behind that.
  NetServer.prototype.close.call(server)
  await answers.left()
  // The callback's error only says that the server was not listening.
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
  server.closeIdleConnections()
  await closed
  // Whoever waits for them as well hears of their failure.
  await others.catch(() => {})
  await adopted.ended()
  adopted.refuse()
  clearTimeout(cut)
}

/** One listener for all routes of a process, hot and cold. */
export const createHttpServer = (options: HttpServerOptions): HttpServer => {
  let fate: ConnectionFate = 'keep'
  const { newId, closeTimeoutMs = CLOSE_TIMEOUT_MS, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options
  const parts: Parts = {
    options,
    findHotRoute: createFindHotRoute(options.routes),
    serve: createServeRoute(options),
    connection: () => fate,
    answers: createOpenAnswers(),
  }
  const listener = createListener(parts)
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: Math.min(CONNECTION_CHECK_INTERVAL_MS, requestTimeoutMs),
      requireHostHeader: false,
      insecureHTTPParser: false,
    },
    listener,
  )
  server.maxConnections = CONNECTION_COUNT_MAX
  const { hot, handOver } = acceptHotFirst(server, parts)
  const adopted = createAdopted(handOver)
  server.on('checkContinue', listener)
  server.on('checkExpectation', (request, response) => refuseProtocol(request, response, newId, 'expectation'))
  const answerProtocolError = createAnswerProtocolError({ answers: parts.answers, newId })
  server.on('clientError', (error, socket) => {
    // The time of such a body is bounded where it is read.
    if (!isRequestTimeout(error) || !isTakingLong(socket)) answerProtocolError(error, socket)
  })

  return {
    listen: (port, host) => listen(server, port, host),
    adopt: adopted.adopt,
    drain: () => {
      fate = 'close'
    },
    close: async (others = Promise.resolve()) => {
      fate = 'close'
      await close(server, hot, adopted, { timeoutMs: closeTimeoutMs, answers: parts.answers, others })
    },
  }
}
