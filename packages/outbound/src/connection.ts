import type { Socket } from 'node:net'
import type { OutboundPhase, OutboundRequest, OutboundResult } from '@switchyard/kernel'
import { type buildConnector, Client } from 'undici'
import { createAnswerReader } from './answer-reader.ts'
import { failureOf, isCallersFault } from './failures.ts'
import { ANSWER_HEADER_BYTES_MAX, CONNECT_TIMEOUT_MS, IDLE_MS_MAX } from './limits.ts'
import { openSocket, type SocketSettings } from './open-socket.ts'

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

/** A connection to the origin of `url`; `gone` is told whenever the other side or the idle time ends it. */
export const createConnection = (url: URL, settings: SocketSettings, gone: () => void): Connection => {
  let phase: OutboundPhase = 'answer'
  let socket: Socket | undefined
  let isFresh = false
  let isStale = false

  const connect: buildConnector.connector = (_options, callback) => {
    isFresh = true
    socket = openSocket(url, settings, {
      phase: (reached) => {
        phase = reached
      },
      opened: (opened) => callback(null, opened),
      failed: (error) => callback(error, null),
    })
  }
  const client = new Client(url.origin, {
    connect,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS_MAX,
    keepAliveMaxTimeout: IDLE_MS_MAX,
    maxHeaderSize: ANSWER_HEADER_BYTES_MAX,
    // One timer goes over all of it, see below.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  client.on('disconnect', gone)

  const close = (): void => {
    client.off('disconnect', gone)
    void client.destroy()
    socket?.destroy()
  }

  const post: Connection['post'] = (request, path, deadlineMs) =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      let isEnded = false
      isFresh = false

      const end = (result: OutboundResult): void => {
        if (isEnded) return
        isEnded = true
        clearTimeout(timer)
        isStale = result.kind === 'connection_reset' && !isFresh
        if (result.kind !== 'answered' || result.bodyEnd !== 'whole') close()
        resolve(result.kind === 'answered' && result.status > STATUS_MAX ? { kind: 'invalid_response' } : result)
      }
      const reader = createAnswerReader({
        answered: end,
        failed: (error) => {
          if (isCallersFault(error)) reject(error)
          else end(failureOf(error, phase))
        },
      })
      const expire = (): void => end(reader.cut('timeout') ?? { kind: 'timeout', phase })
      const checkDeadlines = (): void => {
        const leftMs = deadlineMs - performance.now()
        if (phase !== 'answer' || leftMs <= 0) expire()
        else timer = setTimeout(checkDeadlines, leftMs)
      }
      timer = setTimeout(checkDeadlines, Math.max(0, Math.min(CONNECT_TIMEOUT_MS, deadlineMs - performance.now())))
      client.dispatch({ path, method: 'POST', headers: request.headers.flat(), body: Buffer.from(request.body) }, reader.handler)
    })

  return { origin: url.origin, post, wasStale: () => isStale, isOpen: () => !client.destroyed, close }
}
