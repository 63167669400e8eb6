import { type DocumentWrite, isOperatingError, type ReadStore, type WriteOutcome } from '@switchyard/kernel'
import { WRITE_BATCH_COUNT_MAX, WRITE_BATCHES_AT_ONCE_MAX } from './limits.ts'
import { retry } from './retry.ts'
import type { Timers } from './timers.ts'

/** A store that is waited for, as long as it takes. */
export interface StoreAccess {
  /** Repeats `task` while the store is away; other failures go up. */
  readonly reach: <Value>(task: () => Promise<Value>) => Promise<Value>
  /** Writes in batches of a bounded size, some at once; `settle` hears of each batch that is durable, in order. */
  readonly write: (
    writes: readonly DocumentWrite[],
    settle: (batch: readonly DocumentWrite[], outcomes: readonly WriteOutcome[]) => void,
  ) => Promise<void>
  /** Why the store does not answer at the moment. */
  readonly failure: () => unknown
}

const isStoreAway = (error: unknown): boolean => isOperatingError(error, 'STORE_UNAVAILABLE')

/** {@link StoreAccess} until `signal` is aborted: then the next failure goes up. */
export const createStoreAccess = (store: ReadStore, timers: Timers, signal: AbortSignal): StoreAccess => {
  let failure: unknown

  const reach: StoreAccess['reach'] = (task) => {
    const onAttempt = (error: unknown): void => {
      failure = error
    }
    return retry(task, { isTransient: isStoreAway, onAttempt, timers, signal })
  }

  return {
    reach,
    write: async (writes, settle) => {
      const batches: (readonly DocumentWrite[])[] = []
      for (let i = 0; i < writes.length; i += WRITE_BATCH_COUNT_MAX) batches.push(writes.slice(i, i + WRITE_BATCH_COUNT_MAX))
      for (let i = 0; i < batches.length; i += WRITE_BATCHES_AT_ONCE_MAX) {
        const group = batches.slice(i, i + WRITE_BATCHES_AT_ONCE_MAX)
        const written = await Promise.allSettled(group.map((batch) => reach(() => store.write(batch))))
        for (const [index, outcome] of written.entries()) {
          if (outcome.status === 'rejected') throw outcome.reason
          settle(group[index] ?? [], outcome.value)
        }
      }
    },
    failure: () => failure,
  }
}
