import type { HttpLogger } from '@switchyard/http'
import { systemTimers, type Timers } from '@switchyard/runtime'

/** Something that keeps happening is told at most this often, milliseconds. */
export const TALLY_INTERVAL_MS = 1_000
/** Failed requests that get a line of their own in such an interval; of more, only the number is told. */
export const FAILURE_LINES_MAX = 50

/** Counts what happens, and tells of it now and then. */
export interface Tally {
  /** Tells at once, unless it was told shortly before; then the counts are added up. */
  readonly add: (count: number, cause?: unknown) => void
  /** Tells what was not told yet. */
  readonly flush: () => void
}

/** A {@link Tally}; `tell` gets the number since the last time, and the last cause there was. */
export const createTally = (tell: (count: number, cause: unknown) => void, timers: Timers = systemTimers): Tally => {
  let untold = 0
  let lastCause: unknown
  let isQuiet = false

  const flush = (): void => {
    if (untold === 0) return
    const [count, cause] = [untold, lastCause]
    untold = 0
    lastCause = undefined
    tell(count, cause)
  }
  const tellNow = (): void => {
    isQuiet = untold > 0
    if (!isQuiet) return
    timers.after(TALLY_INTERVAL_MS, tellNow)
    flush()
  }

  return {
    flush,
    add: (count, cause) => {
      untold += count
      lastCause = cause ?? lastCause
      if (!isQuiet) tellNow()
    },
  }
}

/** The logger for failed requests: when a part is away every request fails, and the log must not become the next one. */
export const createLimitedLogger = (logger: HttpLogger, timers: Timers = systemTimers): HttpLogger => {
  const suppressed = createTally((suppressedCount) => logger.error({ suppressedCount }, 'more requests failed than are logged'), timers)
  let intervalEndMs = 0
  let lineCount = 0

  return {
    error: (fields, message) => {
      if (timers.now() >= intervalEndMs) {
        intervalEndMs = timers.now() + TALLY_INTERVAL_MS
        lineCount = 0
      }
      lineCount += 1
      if (lineCount <= FAILURE_LINES_MAX) logger.error(fields, message)
      else suppressed.add(1)
    },
  }
}
