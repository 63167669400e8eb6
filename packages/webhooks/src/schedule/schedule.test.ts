import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { firstRetry, nextRetry } from './next-retry.ts'
import { retryAfterMs } from './retry-after.ts'
import { DEFAULT_SCHEDULE, scheduleFault, scheduleOf } from './schedule-text.ts'

const CHAIN = 'evt_0199a1b2c3d470008000000000000001'
const AT = 1_767_607_200_000

/** Delay in seconds and seconds since the start of each automatic retry. */
const TABLE: readonly (readonly [retry: number, delay: number, sinceStart: number])[] = [
  [1, 60, 60],
  [2, 300, 360],
  [3, 300, 660],
  [4, 600, 1260],
  [5, 600, 1860],
  [6, 600, 2460],
  [7, 600, 3060],
  [8, 600, 3660],
  [9, 3600, 7260],
  [10, 3600, 10_860],
  [11, 3600, 14_460],
  [12, 3600, 18_060],
  [13, 3600, 21_660],
  [14, 21_600, 43_260],
  [15, 21_600, 64_860],
  [16, 21_600, 86_460],
]

describe('the default schedule', () => {
  test.each(TABLE)('retry %d comes after %d s, %d s after the start', (retry, delay, sinceStart) => {
    expect(DEFAULT_SCHEDULE[retry - 1]).toBe(delay)
    expect(DEFAULT_SCHEDULE.slice(0, retry).reduce((sum, seconds) => sum + seconds, 0)).toBe(sinceStart)
  })

  test('there are 16 retries', () => {
    expect(DEFAULT_SCHEDULE).toHaveLength(16)
    const attempt = { chainId: CHAIN, acceptedAtMs: AT, finishedAtMs: AT + 86_460_000 }
    expect(nextRetry(DEFAULT_SCHEDULE, { ...attempt, retryCount: 15 })?.retryNumber).toBe(16)
    expect(nextRetry(DEFAULT_SCHEDULE, { ...attempt, retryCount: 16 })).toBeUndefined()
  })
})

describe('the first retry', () => {
  test('is a minute after the creation, however long the initial attempt took', () => {
    expect(firstRetry(DEFAULT_SCHEDULE, CHAIN, AT)).toEqual({ retryNumber: 1, dueAtMs: AT + 60_000 })
    const attempt = { chainId: CHAIN, acceptedAtMs: AT, finishedAtMs: AT + 15_000, retryCount: 0 }
    expect(nextRetry(DEFAULT_SCHEDULE, attempt)).toEqual({ retryNumber: 1, dueAtMs: AT + 60_000 })
  })

  test('comes a minute after an initial attempt that was over later than that', () => {
    const attempt = { chainId: CHAIN, acceptedAtMs: AT, finishedAtMs: AT + 600_000, retryCount: 0 }
    expect(nextRetry(DEFAULT_SCHEDULE, attempt)?.dueAtMs).toBe(AT + 660_000)
  })
})

describe('later retries', () => {
  const failed = fc.record({
    chainId: fc.string({ minLength: 1, maxLength: 64 }),
    acceptedAtMs: fc.constant(AT),
    finishedAtMs: fc.integer({ min: AT, max: AT + 90_000_000 }),
    retryCount: fc.integer({ min: 1, max: 15 }),
  })

  test('property: within 10 % of the step, counted from the end of the attempt before, the same whenever asked', () => {
    fc.assert(
      fc.property(failed, (attempt) => {
        const retry = nextRetry(DEFAULT_SCHEDULE, attempt)
        const step = (DEFAULT_SCHEDULE[attempt.retryCount] ?? 0) * 1000
        const delay = (retry?.dueAtMs ?? 0) - attempt.finishedAtMs
        expect(delay).toBeGreaterThanOrEqual(step * 0.9)
        expect(delay).toBeLessThanOrEqual(step * 1.1)
        expect(nextRetry(DEFAULT_SCHEDULE, attempt)).toEqual(retry)
      }),
    )
  })

  test('chains do not come back in step', () => {
    const at = (index: number): number =>
      nextRetry(DEFAULT_SCHEDULE, { chainId: `evt_${index}`, acceptedAtMs: AT, finishedAtMs: AT, retryCount: 1 })?.dueAtMs ?? 0
    const delays = Array.from({ length: 1000 }, (_, index) => at(index) - AT)
    expect(new Set(delays).size).toBeGreaterThan(950)
    expect(delays.reduce((sum, delay) => sum + delay, 0) / 1000).toBeCloseTo(300_000, -4)
  })

  test('property: a wish to wait stretches up to twice the delay and never shortens', () => {
    fc.assert(
      fc.property(failed, fc.integer({ min: AT - 1_000_000, max: AT + 200_000_000 }), (attempt, wish) => {
        const plain = nextRetry(DEFAULT_SCHEDULE, attempt)?.dueAtMs ?? 0
        const stretched = nextRetry(DEFAULT_SCHEDULE, { ...attempt, retryAfterMs: wish })?.dueAtMs ?? 0
        const latest = attempt.finishedAtMs + 2 * (plain - attempt.finishedAtMs)
        expect(stretched).toBe(Math.max(plain, Math.min(wish, latest)))
      }),
    )
  })

  test('a delay of up to a minute is kept exactly', () => {
    const attempt = { chainId: CHAIN, acceptedAtMs: AT, finishedAtMs: AT, retryCount: 1 }
    expect(nextRetry([5, 60], attempt)?.dueAtMs).toBe(AT + 60_000)
  })
})

describe('Retry-After', () => {
  const asked = (text: string, status = 429) => retryAfterMs({ status, headers: [['Retry-After', text]] }, AT)

  test.each([
    ['120', AT + 120_000],
    [' 7 ', AT + 7000],
    ['1.5', AT + 1500],
    ['0', AT],
    ['Mon, 05 Jan 2026 10:10:00 GMT', Date.UTC(2026, 0, 5, 10, 10)],
    ['Monday, 05-Jan-26 10:10:00 GMT', Date.UTC(2026, 0, 5, 10, 10)],
    ['Mon Jan  5 10:10:00 2026', Date.UTC(2026, 0, 5, 10, 10)],
  ])('%s', (text, expected) => {
    expect(asked(text)).toBe(expected)
    expect(asked(text, 503)).toBe(expected)
  })

  test.each(['', 'soon', '-5', '1e3', '99999999999999', '2026-01-05', 'Mon, 99 Foo 2026 10:10:00 GMT'])('says nothing: %j', (text) => {
    expect(asked(text)).toBeUndefined()
  })

  test.each([200, 301, 400, 404, 500, 502])('is not looked at with %d', (status) => {
    expect(asked('120', status)).toBeUndefined()
  })

  test('a missing header says nothing', () => {
    expect(retryAfterMs({ status: 429, headers: [] }, AT)).toBeUndefined()
  })
})

describe('a schedule of its own', () => {
  test('is expanded step by step', () => {
    expect(
      scheduleOf({
        start_after: 5,
        frequencies: [
          [10, 2],
          [7, 1],
        ],
      }),
    ).toEqual([5, 10, 10, 7])
  })

  test('without pairs has one retry', () => {
    expect(scheduleOf({ start_after: 5, frequencies: [] })).toEqual([5])
  })

  test.each([
    [{ start_after: 0, frequencies: [] }, /start_after/],
    [{ start_after: 86_401, frequencies: [] }, /start_after/],
    [{ start_after: 1.5, frequencies: [] }, /start_after/],
    [{ start_after: 60, frequencies: [[0, 1]] }, /frequencies\[0\]/],
    [
      {
        start_after: 60,
        frequencies: [
          [5, 1],
          [5, 0],
        ],
      },
      /frequencies\[1\]/,
    ],
    [{ start_after: 60, frequencies: [[5, 32]] }, /at most 32 steps, it has 33/],
  ] as const)('refused: %j', (text, fault) => {
    expect(scheduleFault(text)).toMatch(fault)
  })

  test('32 steps of a day are the most', () => {
    expect(scheduleFault({ start_after: 86_400, frequencies: [[86_400, 31]] })).toBeUndefined()
  })
})
