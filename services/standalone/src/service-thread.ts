import { type Transferable, Worker } from 'node:worker_threads'
import { watchReadiness } from '@switchyard/composition'
import { type LogLevel, type Settings, systemTimers } from '@switchyard/runtime'
import { batchedMessages } from './batched-messages.ts'
import { CALL_TIMEOUT_MS, type Caller, createCaller, type Methods, serveCalls } from './message-calls.ts'
import type { LogMethods, OwnedLog } from './thread-methods.ts'

/** What the thread of a service works on. */
export interface ThreadPlaces {
  readonly logFolder: string
  /** Of the embedded read store, when no address of MongoDB is given. */
  readonly storeFolder: string
  readonly mongodbUri: string | undefined
  readonly logLevel: LogLevel
  readonly people: Settings['people']
}

/** A service in a thread of its own, as the main thread sees it. */
export interface ServiceThread<Of extends Methods> {
  readonly call: Caller<Of>['call']
  /** Asks again and again until the thread ends; one that is silent for {@link CALL_TIMEOUT_MS} is not ready, also where its operations may take longer. */
  readonly watchReadiness: (ask: () => Promise<boolean>) => () => boolean
  /** Lets the service end by `stop`, then the thread. */
  readonly end: (stop: () => Promise<void>) => Promise<void>
}

/** Which thread is started, and how long its answers may take. */
export interface ThreadKind {
  readonly name: string
  readonly script: URL
  readonly timeoutMs: number
  /** Room for what it makes and needs for a moment only, megabytes; absent: what Node gives each thread. */
  readonly youngMb?: number
  /** What of its start is the thread's alone. */
  readonly transferred?: readonly Transferable[]
}

/** Starts the thread of a service; it appends through this one. `onFailure` hears of its end before {@link ServiceThread.end}. */
export const startServiceThread = <Of extends Methods>(
  { name, script, timeoutMs, youngMb, transferred = [] }: ThreadKind,
  start: ThreadPlaces,
  log: OwnedLog,
  onFailure: (error: unknown) => void,
): ServiceThread<Of> => {
  const limits = youngMb === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngMb } }
  const worker = new Worker(script, { workerData: start, transferList: [...transferred], ...limits })
  const end = batchedMessages({
    send: (message) => worker.postMessage(message),
    receive: (listener) => worker.on('message', listener),
  })
  const own: LogMethods = { append: log.putChunks }
  serveCalls(end, own)
  const { call, fail: failCalls } = createCaller<Of>(end, { timers: systemTimers, now: Date.now, timeoutMs })
  const ending = new AbortController()

  const fail = (error: unknown): void => {
    const isExpected = ending.signal.aborted
    ending.abort()
    failCalls(`the ${name} thread has ended`)
    if (!isExpected) onFailure(error)
  }
  worker.once('error', fail)
  worker.once('exit', () => fail(new Error(`the ${name} thread ended by itself`)))

  return {
    call,
    watchReadiness: (ask) => watchReadiness({ ask, answerMaxMs: CALL_TIMEOUT_MS, signal: ending.signal }),
    end: async (stop) => {
      ending.abort()
      try {
        await stop()
      } finally {
        await worker.terminate()
      }
    },
  }
}
