import type { DeliveryFigures, ThreadFigures } from '@switchyard/composition'
import type { WebhookOperations } from '@switchyard/webhook-dispatcher'
import { startServiceThread, type ThreadPlaces } from './service-thread.ts'
import { askFigures } from './thread-figures.ts'
import type { OwnedLog } from './thread-methods.ts'
import type { WebhookMethods } from './webhook-methods.ts'

/** An endpoint may take 30 s to answer, and everything around it some more. */
const OPERATION_TIMEOUT_MS = 45_000

/**
 * A delivery is at work for tens of milliseconds: with less room, garbage collection copies what belongs to deliveries under way again and again
 * ([ADR 0105](../../../docs/adr/0105-what-a-delivery-costs.md)).
 */
const YOUNG_MB = 192

/** What the webhook thread works on, and what it was told. */
export interface WebhookStart extends ThreadPlaces {
  /** Where the data keys of merchants are kept. */
  readonly keyFolder: string
  /** Newest first. */
  readonly dataKeySecrets: readonly [newest: string, ...old: readonly string[]]
  readonly allowCidrs: readonly string[]
  readonly allowHttp: boolean
}

/** The webhook thread as the main thread sees it. */
export interface Webhooks {
  readonly operations: WebhookOperations
  readonly figures: () => Promise<DeliveryFigures>
  /** What the thread has counted of log and read models. */
  readonly metrics: () => Promise<ThreadFigures>
  readonly isReady: () => boolean
  /** Waits for the attempts that are under way, then ends the thread. */
  readonly stop: () => Promise<void>
}

/** Starts the thread that delivers; it appends through this one. `onFailure` hears of its end before {@link Webhooks.stop}. */
export const startWebhooks = (start: WebhookStart, log: OwnedLog, onFailure: (error: unknown) => void): Webhooks => {
  const kind = {
    name: 'webhook',
    script: new URL('./webhook-worker.js', import.meta.url),
    timeoutMs: OPERATION_TIMEOUT_MS,
    youngMb: YOUNG_MB,
  }
  const { call, watchReadiness, end } = startServiceThread<WebhookMethods>(kind, start, log, onFailure)
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
    metrics: askFigures(() => call('metrics', null)),
    isReady: watchReadiness(() => call('isReady', null)),
    stop: () => end(() => call('stop', null)),
  }
}
