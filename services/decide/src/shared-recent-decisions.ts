import { numberOf, type RecentDecisions } from './recent-decisions.ts'

/** Payments of one set: the newest so many are known. */
const SET_SIZE = 4
/** Sets of payments: of the newest 50,000, one in 500 is forgotten. The fold knows of a decision after 50 ms. */
const SET_COUNT = 65_536

/** Space for the {@link RecentDecisions} of all threads of a process: a megabyte, never growing. */
export const shareRecentDecisions = (): SharedArrayBuffer => new SharedArrayBuffer(SET_SIZE * SET_COUNT * Int32Array.BYTES_PER_ELEMENT)

/**
 * {@link RecentDecisions} that threads share: a payment decided in one of them is known in the others before its event is. Each is
 * kept as 32 bits in one of {@link SET_COUNT} sets, and forgotten when newer ones fill its set; threads that meet there may forget one more.
 */
export const createSharedRecentDecisions = (shared: SharedArrayBuffer): RecentDecisions => {
  const tags = new Int32Array(shared)
  const firstOf = (number: number): number => (number % SET_COUNT) * SET_SIZE
  /** Zero is an empty place. */
  const tagOf = (number: number): number => Math.floor(number / SET_COUNT) | 0 || 1

  return {
    add: (payment) => {
      const number = numberOf(payment)
      const first = firstOf(number)
      for (let index = first + SET_SIZE - 1; index > first; index -= 1) Atomics.store(tags, index, Atomics.load(tags, index - 1))
      Atomics.store(tags, first, tagOf(number))
    },
    has: (payment) => {
      const number = numberOf(payment)
      const [first, tag] = [firstOf(number), tagOf(number)]
      for (let index = first; index < first + SET_SIZE; index += 1) if (Atomics.load(tags, index) === tag) return true
      return false
    },
  }
}
