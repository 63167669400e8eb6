import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

/** A request as a receiver got it. */
interface ReceivedRequest {
  readonly method: string
  readonly path: string
  /** Names and values in turn, in the order and case of the wire. */
  readonly rawHeaders: readonly string[]
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** What a receiver does with its `index`-th request, from 0 on. */
export type Behaviour = (request: ReceivedRequest, response: ServerResponse, index: number) => void

/** A receiver of webhooks on 127.0.0.1. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly requests: readonly ReceivedRequest[]
  /** Connections that were opened so far. */
  readonly connectionCount: () => number
  /** Resolves when so many requests have come. */
  readonly received: (count: number) => Promise<void>
  /** Ends all connections, as a restart would. */
  readonly dropConnections: () => void
  readonly stop: () => Promise<void>
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const receivedFrom = async (request: IncomingMessage): Promise<ReceivedRequest> => ({
  method: request.method ?? '',
  path: request.url ?? '',
  rawHeaders: request.rawHeaders,
  headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')])),
  body: await readBody(request),
})

const listen = async (server: Server): Promise<number> => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** A {@link Receiver} with this behaviour; with TLS when a certificate is given. */
export const startReceiver = async (behaviour: Behaviour, tls?: ServerOptions): Promise<Receiver> => {
  const requests: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  let connectionCount = 0

  const listener: RequestListener = (request, response) => {
    void receivedFrom(request).then(
      (received) => {
        requests.push(received)
        behaviour(received, response, requests.length - 1)
        for (const look of waiting) look()
      },
      // The sender went away in the middle of its request.
      () => response.destroy(),
    )
  }
  const server: Server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.on('connection', (socket: Socket) => {
    connectionCount += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const port = await listen(server)
  const dropConnections = (): void => {
    for (const socket of sockets) socket.destroy()
  }

  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    port,
    requests,
    connectionCount: () => connectionCount,
    received: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (requests.length < count) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    dropConnections,
    stop: async () => {
      server.close()
      dropConnections()
      await once(server, 'close')
    },
  }
}
