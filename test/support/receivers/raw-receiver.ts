import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A server on 127.0.0.1 that speaks bytes, not HTTP. */
export interface RawReceiver {
  readonly url: string
  readonly port: number
  readonly connectionCount: () => number
  readonly stop: () => Promise<void>
}

/** Does this with each connection as soon as bytes of a request have come. */
export const startRawReceiver = async (behaviour: (socket: Socket) => void): Promise<RawReceiver> => {
  const sockets = new Set<Socket>()
  let connectionCount = 0
  const server = createServer((socket) => {
    connectionCount += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.once('data', () => behaviour(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    connectionCount: () => connectionCount,
    stop: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
