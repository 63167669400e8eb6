import type { NewId, Now } from '@switchyard/kernel'

/** Random bytes that are fetched together, bytes. */
const POOL_BYTES = 4_096
const COUNTER_MAX = 2 ** 26 - 1

const DIGIT_BITS = 12
/** Named: a power is not computed beforehand, but for every id. */
const DIGIT_COUNT = 2 ** DIGIT_BITS
const DIGIT_MASK = DIGIT_COUNT - 1

/** Three hexadecimal digits at a time: an id is then put together from few pieces. */
const DIGITS: readonly string[] = Array.from({ length: DIGIT_COUNT }, (_, bits) => bits.toString(16).padStart(3, '0'))
const digits = (bits: number): string => DIGITS[bits & DIGIT_MASK] ?? ''
const VARIANTS: readonly string[] = ['-8', '-9', '-a', '-b']
const variant = (bits: number): string => VARIANTS[bits & 3] ?? ''

/** What all ids of a millisecond begin with. */
const beginningOf = (ms: number): string => {
  const time = ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7`
}

/**
 * Unique ids of version 7 (RFC 9562): 48 bits of milliseconds, 26 bits that count within the millisecond from a random
 * start, 48 bits that are random in each millisecond. The ids of one generator grow as texts, also when the clock stands still or
 * goes back. They are no secrets: who knows one can tell its neighbours.
 */
export const createNewId = (now: Now, randomBytes: (count: number) => Uint8Array): NewId => {
  let pool: Uint8Array = new Uint8Array()
  let used = 0
  let lastMs = -1
  let counter = 0
  /** All but the last digits of the counter; `tail` is what follows them. */
  let front = ''
  let tail = ''

  const random = (): number => {
    if (used === pool.length) {
      pool = randomBytes(POOL_BYTES)
      used = 0
    }
    return pool[used++] ?? 0
  }
  const random24 = (): number => (random() << 16) | (random() << 8) | random()

  const renewFront = (): void => {
    front = `${beginningOf(lastMs)}${digits(counter >>> 14)}${variant(counter >>> 12)}`
  }

  /** A new millisecond starts the counter in its lower half, so that it can't run over soon. */
  const restart = (ms: number): void => {
    lastMs = ms
    counter = ((random() & 1) << 24) | random24()
    const [high, low] = [random24(), random24()]
    tail = `-${digits(high >>> DIGIT_BITS)}${digits(high)}${digits(low >>> DIGIT_BITS)}${digits(low)}`
    renewFront()
  }

  const advance = (): void => {
    const ms = Math.floor(now())
    if (ms > lastMs) return restart(ms)
    if (counter === COUNTER_MAX) return restart(lastMs + 1)
    counter += 1
    if ((counter & DIGIT_MASK) === 0) renewFront()
  }

  return () => {
    advance()
    return front + digits(counter) + tail
  }
}
