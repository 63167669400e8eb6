import { Worker } from 'node:worker_threads'
import { type DeliveryFigures, watchReadiness } from '@switchyard/composition'
import type { EventLog } from '@switchyard/kernel'
import { type LogLevel, type Settings, systemTimers } from '@switchyard/runtime'
import type { WebhookOperations } from '@switchyard/webhook-dispatcher'
import { batchedMessages } from './batched-messages.ts'
import { createCaller, serveCalls } from './message-calls.ts'
import type { LogMethods, WebhookMethods } from './webhook-methods.ts'

/** An endpoint may take 30 s to answer, and everything around it some more. */
const OPERATION_TIMEOUT_MS = 45_000

/** What the webhook thread works on, and what it was told. */
export interface WebhookStart {
  readonly logFolder: string
  /** Of the embedded read store, when no address of MongoDB is given. */
  readonly storeFolder: string
  readonly mongodbUri: string | undefined
  /** Where the data keys of merchants are kept. */
  readonly keyFolder: string
  /** Newest first. */
  readonly dataKeySecrets: readonly [newest: string, ...old: readonly string[]]
  readonly allowCidrs: readonly string[]
  readonly allowHttp: boolean
  readonly logLevel: LogLevel
  readonly people: Settings['people']
}

/** The webhook thread as the main thread sees it. */
export interface Webhooks {
  readonly operations: WebhookOperations
  readonly figures: () => Promise<DeliveryFigures>
  readonly isReady: () => boolean
  /** Waits for the attempts that are under way, then ends the thread. */
  readonly stop: () => Promise<void>
}

/** Starts the thread that delivers; it appends through this one. `onFailure` hears of its end before {@link Webhooks.stop}. */
export const startWebhooks = (start: WebhookStart, log: Pick<EventLog, 'append'>, onFailure: (error: unknown) => void): Webhooks => {
  const worker = new Worker(new URL('./webhook-worker.js', import.meta.url), { workerData: start })
  const end = batchedMessages({
    send: (message) => worker.postMessage(message),
    receive: (listener) => worker.on('message', listener),
  })
  const own: LogMethods = { append: (batch) => Promise.all(batch.map((argument) => log.append(...argument))) }
  serveCalls(end, own)
  const { call, fail: failCalls } = createCaller<WebhookMethods>(end, {
    timers: systemTimers,
    now: Date.now,
    timeoutMs: OPERATION_TIMEOUT_MS,
  })
  const ending = new AbortController()

  const fail = (error: unknown): void => {
    const isExpected = ending.signal.aborted
    ending.abort()
    failCalls('the webhook thread has ended')
    if (!isExpected) onFailure(error)
  }
  worker.once('error', fail)
  worker.once('exit', () => fail(new Error('the webhook thread ended by itself')))

  return {
    operations: {
      configureEndpoint: (argument) => call('configureEndpoint', argument),
      readEndpoint: (argument) => call('readEndpoint', argument),
      removeEndpoint: (argument) => call('removeEndpoint', argument),
      rotateSecret: (argument) => call('rotateSecret', argument),
      testEndpoint: (argument) => call('testEndpoint', argument),
      submit: (argument) => call('submit', argument),
      retry: (argument) => call('retry', argument),
      list: (argument) => call('list', argument),
      attempts: (argument) => call('attempts', argument),
      retrieve: (argument) => call('retrieve', argument),
      recover: (argument) => call('recover', argument),
      readRecovery: (argument) => call('readRecovery', argument),
      waitFor: (argument) => call('waitFor', argument),
    },
    figures: () => call('figures', null),
    isReady: watchReadiness({ ask: () => call('isReady', null), signal: ending.signal }),
    stop: async () => {
      ending.abort()
      try {
        await call('stop', null)
      } finally {
        await worker.terminate()
      }
    },
  }
}
