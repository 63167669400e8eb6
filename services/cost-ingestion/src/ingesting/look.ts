import { isOperatingError } from '@switchyard/kernel'

/** Looks for work, one look at a time, and remembers what it led to. */
export interface Look {
  /** Looks at once, or again after the look that is under way. */
  readonly wake: () => void
  /** Work that is waited for at the end; its failures are told. */
  readonly track: (work: Promise<unknown>) => void
  /** Looks no more, and waits for what was begun. */
  readonly end: () => Promise<void>
}

/** A {@link Look}; one that fails because log or documents are away is made again when it is asked for. */
export const createLook = (look: () => Promise<void>, failed: (error: unknown) => void): Look => {
  const tracked = new Set<Promise<void>>()
  let isEnded = false
  let isAsked = false
  let looking: Promise<void> | undefined

  const run = async (): Promise<void> => {
    while (isAsked && !isEnded) {
      isAsked = false
      await look().catch((error: unknown) => {
        if (!isOperatingError(error)) failed(error)
      })
    }
    // At once: who asks a moment later is to begin anew.
    looking = undefined
  }

  return {
    wake: () => {
      isAsked = true
      looking ??= run()
    },
    track: (work) => {
      const told: Promise<void> = work
        .then(() => {}, failed)
        .finally(() => {
          tracked.delete(told)
        })
      tracked.add(told)
    },
    end: async () => {
      isEnded = true
      await looking
      await Promise.all(tracked)
    },
  }
}
