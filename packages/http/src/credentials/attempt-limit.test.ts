import { beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type AttemptLimit, createAttemptLimit } from './attempt-limit.ts'

describe('a limit of attempts', () => {
  let now = 0
  let limit: AttemptLimit
  beforeEach(() => {
    now = 1_000
    limit = createAttemptLimit({ burstCount: 3, refillMs: 100, now: () => now })
  })
  const take = (key = 'a') => limit.take(key)
  const times = (count: number): readonly boolean[] => Array.from({ length: count }, () => take().taken)

  test('some may follow each other, then one comes back at a time', () => {
    expect(times(4)).toEqual([true, true, true, false])
    expect(take()).toEqual({ taken: false, retryAfterMs: 100 })
    now += 99
    expect(take()).toEqual({ taken: false, retryAfterMs: 1 })
    now += 1
    expect(times(2)).toEqual([true, false])
    now += 300
    expect(times(4)).toEqual([true, true, true, false])
  })
  test('nobody waits for the time of a clock that was ahead and has been set back', () => {
    now += 86_400_000
    expect(take().taken).toBe(true)
    now -= 86_400_000
    expect(times(4)).toEqual([true, true, true, false])
    expect(take()).toEqual({ taken: false, retryAfterMs: 100 })
    now += 300
    expect(times(4)).toEqual([true, true, true, false])
  })
  test('keys have nothing to do with each other', () => {
    times(4)
    expect(take('b').taken).toBe(true)
  })
  test('what is given back can be taken again, never more than there was', () => {
    times(3)
    limit.giveBack('a')
    expect(times(2)).toEqual([true, false])
    for (let i = 0; i < 9; i++) limit.giveBack('a')
    expect(times(4)).toEqual([true, true, true, false])
    limit.giveBack('nobody')
    expect(take('nobody').taken).toBe(true)
  })
  test('the number of keys is bounded; the one that was not seen for longest is forgotten', () => {
    limit = createAttemptLimit({ burstCount: 1, refillMs: 100, now: () => now, keyCountMax: 2 })
    for (const key of ['a', 'b', 'c']) take(key)
    expect([take('b').taken, take('c').taken, take('a').taken]).toEqual([false, false, true])
  })
  test('however attempts come, no more pass than the burst and what has come back', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(250), { maxLength: 60 }), (waits) => {
        now = 0
        limit = createAttemptLimit({ burstCount: 3, refillMs: 100, now: () => now })
        let passed = 0
        for (const wait of waits) {
          now += wait
          if (take().taken) passed += 1
          expect(passed).toBeLessThanOrEqual(3 + Math.floor(now / 100))
        }
      }),
    )
  })
})
