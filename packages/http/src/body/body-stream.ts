import type { IncomingMessage } from 'node:http'
import { assert } from '@switchyard/kernel'
import type { RouteRequest } from '../route.ts'

/** The body of a route with `body: 'stream'`: read as fast as it is asked for, which holds the client back. Once only. */
export interface BodyStream extends AsyncIterable<Uint8Array> {
  /** Whether it ended early because it was larger than the route allows. */
  readonly isCut: () => boolean
}

/** Marks what {@link createBodyStream} made. */
const streams = new WeakSet<object>()

const isBodyStream = (body: unknown): body is BodyStream => typeof body === 'object' && body !== null && streams.has(body)

/** The bytes of a request up to a limit; throws while it is read when the client goes away. */
export const createBodyStream = (request: IncomingMessage, byteCountMax: number): BodyStream => {
  let cut = false
  const read = async function* (): AsyncGenerator<Uint8Array> {
    let byteCount = 0
    // Breaking off must not take the connection along: the answer still goes over it.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      byteCount += chunk.length
      if (byteCount > byteCountMax) {
        cut = true
        return
      }
      yield chunk
    }
  }
  const stream = { isCut: () => cut, [Symbol.asyncIterator]: read }
  streams.add(stream)
  return stream
}

/** The body of a request to a route with `body: 'stream'`. */
export const bodyStreamOf = ({ body }: Pick<RouteRequest, 'body'>): BodyStream => {
  assert(isBodyStream(body), 'the body of this route is a stream')
  return body
}
