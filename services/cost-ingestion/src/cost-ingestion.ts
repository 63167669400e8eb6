import { costProjections } from '@switchyard/composition'
import { createAccountDirectory } from '@switchyard/costs'
import type { EventCodec } from '@switchyard/events'
import type { EventLog, Hmac, NewId, Now, ReadStore } from '@switchyard/kernel'
import { createReadModelProgress, type StreamStates } from '@switchyard/runtime'
import { createFitter } from './fitting/fitter.ts'
import { createSweeps } from './ingesting/sweeps.ts'
import { createIngestionWorker } from './ingesting/worker.ts'
import { createIngestionOperations } from './ingestion-operations.ts'
import { createCostJournal } from './journal.ts'
import { createTakeNotice } from './notices/take-notice.ts'
import type { CostOperations } from './operations.ts'
import type { Parts } from './parts.ts'
import { createPoller } from './polling/poller.ts'
import { createCostReads } from './reads/cost-reads.ts'
import { createSampleOperations } from './sample-operations.ts'

/** What the service works on. */
export interface CostIngestionDependencies
  extends Pick<Parts, 'spool' | 'readReport' | 'fitReports' | 'report' | 'cipher' | 'sourceOf' | 'isAlone'> {
  readonly log: EventLog
  /** Opened with the collections of costs; others project into it. */
  readonly store: ReadStore
  readonly codec: EventCodec
  readonly states: StreamStates
  readonly hmac: Hmac
  /** How often connectors are asked for new reports, seconds; 0: never. */
  readonly pollSeconds: number
  readonly now: Now
  readonly newId: NewId
}

/** Takes settlement reports in, learns from them, and tells of both. */
export interface CostIngestion {
  readonly operations: CostOperations
  /** Waits until the documents have caught up with the log, then takes up what is due. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** The {@link CostIngestion} of a process. */
export const createCostIngestion = (dependencies: CostIngestionDependencies): CostIngestion => {
  const { log, store, codec, newId } = dependencies
  const documents = createReadModelProgress({ log, store, topic: 'costs', projections: costProjections.map(({ name }) => name) })
  const journal = createCostJournal({ log, codec, documents, newId })
  const parts: Parts = { ...dependencies, journal, store: documents.readModels }
  const fitter = createFitter(parts)
  const worker = createIngestionWorker(parts, fitter)
  const noticing = { ...dependencies, ...parts, states: dependencies.states }
  const poller = createPoller(noticing, worker, dependencies.pollSeconds)
  const sweeps = createSweeps({ ...parts, caughtUp: documents.caughtUp })

  return {
    operations: {
      ...createIngestionOperations(parts, worker, fitter),
      ...createSampleOperations(parts),
      ...createCostReads(parts, createAccountDirectory(dependencies.states)),
      takeNotice: createTakeNotice(noticing, worker),
      waitFor: documents.projectedUpTo,
    },
    start: async () => {
      await sweeps.start()
      worker.start()
      await poller.start()
    },
    stop: async () => {
      await poller.stop()
      await worker.stop()
      const swept = sweeps.stop()
      // Ends a sweep that waits for them.
      documents.stop()
      await swept
    },
  }
}
