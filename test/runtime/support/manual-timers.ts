import type { Timers } from '@switchyard/runtime'

/** Time that moves only when a test says so. */
export interface ManualTimers extends Timers {
  /** Moves the clock on and runs what is due, in order. */
  readonly advance: (ms: number) => void
  readonly pendingCount: () => number
}

interface Pending {
  readonly atMs: number
  readonly run: () => void
}

export const createManualTimers = (): ManualTimers => {
  const pending = new Set<Pending>()
  let nowMs = 0

  const nextDue = (untilMs: number): Pending | undefined =>
    [...pending].filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs)[0]

  return {
    now: () => nowMs,
    after: (delayMs, run) => {
      const timer = { atMs: nowMs + delayMs, run }
      pending.add(timer)
      return () => void pending.delete(timer)
    },
    advance: (ms) => {
      const untilMs = nowMs + ms
      for (let timer = nextDue(untilMs); timer !== undefined; timer = nextDue(untilMs)) {
        pending.delete(timer)
        nowMs = timer.atMs
        timer.run()
      }
      nowMs = untilMs
    },
    pendingCount: () => pending.size,
  }
}

/** Turns of the event loop that a test waits for something, at most. */
const TURNS_MAX = 20_000

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Lets the event loop turn until `condition` holds. */
export const until = async (what: string, condition: () => boolean | Promise<boolean>): Promise<void> => {
  for (let turns = 0; turns < TURNS_MAX; turns++) {
    if (await condition()) return
    await turn()
  }
  throw new Error(`never came: ${what}`)
}
