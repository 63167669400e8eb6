import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { median, quantile, spreadOf, summaryOf } from './statistics.mjs'

const values = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 50 })

describe('statistics', () => {
  test.each([
    [[3], 3],
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
  ])('the median of %j is %d', (given, middle) => {
    expect(median(given)).toBe(middle)
  })

  test('the median lies within the values, and their order does not matter', () => {
    fc.assert(
      fc.property(values, (given) => {
        const { median: middle, min, max } = summaryOf(given)
        expect(middle >= min && middle <= max).toBe(true)
        expect(summaryOf([...given].reverse())).toEqual({ median: middle, min, max })
      }),
    )
  })

  test('a quantile is the value that so many lie below', () => {
    const hundred = Array.from({ length: 100 }, (_, value) => value)
    expect([quantile(hundred, 0), quantile(hundred, 0.5), quantile(hundred, 0.99), quantile(hundred, 1)]).toEqual([0, 50, 99, 99])
  })

  test('the spread is relative to the median', () => {
    expect(spreadOf(summaryOf([9, 10, 12]))).toBeCloseTo(0.3)
  })

  test('no repetition is no figure', () => {
    expect(() => summaryOf([])).toThrow('at least one')
  })
})
