import type { Socket } from 'node:net'
import type { NewId } from '@switchyard/kernel'
import { CLOSE_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '../limits.ts'
import type { Route } from '../route.ts'
import type { ConnectionFate } from '../server/exchange.ts'
import { createServeRoute, type RouteServerOptions } from '../server/serve-route.ts'
import { createHotConnections } from './hot-connections.ts'
import { createFindHotRoute } from './hot-routes.ts'

/** What a {@link HotServer} answers, and who answers the rest. */
export interface HotServerOptions extends RouteServerOptions {
  /** Only the hot ones of them are served. */
  readonly routes: readonly Route[]
  readonly newId: NewId
  /**
   * Takes a connection that sends anything but plain requests to hot routes, paused, with the bytes of it that nobody has read
   * yet. What is still to be written of earlier answers, it has to wait for.
   */
  readonly passOn: (socket: Socket, bytes: Buffer) => void
  /** How long closing waits for running requests, in milliseconds; default {@link CLOSE_TIMEOUT_MS}. */
  readonly closeTimeoutMs?: number
}

/** Serves connections that somebody else has accepted, as the HTTP server of a process does while they send nothing but hot requests. */
export interface HotServer {
  readonly accept: (socket: Socket) => void
  /** Goes on answering, but ends each connection behind its answer. */
  readonly drain: () => void
  /** Takes nothing more, lets running requests finish within a bound, then cuts them. */
  readonly close: () => Promise<void>
}

/** A {@link HotServer} over the hot ones of the routes. */
export const createHotServer = (options: HotServerOptions): HotServer => {
  const { routes, passOn, closeTimeoutMs = CLOSE_TIMEOUT_MS } = options
  const sockets = new Set<Socket>()
  let fate: ConnectionFate = 'keep'
  let isClosing = false
  let ended = (): void => {}
  const connections = createHotConnections({
    ...options,
    findRoute: createFindHotRoute(routes),
    serve: createServeRoute(options),
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    fate: () => fate,
    handOver: passOn,
  })

  const drain = (): void => {
    fate = 'close'
  }
  const close = async (): Promise<void> => {
    isClosing = true
    drain()
    connections.close()
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, closeTimeoutMs)
    if (sockets.size > 0) await new Promise<void>((resolve) => (ended = resolve))
    clearTimeout(cut)
  }

  return {
    drain,
    close,
    accept: (socket) => {
      if (isClosing) return void socket.destroy()
      sockets.add(socket)
      socket.once('close', () => {
        sockets.delete(socket)
        if (sockets.size === 0) ended()
      })
      connections.accept(socket)
    },
  }
}
