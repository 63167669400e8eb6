import type { IncomingHttpHeaders } from 'node:http'
import { HEADER_BYTES_MAX, KNOWN_HEAD_BYTES_MAX, KNOWN_HEAD_COUNT_MAX } from '../limits.ts'

/** A request that was received as a whole. */
export interface PlainRequest {
  readonly head: PlainHead
  readonly body: Buffer
  /** Bytes of head and body together; what follows is the next request's. */
  readonly byteCount: number
}

/** What a head says. */
export interface PlainHead {
  readonly path: string
  /** By lower-case name, without those that HTTP itself is concerned with. */
  readonly headers: IncomingHttpHeaders
  readonly bodyByteCount: number
  /** The whole head with the empty line behind it, where it may come again. */
  readonly bytes: Buffer | undefined
}

/** `incomplete`: may become plain when more has come. `other`: none of ours to read. */
type PlainRequestOrNot = PlainRequest | 'incomplete' | 'other'

const HEAD_END = Buffer.from('\r\n\r\n')
const METHOD = 'POST '
const VERSION = ' HTTP/1.1\r\n'
/** A whole head behind its first line: names and visible ASCII, blanks inside, each line ended; never folded. */
const HEADER_LINES = /^(?:[A-Za-z0-9-]+:[\x20-\x7e]*\r\n)*$/
const LINE_END = '\r\n'
const BODY_LENGTH = /^\d{1,6}$/

/** Headers that change how a message is read, or how the connection goes on: whoever sends one is answered by node:http. */
const HTTP_ITSELF: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'content-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
  'proxy-connection',
  'keep-alive',
  'http2-settings',
])

/** The headers in these lines, or undefined when one of them is not plain. */
const headersOf = (lines: string): IncomingHttpHeaders | undefined => {
  if (!HEADER_LINES.test(lines)) return undefined
  const headers: Record<string, string> = {}
  for (let start = 0; start < lines.length; ) {
    const colon = lines.indexOf(':', start)
    const end = lines.indexOf(LINE_END, colon)
    const name = lines.slice(start, colon).toLowerCase()
    if (name in headers || HTTP_ITSELF.has(name)) return undefined
    headers[name] = lines.slice(colon + 1, end).trim()
    start = end + LINE_END.length
  }
  const { connection = 'keep-alive' }: IncomingHttpHeaders = headers
  return connection.toLowerCase() === 'keep-alive' ? headers : undefined
}

/** Whether more bytes could make it a request to one of the paths. */
const couldBecome = (bytes: Buffer, byteCountMax: number): boolean =>
  bytes.length < byteCountMax && bytes.toString('latin1', 0, METHOD.length) === METHOD.slice(0, bytes.length)

/** Whether requests to a path are read here. */
type IsHot = (path: string) => boolean

/** The head with its last line end, or undefined when it is not plain. */
const headOf = (head: string, isHot: IsHot): PlainHead | undefined => {
  const pathEnd = head.indexOf(' ', METHOD.length)
  const path = head.slice(METHOD.length, pathEnd)
  if (!head.startsWith(METHOD) || !isHot(path) || !head.startsWith(VERSION, pathEnd)) return undefined
  const headers = headersOf(head.slice(pathEnd + VERSION.length))
  const length = headers?.['content-length']
  if (headers?.host === undefined || length === undefined || !BODY_LENGTH.test(length)) return undefined
  return { path, headers, bodyByteCount: Number(length), bytes: undefined }
}

/** Headers that are another's in every request: a head with one of them is not met again. */
const OF_ONE_REQUEST = ['x-request-id', 'traceparent', 'x-trace-id', 'x-b3-traceid', 'x-global-request-id', 'idempotency-key'] as const
const isOfOneRequest = ({ headers }: PlainHead): boolean => OF_ONE_REQUEST.some((name) => headers[name] !== undefined)

/** What was read in heads, for those that come again and again: clients send the same one, up to the length, with every request. */
const createHeadReader = (isHot: IsHot): ((text: string) => PlainHead | undefined) => {
  const known = new Map<string, PlainHead>()
  return (text) => {
    const met = known.get(text)
    if (met !== undefined) return met
    const head = headOf(text, isHot)
    if (head === undefined || text.length > KNOWN_HEAD_BYTES_MAX || isOfOneRequest(head)) return head
    if (known.size >= KNOWN_HEAD_COUNT_MAX) known.clear()
    const lasting = { ...head, bytes: Buffer.from(text + LINE_END, 'latin1') }
    known.set(text, lasting)
    return lasting
  }
}

const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.length >= start.length && start.compare(bytes, 0, start.length) === 0

/** Reads the first request in some bytes; `last` is the head of the request before it on the same connection. */
export type ReadPlainRequest = (bytes: Buffer, last?: PlainHead) => PlainRequestOrNot

/**
 * Reads requests of the plainest form there is: POST to a hot path by HTTP/1.1, a host, a length, each header once and
 * in printable ASCII, none that is concerned with HTTP itself, all of it there. It decides nothing about any other:
 * those are left to node:http, whatever is wrong with them.
 */
export const createPlainRequestReader = (isHot: IsHot, byteCountMax: number): ReadPlainRequest => {
  const readHead = createHeadReader(isHot)

  const requestOf = (bytes: Buffer, start: number, head: PlainHead): PlainRequestOrNot => {
    const byteCount = start + head.bodyByteCount
    if (byteCount > byteCountMax) return 'other'
    if (byteCount > bytes.length) return 'incomplete'
    return { head, body: bytes.subarray(start, byteCount), byteCount }
  }

  return (bytes, last) => {
    if (last?.bytes !== undefined && startsWith(bytes, last.bytes)) return requestOf(bytes, last.bytes.length, last)
    const headEnd = bytes.indexOf(HEAD_END)
    if (headEnd < 0) return couldBecome(bytes, byteCountMax) ? 'incomplete' : 'other'
    if (headEnd > HEADER_BYTES_MAX - HEAD_END.length) return 'other'
    const head = readHead(bytes.toString('latin1', 0, headEnd + LINE_END.length))
    return head === undefined ? 'other' : requestOf(bytes, headEnd + HEAD_END.length, head)
  }
}
