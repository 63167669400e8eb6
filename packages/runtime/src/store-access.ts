import { type DocumentWrite, isOperatingError, type ReadStore, type WriteOutcome } from '@switchyard/kernel'
import { WRITE_BATCH_COUNT_MAX } from './limits.ts'
import { retry } from './retry.ts'
import type { Timers } from './timers.ts'

/** A store that is waited for, as long as it takes. */
export interface StoreAccess {
  /** Repeats `task` while the store is away; other failures go up. */
  readonly reach: <Value>(task: () => Promise<Value>) => Promise<Value>
  /** Writes in batches of a bounded size; `settle` hears of each batch that is durable. */
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
      for (let i = 0; i < writes.length; i += WRITE_BATCH_COUNT_MAX) {
        const batch = writes.slice(i, i + WRITE_BATCH_COUNT_MAX)
        settle(batch, await reach(() => store.write(batch)))
      }
    },
    failure: () => failure,
  }
}
