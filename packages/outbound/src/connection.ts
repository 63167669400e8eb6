import type { Socket } from 'node:net'
import type { OutboundPhase, OutboundRequest, OutboundResult } from '@switchyard/kernel'
import { type buildConnector, Client } from 'undici'
import { createAnswerReader } from './answer-reader.ts'
import { startDeadline } from './deadline.ts'
import { failureOf, isCallersFault } from './failures.ts'
import { ANSWER_HEADER_BYTES_MAX, IDLE_MS_MAX } from './limits.ts'
import { openSocket, type SocketSettings } from './open-socket.ts'
import { passContinue } from './pass-continue.ts'

const STATUS_MAX = 599

/** One connection to one origin, for one request at a time; opened by its first request, and again when the other side closed it. */
export interface Connection {
  readonly origin: string
  /** Ends at `deadlineMs` of `performance.now()` at the latest. */
  readonly post: (request: OutboundRequest, path: string, deadlineMs: number) => Promise<OutboundResult>
  /** The last request ended without an answer, on a connection that had served one before: on a new one it may get through. */
  readonly wasStale: () => boolean
  /** May serve another request. */
  readonly isOpen: () => boolean
  readonly close: () => void
}

/** Each deadline is the exchange's own: see {@link startDeadline}. */
const createClient = (origin: string, connect: buildConnector.connector): Client =>
  new Client(origin, {
    connect,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: IDLE_MS_MAX,
    keepAliveMaxTimeout: IDLE_MS_MAX,
    maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

/** A connection to the origin of `url`; `gone` is told whenever the other side or the idle time ends it. */
export const createConnection = (url: URL, settings: SocketSettings, gone: () => void): Connection => {
  let phase: OutboundPhase = 'answer'
  let socket: Socket | undefined
  let isFresh = false
  let isStale = false
  let beginAnswer = (): void => {}

  const client = createClient(url.origin, (_options, callback) => {
    isFresh = true
    socket = openSocket(url, settings, {
      phase: (reached) => {
        phase = reached
      },
      opened: (opened) => {
        beginAnswer = passContinue(opened)
        callback(null, opened)
      },
      failed: (error) => callback(error, null),
    })
  })
  client.on('disconnect', gone)

  const close = (): void => {
    client.off('disconnect', gone)
    void client.destroy()
    socket?.destroy()
  }

  const exchange = (request: OutboundRequest, path: string, deadlineMs: number): Promise<OutboundResult> =>
    new Promise((resolve, reject) => {
      const end = (result: OutboundResult): void => {
        stopDeadline()
        resolve(result)
      }
      const reader = createAnswerReader({
        answered: end,
        failed: (error) => {
          if (isCallersFault(error)) reject(error)
          end(failureOf(error, phase))
        },
      })
      const stopDeadline = startDeadline({
        atMs: deadlineMs,
        isConnected: () => phase === 'answer',
        expired: () => end(reader.cut('timeout') ?? { kind: 'timeout', phase }),
      })
      beginAnswer()
      client.dispatch({ path, method: 'POST', headers: request.headers.flat(), body: Buffer.from(request.body) }, reader.handler)
    })

  return {
    origin: url.origin,
    post: async (request, path, deadlineMs) => {
      isFresh = false
      const result = await exchange(request, path, deadlineMs)
      isStale = result.kind === 'connection_reset' && !isFresh
      if (result.kind !== 'answered' || result.bodyEnd !== 'whole') close()
      return result.kind === 'answered' && result.status > STATUS_MAX ? { kind: 'invalid_response' } : result
    },
    wasStale: () => isStale,
    isOpen: () => !client.destroyed,
    close,
  }
}
