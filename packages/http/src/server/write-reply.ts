import type { ServerResponse } from 'node:http'
import { REPLY_SILENCE_MAX_MS } from '../limits.ts'
import type { RouteReply } from '../route.ts'
import { leaveAtEndOfTurn } from './departures.ts'
import type { ConnectionFate } from './exchange.ts'

const NO_CONTENT = 204

/** What goes with every answer. */
export interface ReplyContext {
  readonly requestId: string
  readonly connection: ConnectionFate
}

/** The body of an answer: its text, or its value as compact JSON; throws when that is no JSON value. */
export const textOf = ({ body, json, text }: RouteReply): string | undefined => (body === undefined ? (json ?? text) : JSON.stringify(body))

/** What an answer is. */
export const contentTypeOf = ({ text, contentType = 'text/plain; charset=utf-8' }: RouteReply): string =>
  text === undefined ? 'application/json' : contentType

/** In the order in which hot connections write them, too. */
const headersOf = (
  reply: RouteReply,
  { requestId, connection }: ReplyContext,
  content: readonly (string | number)[],
): (string | number)[] => {
  const headers: (string | number)[] = ['x-request-id', requestId, ...content]
  if (connection === 'close') headers.push('connection', 'close')
  if (reply.headers !== undefined) for (const [name, value] of Object.entries(reply.headers)) headers.push(name, value)
  return headers
}

const contentOf = (reply: RouteReply, text: string | undefined): readonly (string | number)[] => {
  if (text !== undefined) return ['content-type', contentTypeOf(reply), 'content-length', Buffer.byteLength(text)]
  return reply.status === NO_CONTENT ? [] : ['content-length', 0]
}

/** Sends the head of an answer whose length is not known yet. */
export const writeReplyHead = (response: ServerResponse, reply: RouteReply, context: ReplyContext, contentType: string): void => {
  response.writeHead(reply.status, headersOf(reply, context, ['content-type', contentType]))
}

/**
 * Sends an answer through node:http; does nothing when nobody is left to get it, and cuts the connection of a client that reads nothing
 * of it. Throws when a body is no JSON value.
 */
export const writeReply = (
  response: ServerResponse,
  reply: RouteReply,
  context: ReplyContext,
  silenceMaxMs: number = REPLY_SILENCE_MAX_MS,
): void => {
  if (response.headersSent || response.destroyed) return
  const text = textOf(reply)
  response.writeHead(reply.status, headersOf(reply, context, contentOf(reply, text)))
  leaveAtEndOfTurn({
    leave: () => {
      response.end(text)
      // What the system did not take at once waits for the client; behind it node:http waits for the next request.
      if (response.writableLength > 0) response.setTimeout(silenceMaxMs)
    },
  })
}
