import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { REPLY_SILENCE_MAX_MS, STREAMED_REPLY_BUFFER_BYTES_MAX } from '../limits.ts'
import type { RouteReply } from '../route.ts'
import { type ReplyContext, writeReplyHead } from './write-reply.ts'

/** An answer in pieces. */
export interface StreamedReply extends RouteReply {
  readonly pieces: AsyncIterable<string>
}

const streamed = new WeakSet<ServerResponse>()

/** Whether the answer was begun in pieces. */
export const isStreamed = (response: ServerResponse): boolean => streamed.has(response)

/** Waits until the client has read, or is gone: node:http cuts a connection over which nothing goes for so long. */
const untilRead = async (response: ServerResponse, silenceMaxMs: number): Promise<void> => {
  const settled = new AbortController()
  const { signal } = settled
  response.setTimeout(silenceMaxMs)
  try {
    await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  } finally {
    response.setTimeout(0)
    settled.abort()
  }
}

/** All pieces and the end, as long as somebody is there to get them. */
const writePieces = async (response: ServerResponse, pieces: AsyncIterable<string>, silenceMaxMs: number): Promise<void> => {
  for await (const piece of pieces) {
    if (response.destroyed) return
    response.write(piece)
    if (response.writableLength > STREAMED_REPLY_BUFFER_BYTES_MAX) await untilRead(response, silenceMaxMs)
  }
  response.setTimeout(silenceMaxMs) // until the end is out; behind it node:http waits for the next request
  response.end()
}

/**
 * Sends an answer piece by piece as it comes about. A client may send all of its request before it reads: so much of the
 * answer waits in memory, then the pieces wait for the client. Ends early when nobody is left to get it, or who is there reads
 * nothing; throws when a piece can't be made, and then the answer is cut off, so that nobody takes it for complete.
 */
export const streamReply = async (
  response: ServerResponse,
  reply: StreamedReply,
  context: ReplyContext,
  silenceMaxMs: number = REPLY_SILENCE_MAX_MS,
): Promise<void> => {
  const { pieces, onSettled } = reply
  if (response.headersSent || response.destroyed) {
    onSettled?.()
    return
  }
  if (onSettled !== undefined) response.once('close', onSettled)
  streamed.add(response)
  writeReplyHead(response, reply, context, 'application/x-ndjson')
  try {
    await writePieces(response, pieces, silenceMaxMs)
  } catch (error) {
    const isAlone = response.destroyed
    response.destroy()
    if (!isAlone) throw error
  }
}
