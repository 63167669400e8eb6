import { setImmediate as nextTurn } from 'node:timers/promises'
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

/** A batch whose write is under way. */
interface RunningWrite {
  readonly batch: readonly DocumentWrite[]
  readonly outcomes: Promise<readonly WriteOutcome[]>
}

const batchesOf = (writes: readonly DocumentWrite[]): readonly (readonly DocumentWrite[])[] => {
  const batches: (readonly DocumentWrite[])[] = []
  for (let i = 0; i < writes.length; i += WRITE_BATCH_COUNT_MAX) batches.push(writes.slice(i, i + WRITE_BATCH_COUNT_MAX))
  return batches
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
      const running: RunningWrite[] = []
      const settleOldest = async (): Promise<void> => {
        const oldest = running.shift()
        if (oldest !== undefined) settle(oldest.batch, await oldest.outcomes)
      }
      try {
        for (const batch of batchesOf(writes)) {
          if (running.length >= WRITE_BATCHES_AT_ONCE_MAX) await settleOldest()
          const outcomes = reach(() => store.write(batch))
          // A failure is told in its turn.
          outcomes.catch(() => {})
          running.push({ batch, outcomes })
          // The engine begins with it now, and writes while the next ones are made.
          await nextTurn()
        }
        while (running.length > 0) await settleOldest()
      } finally {
        // Behind one that failed the others may still be under way.
        await Promise.allSettled(running.map(({ outcomes }) => outcomes))
      }
    },
    failure: () => failure,
  }
}
