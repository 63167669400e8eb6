import type { ServerResponse } from 'node:http'
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
export const contentTypeOf = ({ text }: RouteReply): string => (text === undefined ? 'application/json' : 'text/plain; charset=utf-8')

const withCommon = (headers: (string | number)[], reply: RouteReply, { requestId, connection }: ReplyContext): (string | number)[] => {
  headers.push('x-request-id', requestId)
  if (connection === 'close') headers.push('connection', 'close')
  if (reply.headers !== undefined) for (const [name, value] of Object.entries(reply.headers)) headers.push(name, value)
  return headers
}

const headersOf = (reply: RouteReply, text: string | undefined, context: ReplyContext): (string | number)[] => {
  const headers: (string | number)[] = []
  if (text !== undefined) headers.push('content-type', contentTypeOf(reply))
  if (reply.status !== NO_CONTENT) headers.push('content-length', text === undefined ? 0 : Buffer.byteLength(text))
  return withCommon(headers, reply, context)
}

/** Sends the head of an answer whose length is not known yet. */
export const writeReplyHead = (response: ServerResponse, reply: RouteReply, context: ReplyContext, contentType: string): void => {
  response.writeHead(reply.status, withCommon(['content-type', contentType], reply, context))
}

/** Sends an answer through node:http; does nothing when nobody is left to get it. Throws when a body is no JSON value. */
export const writeReply = (response: ServerResponse, reply: RouteReply, context: ReplyContext): void => {
  if (response.headersSent || response.destroyed) return
  const text = textOf(reply)
  response.writeHead(reply.status, headersOf(reply, text, context))
  leaveAtEndOfTurn({ leave: () => response.end(text) })
}
