import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { segmentsOf } from './periods.ts'
import type { Window } from './window.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WIDTHS = { minutes: MINUTE, hours: HOUR, days: DAY }

const window = (firstMinuteMs: number, lastMinuteMs: number, bucketMs: number): Window => ({
  label: 'custom',
  startMs: firstMinuteMs,
  endMs: lastMinuteMs + MINUTE,
  firstMinuteMs,
  lastMinuteMs,
  bucketMs,
})

describe('periods of a window', () => {
  test.each([
    ['minutes alone for narrow points', window(0, HOUR, 5 * MINUTE), [{ of: 'minutes', firstMs: 0, lastMs: HOUR }]],
    [
      'hours inside, minutes at both ends',
      window(30 * MINUTE, 3 * HOUR + 10 * MINUTE, HOUR),
      [
        { of: 'minutes', firstMs: 3 * HOUR, lastMs: 3 * HOUR + 10 * MINUTE },
        { of: 'hours', firstMs: HOUR, lastMs: 2 * HOUR },
        { of: 'minutes', firstMs: 30 * MINUTE, lastMs: 59 * MINUTE },
      ],
    ],
    [
      'days, then hours, then minutes',
      window(DAY - HOUR, 3 * DAY, DAY),
      [
        { of: 'minutes', firstMs: 3 * DAY, lastMs: 3 * DAY },
        { of: 'days', firstMs: DAY, lastMs: 2 * DAY },
        { of: 'hours', firstMs: DAY - HOUR, lastMs: DAY - HOUR },
      ],
    ],
    ['no whole hour', window(10 * MINUTE, 50 * MINUTE, DAY), [{ of: 'minutes', firstMs: 10 * MINUTE, lastMs: 50 * MINUTE }]],
  ])('%s', (_, asked, expected) => {
    expect(segmentsOf(asked)).toEqual(expected)
  })

  test('cover every minute once, newest first, and are never wider than a point', () => {
    const windows = fc.record({ first: fc.nat(10_000), length: fc.nat(10_000), bucketMs: fc.constantFrom(MINUTE, 5 * MINUTE, HOUR, DAY) })
    fc.assert(
      fc.property(windows, ({ first, length, bucketMs }) => {
        const segments = segmentsOf(window(first * MINUTE, (first + length) * MINUTE, bucketMs))
        let behind = (first + length + 1) * MINUTE
        for (const { of, firstMs, lastMs } of segments) {
          expect(lastMs + WIDTHS[of]).toBe(behind)
          expect(firstMs % WIDTHS[of]).toBe(0)
          expect(of === 'minutes' || WIDTHS[of] <= bucketMs).toBe(true)
          behind = firstMs
        }
        expect(behind).toBe(first * MINUTE)
      }),
    )
  })
})
