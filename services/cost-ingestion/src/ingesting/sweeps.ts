import { pause, systemTimers, type Timers } from '@switchyard/runtime'
import { ORPHAN_AGE_MS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { openIngestions } from './open-ingestions.ts'

/** Removes files that belong to no ingestion: what earlier processes have left behind, and uploads that the log did not take. */
export interface Sweeps {
  /** Sweeps, and goes on every {@link ORPHAN_AGE_MS}. Rejects when the first time fails. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** What sweeping works with. */
type SweepParts = Pick<Parts, 'store' | 'now' | 'report' | 'isAlone'> & {
  readonly spool: Pick<Parts['spool'], 'sweep'>
  /** Resolves when the documents include all that was accepted so far. */
  readonly caughtUp: () => Promise<void>
}

const MS_PER_SECOND = 1_000

/** {@link Sweeps} of a process. */
export const createSweeps = (parts: SweepParts, timers: Timers = systemTimers): Sweeps => {
  const { spool, store, now, report, isAlone, caughtUp } = parts
  const ending = new AbortController()
  const { signal } = ending
  let running: Promise<void> = Promise.resolve()

  /** Where there is nobody else, what was written before this process began was left behind. A thread begins later, and files may be taken in by then. */
  const leftBehindUntil = (): number => {
    const oldMs = now() - ORPHAN_AGE_MS
    return isAlone ? Math.max(oldMs, now() - process.uptime() * MS_PER_SECOND) : oldMs
  }

  const sweep = async (): Promise<void> => {
    const untilMs = leftBehindUntil()
    await caughtUp()
    await spool.sweep(await openIngestions(store), untilMs)
  }

  const sweepAgain = async (): Promise<void> => {
    while (!signal.aborted) {
      await pause(timers, ORPHAN_AGE_MS, signal)
      if (signal.aborted) return
      await sweep().catch((error: unknown) => {
        if (!signal.aborted) report.failed('files that nobody needs could not be removed from the spool; they will be', error)
      })
    }
  }

  return {
    start: async () => {
      await sweep()
      running = sweepAgain()
    },
    stop: async () => {
      ending.abort()
      await running
    },
  }
}
