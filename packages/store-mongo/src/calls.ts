import { OperatingError } from '@switchyard/kernel'
import { CALL_COUNT_MAX } from './limits.ts'

/** The calls that are under way: a bound, and their end. */
export interface Calls {
  /** Refuses the call when too many are under way already. */
  readonly run: <Result>(call: () => Promise<Result>) => Promise<Result>
  /** Resolves when those that are under way have ended. */
  readonly ended: () => Promise<void>
}

export const createCalls = (): Calls => {
  const underWay = new Set<Promise<unknown>>()
  return {
    run: async (call) => {
      if (underWay.size >= CALL_COUNT_MAX) {
        throw new OperatingError('STORE_UNAVAILABLE', `${underWay.size} calls wait for MongoDB already`, { retryable: true })
      }
      const running = call()
      underWay.add(running)
      try {
        return await running
      } finally {
        underWay.delete(running)
      }
    },
    ended: async () => {
      await Promise.allSettled(underWay)
    },
  }
}

/** A call that is made once for all who ask, and again when it failed. */
export const once = (call: () => Promise<void>): (() => Promise<void>) => {
  let made: Promise<void> | undefined
  const forget = (): void => {
    made = undefined
  }
  return async () => {
    if (made === undefined) {
      made = call()
      made.catch(forget)
    }
    await made
  }
}
