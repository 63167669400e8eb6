import type { Socket } from 'node:net'
import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_TIMEOUT_MS, PLAIN_REQUEST_BYTES_MAX, PLAIN_REQUEST_CHUNK_COUNT_MAX } from '../limits.ts'
import type { RouteReply } from '../route.ts'
import { type Departure, leaveAtEndOfTurn } from '../server/departures.ts'
import type { ConnectionFate } from '../server/exchange.ts'
import type { ServeRoute } from '../server/serve-route.ts'
import type { AnswerText } from './answer-text.ts'
import { HotExchange } from './hot-exchange.ts'
import type { FindHotRoute } from './hot-routes.ts'
import type { PlainHead, PlainRequest, ReadPlainRequest } from './plain-request.ts'
import { receiveIntoShared } from './shared-buffer.ts'

/** What all hot connections of a server share. */
export interface HotContext {
  readonly findRoute: FindHotRoute
  readonly readPlainRequest: ReadPlainRequest
  readonly serve: ServeRoute
  readonly requestIdOf: (inbound: string | readonly string[] | undefined) => string
  readonly monotonicMs: () => number
  readonly answerText: AnswerText
  /** Whether connections are still kept. */
  readonly fate: () => ConnectionFate
  /** Passes the connection on, paused, with the bytes of it that belong to no request yet. */
  readonly handOver: (socket: Socket, bytes: Buffer) => void
  readonly ended: (connection: HotConnection) => void
  /** How long the rest of a request may take before node:http waits for it, milliseconds. */
  readonly restTimeoutMs: number
}

const NOTHING = Buffer.alloc(0)

/**
 * A connection while it sends nothing but plain requests to hot routes, one after another. Whatever else comes makes it
 * node:http's for the rest of its life.
 */
export class HotConnection implements Departure {
  readonly #socket: Socket
  readonly #context: HotContext
  /** Bytes that belong to no request yet. */
  #received: Buffer = NOTHING
  #chunkCount = 0
  /** Of the last request: the next one's is nearly always the same. */
  #head: PlainHead | undefined
  /** Runs while a request is there in part. */
  #restTimer: NodeJS.Timeout | undefined
  #state: 'reading' | 'answering' | 'over' = 'reading'
  #answer: { readonly text: string; readonly encoding: 'latin1' | 'utf8' } | undefined
  #isLast = false
  /** The client sends nothing any more. */
  #hasAllCome = false
  #hasAnswered = false

  constructor(socket: Socket, context: HotContext) {
    this.#socket = socket
    this.#context = context
    socket.setTimeout(HEADERS_TIMEOUT_MS)
    if (!receiveIntoShared(socket, this.#onBorrowed)) socket.on('data', this.#onData)
    socket.on('drain', this.#onDrain)
    socket.on('end', this.#onEnd)
    socket.on('timeout', this.#onTimeout)
    socket.on('error', this.#onError)
    socket.on('close', this.#onClose)
  }

  /** Ends the connection: now when it is idle, else behind the answer under way. */
  close(): void {
    if (this.#state === 'reading' && this.#received.length === 0) this.#socket.destroySoon()
    else this.#isLast = true
  }

  cut(): void {
    this.#socket.destroy()
  }

  /** Sends the answer, then looks at what has come meanwhile. */
  leave(): void {
    const answer = this.#answer
    this.#answer = undefined
    if (answer === undefined || this.#state === 'over' || this.#socket.destroyed) return
    const isFlowing = this.#socket.write(answer.text, answer.encoding)
    if (this.#isLast) {
      this.#over()
      this.#socket.destroySoon()
      return
    }
    this.#state = 'reading'
    if (!this.#hasAnswered) {
      this.#hasAnswered = true
      this.#socket.setTimeout(KEEP_ALIVE_TIMEOUT_MS)
    }
    // A client that does not read its answers gets no further ones.
    if (isFlowing) this.#goOn()
    else this.#socket.pause()
  }

  /** Looks at what waits, and listens again where it was too much to go on listening. */
  #goOn(): void {
    if (this.#received.length > 0) this.#read()
    if (this.#hasAllCome && this.#state === 'reading') this.#socket.destroySoon()
    const isOurs = this.#state !== 'over'
    if (isOurs && this.#received.length <= PLAIN_REQUEST_BYTES_MAX && this.#socket.isPaused()) this.#socket.resume()
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    this.#chunkCount += 1
    if (this.#state === 'reading') this.#read()
    else if (this.#received.length > PLAIN_REQUEST_BYTES_MAX) this.#socket.pause()
  }

  /** These bytes are the next ones' as soon as this returns: what is left of them is copied. */
  readonly #onBorrowed = (bytes: Buffer): boolean => {
    // Whoever has taken the connection reads it as a stream.
    if (this.#state === 'over') return this.#socket.push(Buffer.from(bytes))
    this.#onData(bytes)
    if (this.#received.length > 0) this.#received = Buffer.from(this.#received)
    return true
  }

  readonly #onDrain = (): void => {
    if (this.#state === 'reading') this.#goOn()
  }

  readonly #onEnd = (): void => {
    // What it has sent before it gets its answers.
    this.#hasAllCome = true
    if (this.#state === 'reading' && !this.#socket.writableNeedDrain) this.#socket.destroySoon()
  }

  readonly #onTimeout = (): void => {
    if (this.#state !== 'reading') return
    if (this.#received.length > 0) this.#handOver()
    else this.#socket.destroy()
  }

  /** Empty when the other end is gone. */
  readonly remoteAddress = (): string => this.#socket.remoteAddress ?? ''

  readonly #onError = (): void => {
    this.#socket.destroy()
  }

  readonly #onClose = (): void => this.#over()

  #read(): void {
    const request = this.#context.readPlainRequest(this.#received, this.#head)
    if (request === 'other') this.#handOver()
    else if (request !== 'incomplete') this.#serve(request)
    else if (this.#chunkCount >= PLAIN_REQUEST_CHUNK_COUNT_MAX) this.#handOver()
    else this.#restTimer ??= setTimeout(() => this.#handOver(), this.#context.restTimeoutMs)
  }

  #stopWaitingForRest(): void {
    clearTimeout(this.#restTimer)
    this.#restTimer = undefined
  }

  #serve(request: PlainRequest): void {
    const { findRoute, serve, requestIdOf, monotonicMs } = this.#context
    const { path, headers } = request.head
    const found = findRoute(path)
    if (found === undefined) return this.#handOver()
    this.#state = 'answering'
    this.#head = request.head
    if (this.#restTimer !== undefined) this.#stopWaitingForRest()
    this.#received = request.byteCount === this.#received.length ? NOTHING : this.#received.subarray(request.byteCount)
    this.#chunkCount = this.#received.length === 0 ? 0 : 1
    const exchange = new HotExchange(this, found, request, { requestId: requestIdOf(headers['x-request-id']), startedMs: monotonicMs() })
    serve(exchange)
    exchange.keepBody()
  }

  /** Answers the request under way; does nothing when it was answered, or nobody is left to get it. */
  answer(reply: RouteReply, requestId: string): void {
    if (this.#state !== 'answering' || this.#answer !== undefined) return
    const connection = this.#isLast ? 'close' : this.#context.fate()
    this.#answer = this.#context.answerText(reply, { requestId, connection })
    if (connection === 'close') this.#isLast = true
    leaveAtEndOfTurn(this)
  }

  #handOver(): void {
    // A stream that has ended takes nothing back, and node:http reads one.
    if (this.#hasAllCome) return this.#socket.destroySoon()
    const { handOver } = this.#context
    const bytes = Buffer.from(this.#received)
    this.#over()
    const socket = this.#socket
    socket.setTimeout(0)
    socket.off('data', this.#onData)
    socket.off('drain', this.#onDrain)
    socket.off('end', this.#onEnd)
    socket.off('timeout', this.#onTimeout)
    socket.off('error', this.#onError)
    socket.off('close', this.#onClose)
    socket.pause()
    handOver(socket, bytes)
  }

  #over(): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#stopWaitingForRest()
    this.#received = NOTHING
    this.#context.ended(this)
  }
}
