import { type DocumentWrite, includes, isOperatingError, type Positions, type StoredDocument } from '@switchyard/kernel'
import { systemTimers, type Timers } from '@switchyard/runtime'
import { AGE_INDEX, FORGETTING_COLLECTIONS, forgottenUpTo } from '@switchyard/webhooks'
import { RETENTION_INTERVAL_MS, SCAN_PAGE_COUNT } from '../limits.ts'
import type { Parts } from '../parts.ts'

/** Forgets what was sent and answered long ago; the chains and their flags stay (webhooks.md 10). */
export interface Retention {
  readonly start: () => void
  readonly stop: () => Promise<void>
  /** One pass, now; resolves with how many documents were forgotten. */
  readonly forgetOld: () => Promise<number>
}

/** What {@link createRetention} needs. */
export interface RetentionDependencies extends Pick<Parts, 'store' | 'now' | 'report'> {
  /** How far the read models are stored. */
  readonly positions: () => Promise<Positions>
  readonly timers?: Timers
}

/** {@link Retention} of the read models; the log forgets by itself. */
export const createRetention = ({ store, now, report, positions, timers = systemTimers }: RetentionDependencies): Retention => {
  let cancel: (() => void) | undefined
  let pass: Promise<unknown> = Promise.resolve()
  let isStopped = false

  /** A removal stands behind the last event of a document: only once the event there is known to be none of it. */
  const removalsOf = (collection: string, page: readonly StoredDocument<object>[], stored: Positions): readonly DocumentWrite[] =>
    page
      .map(({ key, position: { partition, offset } }) => ({ collection, key, position: { partition, offset: offset + 1 }, body: null }))
      .filter(({ position }) => includes(stored, position))

  const forget = async (collection: string, to: number): Promise<number> => {
    let count = 0
    while (!isStopped) {
      const query = { collection, index: AGE_INDEX, prefix: [], to, order: 'ascending', limit: SCAN_PAGE_COUNT } as const
      const removals = removalsOf(collection, await store.range<object>(query), await positions())
      if (removals.length > 0) await store.write(removals)
      count += removals.length
      if (removals.length < SCAN_PAGE_COUNT) return count
    }
    return count
  }

  const forgetOld = async (): Promise<number> => {
    let count = 0
    for (const collection of FORGETTING_COLLECTIONS) count += await forget(collection, forgottenUpTo(now()))
    return count
  }

  const run = async (): Promise<void> => {
    try {
      await forgetOld()
    } catch (error) {
      if (!isOperatingError(error)) throw error
      report.failed('old deliveries could not be forgotten; they will be', error)
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
