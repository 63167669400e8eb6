import type { Socket } from 'node:net'
import type { HeaderPair, OutboundPhase, OutboundResult } from '@switchyard/kernel'
import { Client } from 'undici'
import { failureOf, isCallersFault } from './failures.ts'
import { ANSWER_HEADER_BYTES_MAX, FETCH_SILENCE_MAX_MS } from './limits.ts'
import { openSocket, type SocketSettings } from './open-socket.ts'
import type { CheckUrl } from './url-rules.ts'

/** A request whose answer may be large. */
export interface FetchRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: readonly HeaderPair[]
  /** Only of a POST. */
  readonly body?: string
}

/** An answer that is read piece by piece; whoever does not read it to its end has to break off. */
export interface FetchedStream {
  readonly kind: 'answered'
  readonly status: number
  /** Rejects when the connection is lost, or silent for too long. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** What came of a {@link FetchRequest}. */
export type FetchResult = FetchedStream | Exclude<OutboundResult, { readonly kind: 'answered' }>

/** Sends a request under all rules of addresses, on a connection of its own; redirections are answers like others. */
export type FetchStream = (request: FetchRequest) => Promise<FetchResult>

const bytesOf = async function* (body: AsyncIterable<Uint8Array>, close: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } finally {
    close()
  }
}

const withoutAnswer = (result: OutboundResult): Exclude<OutboundResult, { readonly kind: 'answered' }> =>
  result.kind === 'answered' ? { kind: 'invalid_response' } : result

/** {@link FetchStream} over sockets that are opened under the rules. */
export const createFetchStream =
  (checkUrl: CheckUrl, sockets: SocketSettings): FetchStream =>
  async ({ method, url: text, headers, body }) => {
    const checked = checkUrl(text)
    if (!checked.accepted) return { kind: 'refused', rule: checked.rule }
    const { url } = checked
    let phase: OutboundPhase = 'dns'
    let socket: Socket | undefined
    const client = new Client(url.origin, {
      connect: (_options, callback) => {
        socket = openSocket(url, sockets, {
          phase: (reached) => {
            phase = reached
          },
          opened: (opened) => callback(null, opened),
          failed: (error) => callback(error, null),
        })
      },
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
      headersTimeout: FETCH_SILENCE_MAX_MS,
      bodyTimeout: FETCH_SILENCE_MAX_MS,
    })
    const close = (): void => {
      void client.destroy()
      socket?.destroy()
    }
    try {
      const answer = await client.request({ path: url.pathname + url.search, method, headers: headers.flat(), body: body ?? null })
      return { kind: 'answered', status: answer.statusCode, bytes: bytesOf(answer.body, close) }
    } catch (error) {
      close()
      if (isCallersFault(error)) throw error
      return withoutAnswer(failureOf(error, phase))
    }
  }
