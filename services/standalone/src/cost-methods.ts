import type { ThreadFigures } from '@switchyard/composition'
import type { CostOperations } from '@switchyard/cost-ingestion'

/** What the cost thread does for the main thread. */
export type CostMethods = { readonly [Name in keyof CostOperations]: CostOperations[Name] } & {
  /** What this thread has counted of the log. */
  readonly metrics: (nothing: null) => Promise<ThreadFigures>
  readonly isReady: (nothing: null) => Promise<boolean>
  readonly stop: (nothing: null) => Promise<void>
}
