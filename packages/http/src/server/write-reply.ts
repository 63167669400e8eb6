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

/** The body of an answer as compact JSON; throws when it is no JSON value. */
export const textOf = ({ body }: RouteReply): string | undefined => (body === undefined ? undefined : JSON.stringify(body))

const headersOf = (reply: RouteReply, text: string | undefined, { requestId, connection }: ReplyContext): (string | number)[] => {
  const headers: (string | number)[] = ['x-request-id', requestId]
  if (text !== undefined) headers.push('content-type', 'application/json')
  if (reply.status !== NO_CONTENT) headers.push('content-length', text === undefined ? 0 : Buffer.byteLength(text))
  if (connection === 'close') headers.push('connection', 'close')
  if (reply.headers !== undefined) for (const [name, value] of Object.entries(reply.headers)) headers.push(name, value)
  return headers
}

/** Sends an answer through node:http; does nothing when nobody is left to get it. Throws when a body is no JSON value. */
export const writeReply = (response: ServerResponse, reply: RouteReply, context: ReplyContext): void => {
  if (response.headersSent || response.destroyed) return
  const text = textOf(reply)
  response.writeHead(reply.status, headersOf(reply, text, context))
  leaveAtEndOfTurn({ leave: () => response.end(text) })
}
