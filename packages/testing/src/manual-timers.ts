/** For tests: time that moves only when it is told to. */
export interface ManualTimers {
  readonly now: () => number
  readonly after: (delayMs: number, run: () => void) => () => void
  /** Moves the clock on and runs what is due. */
  readonly advance: (ms: number) => void
}

/** Timers at time 0. */
export const createManualTimers = (): ManualTimers => {
  const pending = new Set<{ readonly atMs: number; readonly run: () => void }>()
  let nowMs = 0
  return {
    now: () => nowMs,
    after: (delayMs, run) => {
      const timer = { atMs: nowMs + delayMs, run }
      pending.add(timer)
      return () => void pending.delete(timer)
    },
    advance: (ms) => {
      nowMs += ms
      for (const timer of pending) {
        if (timer.atMs > nowMs) continue
        pending.delete(timer)
        timer.run()
      }
    },
  }
}

/** Lets everything run that waits for no timer. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
