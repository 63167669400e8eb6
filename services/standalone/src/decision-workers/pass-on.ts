import type { Socket } from 'node:net'
import type { MessagePort } from 'node:worker_threads'
import { type HotServerOptions, REPLY_SILENCE_MAX_MS } from '@switchyard/http'
import type { Descriptors } from './descriptors.ts'
import type { ReturnedConnection } from './worker-methods.ts'

/** All that was read of the connection and belongs to nobody yet. A copy: a view into a larger buffer would be sent with all of it. */
const unreadOf = (socket: Socket, bytes: Buffer): Uint8Array => {
  const later: unknown = socket.read()
  return new Uint8Array(later instanceof Buffer ? Buffer.concat([bytes, later]) : bytes)
}

/**
 * Gives connections back to the main thread for good, each one when all earlier answers are on their way; cuts one whose client reads
 * nothing of them for `silenceMaxMs`.
 */
export const createPassOn =
  (
    { release }: Pick<Descriptors, 'release'>,
    connections: Pick<MessagePort, 'postMessage'>,
    silenceMaxMs: number = REPLY_SILENCE_MAX_MS,
  ): HotServerOptions['passOn'] =>
  (socket, bytes) => {
    const pass = (): void => {
      const unread = unreadOf(socket, bytes)
      const descriptor = release(socket)
      if (descriptor === undefined) return void socket.destroy()
      const returned: ReturnedConnection = { descriptor, bytes: unread }
      connections.postMessage(returned)
    }
    if (socket.writableLength === 0) return pass()
    const fail = (): void => void socket.destroy()
    socket.once('error', fail)
    socket.setTimeout(silenceMaxMs, fail)
    socket.write('', (error) => (error instanceof Error ? fail() : pass()))
  }
