import type { Now } from '@switchyard/kernel'
import { COUNTED_ATTEMPT_KEYS_MAX } from '../limits.ts'

/** How many attempts are free, and how they come back. */
export interface AttemptLimitOptions {
  /** Attempts that may follow each other at once. */
  readonly burstCount: number
  /** One attempt comes back in so many milliseconds. */
  readonly refillMs: number
  readonly now: Now
  readonly keyCountMax?: number
}

/** Counts attempts by a key, in memory; a leaky bucket for each. */
export interface AttemptLimit {
  /** Takes one attempt; when none is left, takes none and says after how many milliseconds there is one. */
  readonly take: (key: string) => { readonly taken: true } | { readonly taken: false; readonly retryAfterMs: number }
  /** Returns an attempt that was taken. */
  readonly giveBack: (key: string) => void
}

const TAKEN = { taken: true } as const

/** An {@link AttemptLimit}. Of each key only the time is kept at which its bucket will be full again. */
export const createAttemptLimit = (options: AttemptLimitOptions): AttemptLimit => {
  const { burstCount, refillMs, now, keyCountMax = COUNTED_ATTEMPT_KEYS_MAX } = options
  const fullAt = new Map<string, number>()

  const remember = (key: string, at: number): void => {
    // A Map is ordered by insertion: the first entry is the one that was not touched for longest.
    fullAt.delete(key)
    if (fullAt.size >= keyCountMax) {
      const [oldest] = fullAt.keys()
      if (oldest !== undefined) fullAt.delete(oldest)
    }
    fullAt.set(key, at)
  }

  return {
    take: (key) => {
      const at = now()
      const emptyMs = burstCount * refillMs
      const kept = fullAt.get(key) ?? at
      // Further off than that of an empty bucket: the clock was ahead when it was kept, and has been set back.
      const next = (kept > at + emptyMs ? at : Math.max(kept, at)) + refillMs
      const retryAfterMs = next - at - emptyMs
      if (retryAfterMs > 0) return { taken: false, retryAfterMs }
      remember(key, next)
      return TAKEN
    },
    giveBack: (key) => {
      const at = fullAt.get(key)
      if (at === undefined) return
      if (at - refillMs <= now()) fullAt.delete(key)
      else fullAt.set(key, at - refillMs)
    },
  }
}
