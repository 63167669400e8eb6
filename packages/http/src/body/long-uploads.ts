import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { LONG_UPLOAD_MAX_MS, LONG_UPLOAD_SILENCE_MAX_MS } from '../limits.ts'

const taking = new WeakSet<Duplex>()

/** Whether the connection carries a body that may take longer than requests usually may. */
export const isTakingLong = (socket: Duplex): boolean => taking.has(socket)

/** Lets the body of this request take as long as it comes in, up to a bound of its own; a client that falls silent is cut off. */
export const takeLong = (request: IncomingMessage): void => {
  const { socket } = request
  let checksLeft = Math.ceil(LONG_UPLOAD_MAX_MS / LONG_UPLOAD_SILENCE_MAX_MS)
  let byteCount = socket.bytesRead
  const check = setInterval(() => {
    checksLeft -= 1
    if (socket.bytesRead === byteCount || checksLeft <= 0) request.destroy()
    byteCount = socket.bytesRead
  }, LONG_UPLOAD_SILENCE_MAX_MS)
  check.unref()
  const end = (): void => {
    clearInterval(check)
    taking.delete(socket)
  }
  taking.add(socket)
  request.once('end', end)
  request.once('close', end)
}
