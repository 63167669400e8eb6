import type { NewId, Now } from '@switchyard/kernel'

/** Random bytes that are fetched together, bytes. */
const POOL_BYTES = 4_096
const RANDOM_BYTES_PER_ID = 6
const COUNTER_SEED_BYTES = 4
const COUNTER_MAX = 2 ** 26 - 1

const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hex = (byte: number): string => HEX[byte & 0xff] ?? ''

/**
 * Unique ids of version 7 (RFC 9562): 48 bits of milliseconds, 26 bits that count within the millisecond from a random
 * start, 48 random bits. The ids of one generator grow as texts, also when the clock stands still or goes back.
 */
export const createNewId = (now: Now, randomBytes: (count: number) => Uint8Array): NewId => {
  let pool: Uint8Array = new Uint8Array()
  let used = 0
  let lastMs = -1
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
    const high = Math.floor(lastMs / 2 ** 16)
    const time = `${hex(high >>> 24)}${hex(high >>> 16)}${hex(high >>> 8)}${hex(high)}-${hex(lastMs >>> 8)}${hex(lastMs)}`
    const count = `${hex(0x70 | (counter >>> 22))}${hex(counter >>> 14)}-${hex(0x80 | ((counter >>> 8) & 0x3f))}${hex(counter)}`
    const at = take(RANDOM_BYTES_PER_ID)
    const node =
      hex(random(at)) + hex(random(at + 1)) + hex(random(at + 2)) + hex(random(at + 3)) + hex(random(at + 4)) + hex(random(at + 5))
    return `${time}-${count}-${node}`
  }
}
