import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Stands between a client and a server, and takes the server away. */
export interface TcpProxy {
  readonly port: number
  /** Ends all connections and takes no new ones. */
  readonly takeAway: () => void
  readonly bringBack: () => void
  /** The answer to the next request that holds these bytes is lost, and its connection with it; resolves when it happened. */
  readonly loseAnswerTo: (bytes: string) => Promise<void>
  readonly close: () => Promise<void>
}

export const startTcpProxy = async (host: string, port: number): Promise<TcpProxy> => {
  const sockets = new Set<Socket>()
  let isAway = false
  let unlucky: { readonly bytes: string; readonly lost: () => void } | undefined

  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    return socket
  }

  const join = (client: Socket): void => {
    const server = keep(connect(port, host))
    let answerIsLost: (() => void) | undefined
    const end = (): void => {
      client.destroy()
      server.destroy()
    }
    client.on('data', (data) => {
      if (unlucky !== undefined && data.includes(unlucky.bytes)) {
        answerIsLost = unlucky.lost
        unlucky = undefined
      }
      server.write(data)
    })
    server.on('data', (data) => {
      if (answerIsLost === undefined) return void client.write(data)
      answerIsLost()
      end()
    })
    client.once('close', end)
    server.once('close', end)
  }

  const proxy = createServer((client) => {
    if (isAway) client.destroy()
    else join(keep(client))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }

  return {
    port: (proxy.address() as AddressInfo).port,
    takeAway: () => {
      isAway = true
      endAll()
    },
    bringBack: () => {
      isAway = false
    },
    loseAnswerTo: (bytes) =>
      new Promise((resolve) => {
        unlucky = { bytes, lost: resolve }
      }),
    close: async () => {
      endAll()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
