import { setTimeout as sleep } from 'node:timers/promises'
import { kindOf } from './failures.ts'
import { RETRY_FIRST_MS, RETRY_MAX_MS } from './limits.ts'

/** How long something is tried. */
export interface Attempts {
  /** Milliseconds from now; infinite for a tail. */
  readonly forMs: number
  /** How long the brokers may deny the topic, milliseconds. */
  readonly topicMissingMaxMs: number
  /** Ends the attempts: the last failure is thrown. */
  readonly signal: AbortSignal
}

/** Resolves after `delayMs`, or at once when `signal` is aborted. */
const pause = async (delayMs: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(delayMs, undefined, { signal })
  } catch {
    // Aborted: whoever waits looks at the signal.
  }
}

/** Keeps count of failures in a row, and says when it is enough. */
export interface Patience {
  readonly succeeded: () => void
  /** Waits a little, or throws `error` when trying again is no use or has been tried long enough. */
  readonly failed: (error: unknown) => Promise<void>
}

/** {@link Patience} for these attempts. */
export const createPatience = ({ forMs, topicMissingMaxMs, signal }: Attempts): Patience => {
  let failingSinceMs: number | undefined
  let missingSinceMs: number | undefined
  let count = 0

  const isWorthIt = (error: unknown, nowMs: number): boolean => {
    if (signal.aborted) return false
    const kind = kindOf(error)
    missingSinceMs = kind === 'no-topic' ? (missingSinceMs ?? nowMs) : undefined
    if (missingSinceMs !== undefined) return nowMs - missingSinceMs < Math.min(topicMissingMaxMs, forMs)
    failingSinceMs ??= nowMs
    return kind === 'transient' && nowMs - failingSinceMs < forMs
  }

  return {
    succeeded: () => {
      failingSinceMs = undefined
      missingSinceMs = undefined
      count = 0
    },
    failed: async (error) => {
      if (!isWorthIt(error, performance.now())) throw error
      await pause(Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(count, 10)), signal)
      count += 1
      if (signal.aborted) throw error
    },
  }
}

/** Runs `task` until it succeeds or patience ends. */
export const persist = async <Result>(task: () => Promise<Result>, attempts: Attempts): Promise<Result> => {
  const patience = createPatience(attempts)
  for (;;) {
    try {
      return await task()
    } catch (error) {
      await patience.failed(error)
    }
  }
}
