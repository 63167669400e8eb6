import { createRounds, systemTimers, type Timers } from '@switchyard/runtime'
import { ORPHAN_AGE_MS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { openIngestions } from './open-ingestions.ts'

/** Removes, again and again, files that belong to no ingestion: those of uploads that the log did not take. */
export interface Sweeps {
  /** Looks once, now. */
  readonly round: () => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** What sweeping works with. */
type SweepParts = Pick<Parts, 'store' | 'now' | 'report'> & {
  readonly spool: Pick<Parts['spool'], 'sweep'>
  /** Resolves when the documents include all that was accepted so far. */
  readonly caughtUp: () => Promise<void>
}

/** {@link Sweeps} of a process. */
export const createSweeps = ({ spool, store, now, report, caughtUp }: SweepParts, timers: Timers = systemTimers): Sweeps => {
  let isEnding = false
  const rounds = createRounds({
    name: 'sweeping the spool',
    items: () => [spool],
    lookAt: async () => {
      const untilMs = now() - ORPHAN_AGE_MS
      await caughtUp()
      await spool.sweep(await openIngestions(store), untilMs)
    },
    onFailure: (_, error) => {
      if (!isEnding) report.failed('files that nobody needs could not be removed from the spool; they will be', error)
    },
    pauseMs: ORPHAN_AGE_MS,
    timers,
  })
  return {
    round: rounds.round,
    start: rounds.start,
    stop: async () => {
      isEnding = true
      await rounds.stop()
    },
  }
}
