import type { Socket } from 'node:net'
import type { FetchStream, OutboundPhase, OutboundResult } from '@switchyard/kernel'
import { Client } from 'undici'
import { failureOf, isCallersFault, TooManyInformational } from './failures.ts'
import { ANSWER_HEADER_BYTES_MAX, FETCH_SILENCE_MAX_MS, INFORMATIONAL_ANSWERS_MAX } from './limits.ts'
import { openSocket, type SocketSettings } from './open-socket.ts'
import { passContinue } from './pass-continue.ts'
import type { CheckUrl } from './url-rules.ts'

/** The pieces of a body. Its connection ends with them, and with who breaks off, be it before the first one: a generator would not notice that. */
const bytesOf = (body: AsyncIterable<Uint8Array>, close: () => void, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const pieces = body[Symbol.asyncIterator]()
    return {
      next: async () => {
        try {
          const piece = await pieces.next()
          if (piece.done === true) close()
          return piece
        } catch (error) {
          close()
          signal?.throwIfAborted()
          throw error
        }
      },
      return: async () => {
        close()
        return { done: true, value: undefined }
      },
    }
  },
})

const withoutAnswer = (result: OutboundResult): Exclude<OutboundResult, { readonly kind: 'answered' }> =>
  result.kind === 'answered' ? { kind: 'invalid_response' } : result

const createInformationalBound = (): (() => void) => {
  let count = 0
  return () => {
    if (++count > INFORMATIONAL_ANSWERS_MAX) throw new TooManyInformational('the other side does not come to its answer')
  }
}

/** {@link FetchStream} over sockets that are opened under the rules. */
export const createFetchStream =
  (checkUrl: CheckUrl, sockets: SocketSettings): FetchStream =>
  async ({ method, url: text, headers, body, signal }) => {
    signal?.throwIfAborted()
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
          opened: (opened) => {
            passContinue(opened)
            callback(null, opened)
          },
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
      signal?.removeEventListener('abort', close)
      void client.destroy()
      socket?.destroy()
    }
    signal?.addEventListener('abort', close, { once: true })
    try {
      const answer = await client.request({
        path: url.pathname + url.search,
        method,
        headers: headers.flat(),
        body: body ?? null,
        onInfo: createInformationalBound(),
      })
      // Who breaks off hears nothing more, also not that the connection is gone.
      answer.body.on('error', () => {})
      return { kind: 'answered', status: answer.statusCode, bytes: bytesOf(answer.body, close, signal) }
    } catch (error) {
      close()
      signal?.throwIfAborted()
      if (isCallersFault(error)) throw error
      return withoutAnswer(failureOf(error, phase))
    }
  }
