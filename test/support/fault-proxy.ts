import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** What a {@link FaultProxy} does with what comes through it. */
export type ProxyMode =
  | 'pass'
  /** Breaks every connection, at once and when it comes. */
  | 'refuse'
  /** Keeps back what clients send until the mode changes. */
  | 'hold'
  /** The connections of now are silent for ever; new ones are as ever. */
  | 'freeze'
  /** Answers are lost, from the first request on that `isWrite` names. */
  | 'swallow'

/** A TCP proxy on 127.0.0.1 before one server, for the faults of networks. */
export interface FaultProxy {
  readonly port: number
  readonly set: (mode: ProxyMode) => void
  readonly close: () => Promise<void>
}

/** {@link FaultProxy} before this address, on a free port. */
export const openFaultProxy = async (
  target: { readonly host: string; readonly port: number },
  isWrite: (request: Buffer) => boolean,
): Promise<FaultProxy> => {
  const links = new Set<{ readonly client: Socket; readonly server: Socket }>()
  let mode: ProxyMode = 'pass'

  const freeze = ({ client, server }: { readonly client: Socket; readonly server: Socket }): void => {
    for (const socket of [client, server]) socket.removeAllListeners('data').pause()
  }

  const apply = ({ client, server }: { readonly client: Socket; readonly server: Socket }): void => {
    if (mode === 'refuse') {
      client.destroy()
      server.destroy()
    }
    if (mode === 'hold') client.pause()
    else client.resume()
  }

  const listener = createServer((client) => {
    const server = connect(target)
    const link = { client, server }
    const end = (): void => {
      links.delete(link)
      client.destroy()
      server.destroy()
    }
    links.add(link)
    for (const socket of [client, server]) socket.on('error', end).on('close', end)
    let isMute = false
    client.on('data', (chunk) => {
      isMute ||= mode === 'swallow' && isWrite(chunk)
      server.write(chunk)
    })
    server.on('data', (chunk) => {
      if (!isMute) client.write(chunk)
    })
    apply(link)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    set: (next) => {
      mode = next
      for (const link of links) {
        if (next === 'freeze') freeze(link)
        else apply(link)
      }
    },
    close: async () => {
      listener.close()
      for (const { client, server } of links) {
        client.destroy()
        server.destroy()
      }
      await once(listener, 'close')
    },
  }
}
