import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { DAY } from '../statistics/sample-rows.fixture.ts'
import type { FittedCluster } from './fitted-cluster.ts'
import { fitRows, numbersFrom, rowsOfPairs } from './sample-fit.fixture.ts'

/** 900 payments, log-uniform from 20 to 20,000, 1.2 % capped at 36, 0.6 % and 0.30 on top, give or take 1 % (cost.md 17.4). */
const cappedPairs = (seed: number, count = 900): readonly (readonly [number, number])[] => {
  const next = numbersFrom(seed)
  return Array.from({ length: count }, () => {
    const gross = 20 * 990 ** next()
    return [gross, (Math.min(0.012 * gross, 36) + 0.006 * gross + 0.3) * (0.99 + 0.02 * next())] as const
  })
}
const fitted = (pairs: readonly (readonly [number, number])[], back = 0): FittedCluster => {
  const [first] = fitRows([...rowsOfPairs(pairs, { day: DAY - back }), ...rowsOfPairs([[1, 1]], { currency: 'USD' })]).filter(
    ({ cluster }) => cluster.currency === 'EUR',
  )
  if (first === undefined) throw new Error('nothing was fitted')
  return first
}

describe('tiers (cost.md 9)', () => {
  test.each([1, 2, 3])('a capped fee becomes two pieces (payments %d)', (seed) => {
    const { verdict, tiers, n } = fitted(cappedPairs(seed))
    expect(verdict).toBe('NON_LINEAR')
    expect(tiers.map((tier) => tier.verdict)).toEqual(['GOOD', 'GOOD'])
    const [low, high] = tiers
    expect(low?.from).toBeCloseTo(10 ** 1.3, 6)
    // The cap of 3,000 lies inside the band from 2,512 to 3,162, which goes to one of the two.
    expect([2512, 3162]).toContain(Math.round(low?.to ?? 0))
    expect(high?.from).toBe(low?.to)
    expect(high?.to).toBeCloseTo(10 ** 4.3, 6)
    expect(Math.abs((low?.fee?.pctBps ?? 0) - 180)).toBeLessThan(5)
    expect(Math.abs((low?.fee?.fixed ?? 0) - 0.3)).toBeLessThan(0.3)
    expect(Math.abs((high?.fee?.pctBps ?? 0) - 60)).toBeLessThan(5)
    expect(Math.abs((high?.fee?.fixed ?? 0) - 36.3)).toBeLessThan(4)
    expect((low?.n ?? 0) + (high?.n ?? 0)).toBe(n)
    expect(tiers.map(({ index }) => index)).toEqual([0, 1])
  })

  test('a line that fits is not divided', () => {
    const next = numbersFrom(7)
    const pairs = Array.from({ length: 300 }, () => 20 * 1000 ** next()).map((x) => [x, x * 0.018 + 0.3] as const)
    expect(fitted(pairs)).toMatchObject({ verdict: 'GOOD', tiers: [] })
  })

  test('too few payments, and fees without any shape, have no pieces', () => {
    expect(fitted(cappedPairs(1, 100)).tiers).toEqual([])
    const next = numbersFrom(9)
    expect(fitted(Array.from({ length: 900 }, () => 20 * 1000 ** next()).map((x) => [x, 0.05 * x * next()] as const))).toMatchObject({
      verdict: 'NON_LINEAR',
      tiers: [],
    })
  })

  test('only the last 90 days are divided', () => {
    expect(fitted(cappedPairs(1), 91)).toMatchObject({ verdict: 'NON_LINEAR', tiers: [] })
  })

  test('pieces do not overlap, hold all payments, and cover nine tenths of the value with good ones', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 400, max: 900 }), (seed, count) => {
        const { tiers, n, gross } = fitted(cappedPairs(seed, count))
        fc.pre(tiers.length > 0)
        tiers.slice(1).forEach((tier, index) => {
          expect(tier.from).toBeGreaterThanOrEqual(tiers[index]?.to ?? 0)
        })
        expect(tiers.reduce((sum, tier) => sum + tier.n, 0)).toBe(n)
        const good = tiers.filter(({ verdict }) => verdict === 'GOOD').reduce((sum, tier) => sum + tier.gross, 0)
        expect(good).toBeGreaterThanOrEqual(0.9 * gross - 0.01)
      }),
      { numRuns: 20 },
    )
  })
})
