import {
  type DocumentWrite,
  includes,
  isOperatingError,
  type Now,
  type Positions,
  type ReadStore,
  type StoredDocument,
} from '@switchyard/kernel'
import type { LifecycleReport } from './lifecycle.ts'
import { systemTimers, type Timers } from './timers.ts'

/** Forgets documents that are past their age; the log forgets by itself. */
export interface Retention {
  /** A pass now, and one every {@link RETENTION_INTERVAL_MS}. */
  readonly start: () => void
  readonly stop: () => Promise<void>
  /** One pass, now; resolves with how many documents were forgotten. */
  readonly forgetOld: () => Promise<number>
}

/** Which documents are forgotten when. */
export interface RetentionRule {
  readonly collections: readonly string[]
  /** Declared index of each of them, by a time in epoch milliseconds alone. */
  readonly index: string
  readonly ageMsMax: number
}

/** What {@link createRetention} needs. */
export interface RetentionDependencies {
  readonly rule: RetentionRule
  readonly store: ReadStore
  readonly now: Now
  readonly report: LifecycleReport
  /** How far the read models are stored. */
  readonly positions: () => Promise<Positions>
  readonly timers?: Timers
}

/** An hour. */
const RETENTION_INTERVAL_MS = 3_600_000
/** Documents that a pass takes from the store in one call. */
const PAGE_DOCUMENTS = 500

/** A removal stands behind the last event of a document: only once the event there is known to be none of it. */
const removalsOf = (collection: string, page: readonly StoredDocument<object>[], stored: Positions): readonly DocumentWrite[] =>
  page
    .map(({ key, position: { partition, offset } }) => ({ collection, key, position: { partition, offset: offset + 1 }, body: null }))
    .filter(({ position }) => includes(stored, position))

/** {@link Retention} of read models by their rule. */
export const createRetention = ({ rule, store, now, report, positions, timers = systemTimers }: RetentionDependencies): Retention => {
  let cancel: (() => void) | undefined
  let pass: Promise<unknown> = Promise.resolve()
  let isStopped = false

  const forget = async (collection: string, to: number): Promise<number> => {
    let count = 0
    // Those that have to wait, of another projector's partitions for one, come first in every further page.
    let waitingCount = 0
    while (!isStopped) {
      const query = {
        collection,
        index: rule.index,
        prefix: [],
        to,
        order: 'ascending',
        limit: PAGE_DOCUMENTS,
        offset: waitingCount,
      } as const
      const page = await store.range<object>(query)
      const removals = removalsOf(collection, page, await positions())
      if (removals.length > 0) await store.write(removals)
      count += removals.length
      waitingCount += page.length - removals.length
      if (page.length < PAGE_DOCUMENTS) return count
    }
    return count
  }

  const forgetOld = async (): Promise<number> => {
    let count = 0
    for (const collection of rule.collections) count += await forget(collection, now() - rule.ageMsMax)
    return count
  }

  const run = async (): Promise<void> => {
    try {
      await forgetOld()
    } catch (error) {
      if (!isOperatingError(error)) throw error
      report.failed('old documents could not be forgotten; they will be', error)
    }
    if (!isStopped) schedule()
  }
  const schedule = (): void => {
    cancel = timers.after(RETENTION_INTERVAL_MS, () => {
      pass = run()
    })
  }

  return {
    forgetOld,
    start: () => {
      pass = run()
    },
    stop: async () => {
      isStopped = true
      cancel?.()
      await pass
    },
  }
}
