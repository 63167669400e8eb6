import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { STREAMED_REPLY_BUFFER_BYTES_MAX } from '../limits.ts'
import type { RouteReply } from '../route.ts'
import { type ReplyContext, writeReplyHead } from './write-reply.ts'

/** Waits until the client has read, or is gone. */
const untilRead = async (response: ServerResponse): Promise<void> => {
  const settled = new AbortController()
  const { signal } = settled
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    settled.abort()
  }
}

/**
 * Sends an answer piece by piece as it comes about. A client may send all of its request before it reads: so much of the
 * answer waits in memory, then the pieces wait for the client. Ends early when nobody is left to get it; throws when a
 * piece can't be made, and then the answer is cut off, so that nobody takes it for complete.
 */
export const streamReply = async (
  response: ServerResponse,
  reply: RouteReply,
  pieces: AsyncIterable<string>,
  context: ReplyContext,
): Promise<void> => {
  if (response.headersSent || response.destroyed) return
  writeReplyHead(response, reply, context, 'application/x-ndjson')
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return
      response.write(piece)
      if (response.writableLength > STREAMED_REPLY_BUFFER_BYTES_MAX) await untilRead(response)
    }
    response.end()
  } catch (error) {
    const isAlone = response.destroyed
    response.destroy()
    if (!isAlone) throw error
  }
}
