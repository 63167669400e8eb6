import { STATUS_CODES } from 'node:http'
import { assert, type Now } from '@switchyard/kernel'
import { KEEP_ALIVE_TIMEOUT_MS } from '../limits.ts'
import type { RouteReply } from '../route.ts'
import type { ConnectionFate } from '../server/exchange.ts'
import { contentTypeOf, type ReplyContext, textOf } from '../server/write-reply.ts'

/** An answer as it goes over the wire. */
interface WireAnswer {
  readonly text: string
  readonly encoding: 'latin1' | 'utf8'
}

/** Makes {@link WireAnswer}s. Throws when a body is no JSON value. */
export type AnswerText = (reply: RouteReply, context: ReplyContext) => WireAnswer

const SECOND_MS = 1_000
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

/** The same lines that node:http writes. */
const CONNECTION_LINES: Readonly<Record<ConnectionFate, string>> = {
  keep: `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_TIMEOUT_MS / SECOND_MS}\r\n\r\n`,
  close: 'connection: close\r\n\r\n',
}

/** In one piece: what was put together stays a tree of pieces, and each is gone to whenever the text is sent. */
const inOnePiece = (ascii: string): string => Buffer.from(ascii, 'latin1').toString('latin1')

const ownLines = ({ headers }: RouteReply): string => {
  if (headers === undefined) return ''
  let lines = ''
  for (const [name, value] of Object.entries(headers)) {
    assert(HEADER_VALUE.test(value), `the header ${name} of an answer holds what no header may hold`)
    lines += `${name}: ${value}\r\n`
  }
  return lines
}

/** What stands between the own headers of an answer and its body, made anew each second: nobody looks at the clock for each answer. */
const createEndings = (now: Now): (() => Readonly<Record<ConnectionFate, string>>) => {
  let known: Readonly<Record<ConnectionFate, string>> | undefined
  const forget = (): void => {
    known = undefined
  }
  return () => {
    if (known !== undefined) return known
    const ms = now()
    const date = `Date: ${new Date(ms).toUTCString()}\r\n`
    known = { keep: inOnePiece(date + CONNECTION_LINES.keep), close: inOnePiece(date + CONNECTION_LINES.close) }
    setTimeout(forget, SECOND_MS - (ms % SECOND_MS)).unref()
    return known
  }
}

/** Made once for each status that there is. */
const createBeginnings = (): ((status: number) => string) => {
  const known: string[] = []
  return (status) => (known[status] ??= inOnePiece(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nx-request-id: `))
}

const contentLines = (type: string, byteCount: number): string => inOnePiece(`\r\n${type}content-length: ${byteCount}\r\n`)
/** Answers of hot routes are shorter; longer ones have their lines put together each time. */
const SHORT_BYTES_MAX = 4_096

/** The lines of a JSON text's content, made once for each length. */
const createJsonLines = (): ((byteCount: number) => string) => {
  const type = `content-type: ${contentTypeOf({ status: 200 })}\r\n`
  const known = new Array<string | undefined>(SHORT_BYTES_MAX).fill(undefined)
  return (byteCount) => (byteCount < SHORT_BYTES_MAX ? (known[byteCount] ??= contentLines(type, byteCount)) : contentLines(type, byteCount))
}

/** Counting the bytes of a text puts all its pieces together, which sending does anyway. */
const byteCountOf = ({ json }: RouteReply, body: string | undefined): number =>
  body === undefined ? 0 : json === undefined ? Buffer.byteLength(body) : body.length

/** Makes the same answers that node:http would send. */
export const createAnswerText = (now: Now): AnswerText => {
  const endings = createEndings(now)
  const beginningOf = createBeginnings()
  const jsonLines = createJsonLines()
  const linesOf = (reply: RouteReply, body: string | undefined, byteCount: number): string => {
    if (body === undefined) return contentLines('', 0)
    return reply.text === undefined ? jsonLines(byteCount) : contentLines(`content-type: ${contentTypeOf(reply)}\r\n`, byteCount)
  }
  return (reply, { requestId, connection }) => {
    const body = textOf(reply)
    const byteCount = byteCountOf(reply, body)
    const head = `${beginningOf(reply.status)}${requestId}${linesOf(reply, body, byteCount)}${ownLines(reply)}`
    // A text of as many bytes as characters is ASCII, which is written without a conversion.
    return { text: `${head}${endings()[connection]}${body ?? ''}`, encoding: byteCount === (body ?? '').length ? 'latin1' : 'utf8' }
  }
}
