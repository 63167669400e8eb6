import { Worker } from 'node:worker_threads'
import type { AnalyticsQueries } from '@switchyard/analytics'
import type { CollectionSpec } from '@switchyard/kernel'
import { domainCollections } from '@switchyard/projector'
import { type DatastoreProbe, healthProbesCollection } from '@switchyard/query-api'
import type { BackgroundMethods } from './background-methods.ts'
import { createCaller } from './message-calls.ts'

/** Every collection of the read store; the same list in all threads. */
export const STANDALONE_COLLECTIONS: readonly CollectionSpec[] = [...domainCollections, healthProbesCollection]

/** What the background thread works on. */
export interface BackgroundFolders {
  readonly logFolder: string
  readonly storeFolder: string
}

/** The background thread as the main thread sees it. */
export interface Background {
  readonly queries: AnalyticsQueries
  readonly probe: DatastoreProbe
  /** Whether the projections had caught up with the log once since the start, and the thread still runs. */
  readonly isCaughtUp: () => boolean
  /** Stores what was folded, then ends the thread. */
  readonly stop: () => Promise<void>
}

/** Starts the thread; `onFailure` hears of its end before {@link Background.stop}. */
export const startBackground = (folders: BackgroundFolders, onFailure: (error: unknown) => void): Background => {
  const worker = new Worker(new URL('./background-worker.js', import.meta.url), { workerData: folders })
  const caller = createCaller<BackgroundMethods>({
    send: (message) => worker.postMessage(message),
    receive: (listener) => worker.on('message', listener),
  })
  let state: 'catching-up' | 'caught-up' | 'stopping' = 'catching-up'

  const fail = (error: unknown): void => {
    caller.fail('the background thread has ended')
    if (state !== 'stopping') onFailure(error)
  }
  worker.once('error', fail)
  worker.once('exit', () => fail(new Error('the background thread ended by itself')))

  /** One question may run out of time while a long log is projected: asks until the answer comes or the thread is gone. */
  const watchCatchingUp = async (): Promise<void> => {
    while (state === 'catching-up') {
      const caughtUp = await caller.call('caughtUp', null).then(
        () => true,
        () => false,
      )
      if (caughtUp && state === 'catching-up') state = 'caught-up'
    }
  }
  void watchCatchingUp()

  return {
    queries: {
      overview: (...argument) => caller.call('overview', argument),
      gatewayScores: (...argument) => caller.call('gatewayScores', argument),
      paymentAudit: (...argument) => caller.call('paymentAudit', argument),
    },
    probe: {
      connect: () => caller.call('probe', 'connect'),
      read: () => caller.call('probe', 'read'),
      write: () => caller.call('probe', 'write'),
      remove: () => caller.call('probe', 'remove'),
    },
    isCaughtUp: () => state === 'caught-up',
    stop: async () => {
      state = 'stopping'
      await caller.call('stop', null)
      await worker.terminate()
    },
  }
}
