import type { ThreadFigures } from '@switchyard/composition'
import type { CostOperations } from '@switchyard/cost-ingestion'
import type { Settings } from '@switchyard/runtime'
import type { CostMethods } from './cost-methods.ts'
import { startServiceThread, type ThreadPlaces } from './service-thread.ts'
import { askFigures } from './thread-figures.ts'
import type { OwnedLog } from './thread-methods.ts'

/** A deletion waits until costs were learned anew, within a bound of its own. */
const OPERATION_TIMEOUT_MS = 30_000

/** Nearly all that passes through it is short-lived: with more room it would only lie about longer, megabytes. */
const YOUNG_MB = 12

/** What the cost thread works on, and what it was told. */
export interface CostStart extends ThreadPlaces {
  /** Where files are kept until they are taken in. */
  readonly spoolFolder: string
  /** Where the data keys of merchants are kept. */
  readonly keyFolder: string
  /** Newest first. */
  readonly dataKeySecrets: readonly [newest: string, ...old: readonly string[]]
  readonly reports: Settings['reports']
  readonly webhooks: Settings['webhooks']
}

/** The cost thread as the main thread sees it. */
export interface Costs {
  readonly operations: CostOperations
  /** What the thread has counted of the log. */
  readonly metrics: () => Promise<ThreadFigures>
  readonly isReady: () => boolean
  /** Leaves reports that are being read, then ends the thread. */
  readonly stop: () => Promise<void>
}

/** Starts the thread that takes settlement reports in; `onFailure` hears of its end before {@link Costs.stop}. */
export const startCosts = (start: CostStart, log: OwnedLog, onFailure: (error: unknown) => void): Costs => {
  const kind = { name: 'cost', script: new URL('./cost-worker.js', import.meta.url), timeoutMs: OPERATION_TIMEOUT_MS, youngMb: YOUNG_MB }
  const { call, watchReadiness, end } = startServiceThread<CostMethods>(kind, start, log, onFailure)
  return {
    operations: {
      accept: (argument) => call('accept', argument),
      takeNotice: (argument) => call('takeNotice', argument),
      list: (argument) => call('list', argument),
      retrieve: (argument) => call('retrieve', argument),
      remove: (argument) => call('remove', argument),
      validateHeaders: (argument) => call('validateHeaders', argument),
      preview: (argument) => call('preview', argument),
      clusters: (argument) => call('clusters', argument),
      facets: (argument) => call('facets', argument),
      connectorFees: (argument) => call('connectorFees', argument),
      coverage: (argument) => call('coverage', argument),
      priceChanges: (argument) => call('priceChanges', argument),
      waitFor: (argument) => call('waitFor', argument),
    },
    metrics: askFigures(() => call('metrics', null)),
    isReady: watchReadiness(() => call('isReady', null)),
    stop: () => end(() => call('stop', null)),
  }
}
