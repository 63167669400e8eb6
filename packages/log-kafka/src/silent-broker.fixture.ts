import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { KafkaLogOptions } from './options.ts'

/** A broker that takes connections and answers nothing, as one that a network has swallowed. */
export interface SilentBroker {
  /** Of a log on it. */
  readonly options: KafkaLogOptions
  /** Resolves when somebody has asked it something. */
  readonly asked: Promise<void>
  readonly close: () => void
}

/** {@link SilentBroker} on a free port. */
export const openSilentBroker = async (): Promise<SilentBroker> => {
  const sockets = new Set<Socket>()
  let tellAsked = (): void => {}
  const asked = new Promise<void>((resolve) => {
    tellAsked = resolve
  })
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', () => tellAsked())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    options: { brokers: [`127.0.0.1:${port}`], clientId: 'test', topicPrefix: 't', partitionCount: 1, replicationFactor: 1 },
    asked,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
