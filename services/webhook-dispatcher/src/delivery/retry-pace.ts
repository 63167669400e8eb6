import { systemTimers, type Timers } from '@switchyard/runtime'
import { RETRIES_PER_SECOND_MAX } from '../limits.ts'

/**
 * Starts of automatic retries of this process, evenly spaced: those that are overdue by the hundred thousand leave time for new
 * events (webhooks.md 12). Resolves when the next one may begin.
 */
export const createRetryPace = (timers: Timers = systemTimers): (() => Promise<void>) => {
  const spacingMs = 1_000 / RETRIES_PER_SECOND_MAX
  let nextAtMs = 0
  return async () => {
    const now = timers.now()
    const waitMs = nextAtMs - now
    nextAtMs = Math.max(nextAtMs, now) + spacingMs
    if (waitMs > 0) await new Promise<void>((resolve) => timers.after(waitMs, resolve))
  }
}
