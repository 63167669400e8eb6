import { readFileSync } from 'node:fs'

/** Work at a stretch while others wait for a core, milliseconds. Linux lets a thread that runs go on until its next tick, up to 4 ms. */
const STRETCH_MS = 0.5
/** Long enough that whoever waits gets the core, milliseconds. */
const BREATH_MS = 0.05
/** How often it is looked whether the machine is full, milliseconds. */
const LOOK_EVERY_MS = 100
/** Share of its time for which a thread waits for a core from which on the machine counts as full. */
const WAITING_SHARE = 0.01
const NS_PER_MS = 1_000_000

/** What a {@link createBreaths} looks at, replaced in tests. */
export interface BreathSenses {
  /** Milliseconds, with a fraction. */
  readonly monotonicMs: () => number
  /** Milliseconds for which the calling thread has waited for a core since it began; undefined where nobody tells. */
  readonly waitedMs: () => number | undefined
  /** Holds the calling thread up. */
  readonly rest: (ms: number) => void
}

/** Linux tells it of each thread (`/proc/thread-self/schedstat`: nanoseconds run, nanoseconds waited, slices). */
const waitedMs = (): number | undefined => {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / NS_PER_MS
  } catch {
    return undefined
  }
}

const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

const SENSES: BreathSenses = {
  monotonicMs: () => performance.now(),
  waitedMs,
  rest: (ms) => void Atomics.wait(cell, 0, 0, ms),
}

/**
 * Called between the steps of long work that others on the machine should not wait for (law 8): while it is full, the calling thread
 * rests for a moment every half millisecond. A low priority alone does not do it: who has the lower one still keeps the core until the
 * kernel's tick. Alone on its machine, or where nobody tells how full that is, it never rests.
 */
export const createBreaths = ({ monotonicMs, waitedMs, rest }: BreathSenses = SENSES): (() => void) => {
  let lookedAtMs = -Infinity
  let waitedUntilThenMs: number | undefined
  let restedAtMs = -Infinity
  let isFull = false

  const look = (atMs: number): void => {
    const nowWaitedMs = waitedMs()
    isFull =
      nowWaitedMs !== undefined && waitedUntilThenMs !== undefined && nowWaitedMs - waitedUntilThenMs > (atMs - lookedAtMs) * WAITING_SHARE
    waitedUntilThenMs = nowWaitedMs
    lookedAtMs = atMs
  }

  return () => {
    const atMs = monotonicMs()
    if (atMs - lookedAtMs >= LOOK_EVERY_MS) look(atMs)
    if (!isFull || atMs - restedAtMs < STRETCH_MS) return
    rest(BREATH_MS)
    restedAtMs = monotonicMs()
  }
}
