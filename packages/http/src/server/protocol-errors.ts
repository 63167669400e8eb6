import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { NewId } from '@switchyard/kernel'
import { platformError } from '../errors.ts'
import { REFUSED_LINGER_MS } from '../limits.ts'
import type { RouteReply } from '../route.ts'
import type { OpenAnswers } from './open-answers.ts'
import { requestIdOf } from './request-id.ts'
import { isStreamed } from './stream-reply.ts'
import { writeReply } from './write-reply.ts'

const replyByCode: Readonly<Record<string, RouteReply>> = {
  HPE_HEADER_OVERFLOW: platformError(431, 'TE_03', 'Request header fields too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: platformError(413, 'TE_03', 'Failed to buffer the request body: length limit exceeded'),
  ERR_HTTP_REQUEST_TIMEOUT: platformError(408, 'TE_03', 'Request timeout'),
}
const MALFORMED = platformError(400, 'TE_03', 'Malformed HTTP request')

/** Whether a request took too long to arrive. */
export const isRequestTimeout = (error: NodeJS.ErrnoException): boolean => error.code === 'ERR_HTTP_REQUEST_TIMEOUT'

const replyTo = ({ code = '' }: NodeJS.ErrnoException): RouteReply => replyByCode[code] ?? MALFORMED

/** What refusals of a server have in common. */
interface Refusing {
  readonly newId: NewId
  readonly answers: Pick<OpenAnswers, 'lastOf'>
  /** How long a client may keep its side of the connection open, milliseconds; default {@link REFUSED_LINGER_MS}. */
  readonly lingerMs?: number
}

/** Answers what no request was made of, and ends the connection. */
const answerNoRequest = (error: NodeJS.ErrnoException, socket: Duplex, { newId, lingerMs = REFUSED_LINGER_MS }: Refusing): void => {
  const { status, body } = replyTo(error)
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    `x-request-id: ${newId()}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
  // Its other side is the client's, which may keep it open for ever: no timeout of node:http counts it any more.
  const cut = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(cut))
}

/**
 * Answers a request whose body could not be read, behind those before it; one that is being answered in pieces is cut off, so that nobody
 * takes the answer for complete. False when it has its answer already.
 */
const answerBrokenBody = (error: NodeJS.ErrnoException, response: ServerResponse<IncomingMessage>, refusing: Refusing): boolean => {
  const { req, socket, headersSent } = response
  if (isStreamed(response)) response.destroy()
  // Nothing of an answer that was made in this turn has left yet.
  else if (socket !== null) answerNoRequest(error, socket, refusing)
  else if (headersSent) return false
  else {
    const requestId = requestIdOf(req.headers['x-request-id'], refusing.newId)
    writeReply(response, replyTo(error), { requestId, connection: 'close' })
  }
  return true
}

const isBroken = ({ req, writableEnded }: ServerResponse<IncomingMessage>): boolean => !req.complete && !writableEnded

/** Answers what the HTTP parser could not read, behind the answers to requests before it, and ends the connection. */
export const createAnswerProtocolError = (refusing: Refusing): ((error: NodeJS.ErrnoException, socket: Duplex) => void) => {
  const waiting = new WeakSet<Duplex>()
  const answerBehind = (last: ServerResponse, error: NodeJS.ErrnoException, socket: Duplex): void => {
    waiting.add(socket)
    last.once('finish', () => {
      if (socket.writable) answerNoRequest(error, socket, refusing)
    })
  }
  return (error, socket) => {
    // Whatever else comes on this connection can't be read either.
    if (waiting.has(socket)) return
    const last = refusing.answers.lastOf(socket)
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy()
    else if (last === undefined) answerNoRequest(error, socket, refusing)
    else if (!isBroken(last) || !answerBrokenBody(error, last, refusing)) answerBehind(last, error, socket)
  }
}

/** A rule of HTTP itself that a request breaks, though node:http could read it. */
export type BrokenRule = 'no-host' | 'several-hosts' | 'several-credentials' | 'fragment' | 'expectation'

const replyByRule: Readonly<Record<BrokenRule, RouteReply>> = {
  'no-host': platformError(400, 'TE_03', 'Missing Host header'),
  'several-hosts': platformError(400, 'TE_03', 'More than one Host header'),
  'several-credentials': platformError(400, 'TE_03', 'A header that holds a credential is given more than once'),
  fragment: platformError(400, 'TE_03', 'Invalid URL: it holds a fragment'),
  expectation: platformError(417, 'TE_03', 'Expectation failed'),
}

const CREDENTIALS = ['authorization', 'x-api-key', 'x-admin-secret', 'x-tenant-id']

/** The rule that the head of a request breaks, if it does: whoever stands in front may have read another host or path in it. */
export const brokenRuleOf = ({ headers, headersDistinct, httpVersion, url = '' }: IncomingMessage): BrokenRule | undefined => {
  if (headers.host === undefined && httpVersion === '1.1') return 'no-host'
  if ((headersDistinct['host']?.length ?? 0) > 1) return 'several-hosts'
  if (CREDENTIALS.some((name) => (headersDistinct[name]?.length ?? 0) > 1)) return 'several-credentials'
  return url.includes('#') ? 'fragment' : undefined
}

/** Answers a request that breaks a rule of HTTP itself, and closes the connection. */
export const refuseProtocol = (request: IncomingMessage, response: ServerResponse, newId: NewId, rule: BrokenRule): void => {
  const requestId = requestIdOf(request.headers['x-request-id'], newId)
  writeReply(response, replyByRule[rule], { requestId, connection: 'close' })
}
