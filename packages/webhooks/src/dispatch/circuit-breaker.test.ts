import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type CircuitBreaker, createCircuitBreaker, DEFAULT_BREAKER } from './circuit-breaker.ts'

const call = (breaker: CircuitBreaker, result: 'succeeded' | 'failed', nowMs: number): void =>
  breaker.ended(breaker.began(nowMs), result, nowMs)

const after = (results: string, stepMs = 0): CircuitBreaker => {
  const breaker = createCircuitBreaker(DEFAULT_BREAKER)
  for (const [index, result] of results.split('').entries()) call(breaker, result === 's' ? 'succeeded' : 'failed', index * stepMs)
  return breaker
}

describe('a breaker', () => {
  test.each([
    ['fffffffff', 'closed'],
    ['ffffffffff', 'open'],
    ['sssfffffff', 'open'],
    ['ssssffffff', 'closed'],
    ['ssssfffffff', 'closed'],
    ['ssssssfffffffffffffff', 'open'],
  ])('after %s is %s', (results, state) => {
    expect(after(results).state(0)).toBe(state)
  })

  test('forgets what is older than five minutes', () => {
    expect(after('fffffffff'.repeat(3), 40_000).state(1_080_000)).toBe('closed')
    const breaker = after('fffffffff')
    call(breaker, 'failed', 301_000)
    expect(breaker.state(301_000)).toBe('closed')
    expect(breaker.isPristine(602_000)).toBe(true)
  })

  test('what began before it opened tells nothing afterwards', () => {
    const breaker = createCircuitBreaker(DEFAULT_BREAKER)
    const early = Array.from({ length: 12 }, () => breaker.began(0))
    for (const [index, number] of early.entries()) if (index < 10) breaker.ended(number, 'failed', 0)
    expect(breaker.probeAtMs()).toBe(30_000)
    const probe = breaker.began(30_000)
    breaker.ended(early[10] ?? 0, 'succeeded', 30_000)
    expect(breaker.state(30_000)).toBe('probing')
    breaker.ended(probe, 'failed', 31_000)
    breaker.ended(early[11] ?? 0, 'failed', 31_000)
    expect([breaker.state(31_000), breaker.probeAtMs()]).toEqual(['open', 91_000])
  })

  test('what was not sent is not counted', () => {
    const breaker = createCircuitBreaker(DEFAULT_BREAKER)
    for (let index = 0; index < 20; index++) breaker.ended(breaker.began(0), 'unsent', 0)
    expect(breaker.isPristine(0)).toBe(true)
  })

  test('property: it never opens while fewer than 70 % of the calls since it closed failed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 5_000 })), { maxLength: 60 }), (calls) => {
        const breaker = createCircuitBreaker(DEFAULT_BREAKER)
        let [nowMs, total, failures] = [0, 0, 0]
        for (const [isFailure, waitMs] of calls) {
          nowMs += waitMs
          // Of 60 calls at most 5 s apart none leaves the window before 5 minutes are over.
          if (nowMs >= 240_000) return
          call(breaker, isFailure ? 'failed' : 'succeeded', nowMs)
          total += 1
          failures += isFailure ? 1 : 0
          const opens = total >= 10 && failures >= 0.7 * total
          expect(breaker.state(nowMs)).toBe(opens ? 'open' : 'closed')
          if (opens) return
        }
      }),
    )
  })
})
