import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bucketOf, LOOKBACK_MAX_MS, resolveWindow, type WindowQuery } from './window.ts'

const NOW = 1_800_000_030_000
const HOUR = 3_600_000
const asked = (change: Partial<WindowQuery>): WindowQuery => ({
  range: '1h',
  startMs: undefined,
  historySince: 0,
  endMs: undefined,
  bucket: undefined,
  ...change,
})
const resolve = (change: Partial<WindowQuery>) => resolveWindow(asked(change), NOW)

describe('windows', () => {
  test.each([
    ['15m', 15 * 60_000, 60_000],
    ['1h', HOUR, 300_000],
    ['12h', 12 * HOUR, HOUR],
    ['1d', 24 * HOUR, HOUR],
    ['1w', 168 * HOUR, 24 * HOUR],
  ] as const)('%s ends now', (range, length, bucketMs) => {
    expect(resolve({ range })).toMatchObject({ label: range, startMs: NOW - length, endMs: NOW, bucketMs })
  })

  test.each([
    [0, 900_000, 60_000],
    [0, 900_001, 300_000],
    [0, 90 * 60_000, HOUR],
    [0, 25 * HOUR, 24 * HOUR],
  ])('a custom window from %d to %d has points of %d ms', (startMs, endMs, bucketMs) => {
    expect(resolve({ startMs, endMs })).toMatchObject({ label: 'custom', startMs, endMs, bucketMs })
  })

  test('a past window that ends on a full minute ends before that minute', () => {
    expect(resolve({ startMs: 0, endMs: 900_000 })).toMatchObject({ firstMinuteMs: 0, lastMinuteMs: 840_000 })
    expect(resolve({ startMs: 59_999, endMs: 900_001 })).toMatchObject({ firstMinuteMs: 0, lastMinuteMs: 900_000 })
  })

  test('a window that ends now includes the current minute, also on a full minute', () => {
    expect(resolveWindow(asked({}), 7_200_000)).toMatchObject({ firstMinuteMs: 3_600_000, lastMinuteMs: 7_200_000 })
  })

  test.each([
    ['a lone start', { startMs: 5 }],
    ['a lone end', { endMs: 5 }],
    ['an end before the start', { startMs: 9, endMs: 5 }],
    ['a negative start', { startMs: -1, endMs: 5 }],
  ])('%s means the preset', (_name, change) => {
    expect(resolve(change)).toMatchObject({ label: '1h', startMs: NOW - HOUR, endMs: NOW })
  })

  test('an end in the future means now', () => {
    expect(resolve({ startMs: NOW - 5, endMs: NOW + HOUR })).toMatchObject({ label: 'custom', endMs: NOW })
  })

  test('a window wholly in the future stays there', () => {
    expect(resolve({ startMs: NOW + HOUR, endMs: NOW + 2 * HOUR })).toMatchObject({
      label: 'custom',
      startMs: NOW + HOUR,
      endMs: NOW + 2 * HOUR,
    })
  })

  test('nobody looks back further than 18 times 30 days', () => {
    expect(resolve({ startMs: 0, endMs: NOW }).startMs).toBe(NOW - LOOKBACK_MAX_MS)
  })

  test('a preset had other points as long as a merchant whose id was registered again was younger than it', () => {
    const historySince = NOW - 60_000
    expect(resolve({ range: '1w', historySince })).toMatchObject({ label: '1w', startMs: historySince, bucketMs: 24 * HOUR })
    expect(resolve({ startMs: 0, endMs: NOW, historySince })).toMatchObject({ startMs: historySince, bucketMs: 60_000 })
  })

  test('an explicit width of points wins', () => {
    expect(resolve({ range: '1w', bucket: '1h' }).bucketMs).toBe(HOUR)
  })

  test('every time is in the point that begins at or before it', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom(60_000, 300_000, 3_600_000), (at, width) => {
        const bucket = bucketOf(at, width)
        expect(bucket % width).toBe(0)
        expect(at - bucket).toBeGreaterThanOrEqual(0)
        expect(at - bucket).toBeLessThan(width)
      }),
    )
  })
})
