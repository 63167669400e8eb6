import type { NewId, Now } from '@switchyard/kernel'

/** Random bytes that are fetched together, bytes. */
const POOL_BYTES = 4_096
const RANDOM_BYTES_PER_ID = 6
const COUNTER_SEED_BYTES = 4
const COUNTER_MAX = 2 ** 26 - 1

const DIGIT_BITS = 12

/** Three hexadecimal digits at a time: an id is then put together from few pieces. */
const DIGITS: readonly string[] = Array.from({ length: 2 ** DIGIT_BITS }, (_, bits) => bits.toString(16).padStart(3, '0'))
const digits = (bits: number): string => DIGITS[bits & (2 ** DIGIT_BITS - 1)] ?? ''
const VARIANTS: readonly string[] = ['-8', '-9', '-a', '-b']
const variant = (bits: number): string => VARIANTS[bits & 3] ?? ''

/** What all ids of a millisecond begin with. */
const beginningOf = (ms: number): string => {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7`
}

/**
 * Unique ids of version 7 (RFC 9562): 48 bits of milliseconds, 26 bits that count within the millisecond from a random
 * start, 48 random bits. The ids of one generator grow as texts, also when the clock stands still or goes back.
 */
export const createNewId = (now: Now, randomBytes: (count: number) => Uint8Array): NewId => {
  let pool: Uint8Array = new Uint8Array()
  let used = 0
  let lastMs = -1
  let beginning = ''
  let counter = 0

  /** Where `count` fresh random bytes begin in the pool. */
  const take = (count: number): number => {
    if (used + count > pool.length) {
      pool = randomBytes(POOL_BYTES)
      used = 0
    }
    used += count
    return used - count
  }
  const random = (at: number): number => pool[at] ?? 0

  /** A new millisecond starts the counter in its lower half, so that it can't run over soon. */
  const restart = (ms: number): void => {
    lastMs = ms
    beginning = beginningOf(ms)
    const at = take(COUNTER_SEED_BYTES)
    counter = ((random(at) & 1) << 24) | (random(at + 1) << 16) | (random(at + 2) << 8) | random(at + 3)
  }

  const advance = (): void => {
    const ms = Math.floor(now())
    if (ms > lastMs) restart(ms)
    else if (counter === COUNTER_MAX) restart(lastMs + 1)
    else counter += 1
  }

  return () => {
    advance()
    const at = take(RANDOM_BYTES_PER_ID)
    const high = (random(at) << 16) | (random(at + 1) << 8) | random(at + 2)
    const low = (random(at + 3) << 16) | (random(at + 4) << 8) | random(at + 5)
    const count = `${digits(counter >>> 14)}${variant(counter >>> 12)}${digits(counter)}`
    return `${beginning}${count}-${digits(high >>> DIGIT_BITS)}${digits(high)}${digits(low >>> DIGIT_BITS)}${digits(low)}`
  }
}
