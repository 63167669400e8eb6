import { RETRY_FIRST_MS, RETRY_MAX_MS } from './limits.ts'
import { pause, type Timers } from './timers.ts'

/** How a failing task is tried again. */
export interface Retrying {
  readonly isTransient: (error: unknown) => boolean
  /** Called with each transient failure, and with undefined when the task succeeds. */
  readonly onAttempt?: (failure: unknown) => void
  readonly timers: Timers
  /** Ends the attempts: the last failure is thrown. */
  readonly signal: AbortSignal
}

/** The pause before attempt number `attempt` (from 0), milliseconds: doubling up to a bound. */
const retryDelayMs = (attempt: number): number => Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(attempt, 16))

/** Runs `task` until it succeeds, fails for good, or `signal` is aborted. */
export const retry = async <Value>(task: () => Promise<Value>, retrying: Retrying): Promise<Value> => {
  for (let attempt = 0; ; attempt++) {
    try {
      const value = await task()
      retrying.onAttempt?.(undefined)
      return value
    } catch (error) {
      if (!retrying.isTransient(error) || retrying.signal.aborted) throw error
      retrying.onAttempt?.(error)
      await pause(retrying.timers, retryDelayMs(attempt), retrying.signal)
    }
  }
}
