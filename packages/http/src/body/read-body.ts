import type { IncomingMessage, ServerResponse } from 'node:http'
import { createCollectedBytes } from '@switchyard/kernel'
import { DISCARDED_BODY_BYTES_MAX } from '../limits.ts'
import type { BodyRoom } from './body-room.ts'

/** The bytes of a body, or why there are none. `too-many`: of others at the same time. `aborted`: nobody is left to answer. */
export type ReadBody = Buffer | 'too-large' | 'too-many' | 'aborted'

/** What the request says of the length of its body, in bytes; 0 when it says nothing. */
export const declaredLength = (request: IncomingMessage): number => Number(request.headers['content-length'] ?? 0)

/** Whether the request announces a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0')

/**
 * Reads what is left of a body and throws it away, so that the client is not cut off while it still sends and gets to
 * read its answer; cuts the connection when there is too much of it. The server's request timeout bounds the time.
 */
export const discardBody = (request: IncomingMessage): void => {
  let byteCount = 0
  request.on('data', (chunk: Buffer) => {
    byteCount += chunk.length
    if (byteCount > DISCARDED_BODY_BYTES_MAX) request.socket.destroy()
  })
  request.resume()
}

const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** What a body may take. */
interface BodyBounds {
  readonly byteCountMax: number
  /** Shared with others that come at the same time. */
  readonly room: BodyRoom
}

/** Collects a body within its bounds and hands it to `done`, exactly once. */
export const readBody = (request: IncomingMessage, { byteCountMax, room }: BodyBounds, done: (body: ReadBody) => void): void => {
  const place = room.enter()
  const collected = createCollectedBytes(byteCountMax)
  let byteCount = 0
  let settled = false
  const settle = (body: ReadBody): void => {
    if (settled) return
    settled = true
    place.leave()
    done(body)
  }
  request.on('data', (chunk: Buffer) => {
    if (settled) return
    byteCount += chunk.length
    if (byteCount > byteCountMax) settle('too-large')
    else if (place.grow(byteCount)) collected.add(chunk)
    else settle('too-many')
  })
  request.on('end', () => settle(asBuffer(collected.bytes())))
  request.on('close', () => settle('aborted'))
}

/** Lets a client that asked with `Expect: 100-continue` send its body. */
export const continueIfExpected = (request: IncomingMessage, response: ServerResponse): void => {
  if (request.headers.expect !== undefined) response.writeContinue()
}
