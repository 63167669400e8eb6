import { Worker } from 'node:worker_threads'
import type { AnalyticsQueries, JournalQueries } from '@switchyard/analytics'
import { type DatastoreProbe, type ProjectionFigures, watchReadiness } from '@switchyard/composition'
import type { Position } from '@switchyard/kernel'
import type { ProjectedTopic } from '@switchyard/projector'
import type { LookAtBackTest, ReadSavings, SimulatePage } from '@switchyard/query-api'
import type { RuleDataFiles } from '@switchyard/routing-data'
import { publishAnsweringLoad } from './answering-load.ts'
import type { BackgroundMethods } from './background-methods.ts'
import { createCaller } from './message-calls.ts'
import type { ThreadPlaces } from './service-thread.ts'

/** Nearly all that passes through it is short-lived: with more room it would only lie about longer, and projecting is no quicker, megabytes. */
const YOUNG_MB = 24

/** What the background thread works on. */
export interface BackgroundPlaces extends Pick<ThreadPlaces, 'logFolder' | 'storeFolder' | 'mongodbUri' | 'logLevel'> {
  readonly ruleDataFiles: RuleDataFiles
}

/** What the thread is told when it starts. */
export interface BackgroundStart extends BackgroundPlaces {
  /** See `answering-load.ts`. */
  readonly answeringLoad: SharedArrayBuffer
}

/** The background thread as the main thread sees it. */
export interface Background {
  readonly queries: AnalyticsQueries
  readonly journal: JournalQueries
  readonly simulatePage: SimulatePage
  readonly lookAtBackTest: LookAtBackTest
  readonly readSavings: ReadSavings
  readonly probe: DatastoreProbe
  /** How far the projections are, for metrics. */
  readonly projections: () => Promise<readonly ProjectionFigures[]>
  /** Waits until the documents include `position`; rejects with `POSITION_NOT_REACHED` after a bound. */
  readonly projectedUpTo: (topic: ProjectedTopic, position: Position) => Promise<void>
  /** Whether the projections have caught up with the log once since the start, and were well when they were last asked. */
  readonly isReady: () => boolean
  /** Stores what was folded, then ends the thread. */
  readonly stop: () => Promise<void>
}

const startWorker = (start: BackgroundStart): Worker =>
  new Worker(new URL('./background-worker.js', import.meta.url), {
    workerData: start,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  })

/** Starts the thread; `onFailure` hears of its end before {@link Background.stop}. */
export const startBackground = (places: BackgroundPlaces, onFailure: (error: unknown) => void): Background => {
  const load = publishAnsweringLoad()
  const start: BackgroundStart = { ...places, answeringLoad: load.shared }
  const worker = startWorker(start)
  const caller = createCaller<BackgroundMethods>({
    send: (message) => worker.postMessage(message),
    receive: (listener) => worker.on('message', listener),
  })
  const ending = new AbortController()
  const isReady = watchReadiness({ ask: () => caller.call('isReady', null), signal: ending.signal })

  const fail = (error: unknown): void => {
    const isExpected = ending.signal.aborted
    ending.abort()
    caller.fail('the background thread has ended')
    if (!isExpected) onFailure(error)
  }
  worker.once('error', fail)
  worker.once('exit', () => fail(new Error('the background thread ended by itself')))

  return {
    queries: {
      overview: (...argument) => caller.call('overview', argument),
      gatewayScores: (...argument) => caller.call('gatewayScores', argument),
      decisions: (...argument) => caller.call('decisions', argument),
      routingStats: (...argument) => caller.call('routingStats', argument),
      logSummaries: (...argument) => caller.call('logSummaries', argument),
      paymentAudit: (...argument) => caller.call('paymentAudit', argument),
      routingEvents: (...argument) => caller.call('routingEvents', argument),
      keyUses: (...argument) => caller.call('keyUses', argument),
      experimentFigures: (...argument) => caller.call('experimentFigures', argument),
      experimentPayments: (...argument) => caller.call('experimentPayments', argument),
      clusterTraffic: (...argument) => caller.call('clusterTraffic', argument),
      comparisons: (...argument) => caller.call('comparisons', argument),
    },
    journal: {
      changes: (...argument) => caller.call('changes', argument),
      calibrations: (...argument) => caller.call('calibrations', argument),
    },
    simulatePage: (page) => caller.call('simulatePage', page),
    lookAtBackTest: (look) => caller.call('lookAtBackTest', look),
    readSavings: (...argument) => caller.call('readSavings', argument),
    projections: () => caller.call('projections', null),
    probe: {
      connect: () => caller.call('probe', 'connect'),
      read: () => caller.call('probe', 'read'),
      write: () => caller.call('probe', 'write'),
      remove: () => caller.call('probe', 'remove'),
    },
    projectedUpTo: (...argument) => caller.call('projectedUpTo', argument),
    isReady,
    stop: async () => {
      ending.abort()
      load.stop()
      try {
        await caller.call('stop', null)
      } finally {
        await worker.terminate()
      }
    },
  }
}
