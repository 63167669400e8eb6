import { setMaxListeners } from 'node:events'

/** Time for waits and retries: a clock in milliseconds that never goes back, and one-shot timers. Tests drive it by hand. */
export interface Timers {
  readonly now: () => number
  /** Runs `run` once after `delayMs`; the answer cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void
}

/** The timers of the process. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

/** Resolves after `delayMs`, or at once when `signal` is aborted. */
export const pause = (timers: Timers, delayMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = timers.after(delayMs, end)
    // As many as wait for one end: each takes its own listener back, and Node would tell of a leak from the eleventh on.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', end)
  })

/** The promise's outcome, or a rejection with `late()` after `boundMs`. */
export const within = <Value>(timers: Timers, promise: Promise<Value>, boundMs: number, late: () => Error): Promise<Value> =>
  new Promise((resolve, reject) => {
    const cancel = timers.after(boundMs, () => reject(late()))
    void promise.then(resolve, reject).finally(cancel)
  })
