import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { costOfExploring, hedgingCeiling } from './exploration-cost.ts'
import { SHIPPED_TUNING_RULES, tunedBucketSize, tunedHedgingPercent } from './formulas.ts'

describe('the formulas of the self-tuning', () => {
  test.each([
    [100, 2, 100, 30],
    [400, 2, 100, 25],
    [1_000, 2, 150, 15],
    [1_000, 3, 100, 20],
    [5_000, 5, 175, 14],
    [10_000, 2, 500, 5],
    [10_000, 3, 350, 7],
    [40_000, 3, 700, 3.5],
    [160_000, 2, 2_000, 1.25],
    [250_000, 4, 1_450, 3],
  ])('%i payments over %i gateways: windows of %i, %d %% explore', (paymentCount, gatewayCount, bucketSize, percent) => {
    const volume = { paymentCount, gatewayCount }
    expect(tunedBucketSize(volume, SHIPPED_TUNING_RULES)).toBe(bucketSize)
    expect(tunedHedgingPercent(volume, bucketSize, SHIPPED_TUNING_RULES)).toBe(percent)
  })

  test('a shorter horizon needs more exploration', () => {
    const rules = { ...SHIPPED_TUNING_RULES, horizonMs: 1_800_000 }
    expect(tunedHedgingPercent({ paymentCount: 10_000, gatewayCount: 2 }, 500, rules)).toBe(10)
  })

  test('whatever the volume, the limits hold', () => {
    const volumes = fc.record({ paymentCount: fc.integer({ min: 1, max: 10_000_000 }), gatewayCount: fc.integer({ min: 2, max: 30 }) })
    fc.assert(
      fc.property(volumes, (volume) => {
        const bucketSize = tunedBucketSize(volume, SHIPPED_TUNING_RULES)
        const percent = tunedHedgingPercent(volume, bucketSize, SHIPPED_TUNING_RULES)
        return bucketSize >= 100 && bucketSize <= 2_000 && percent > 0 && percent <= 30
      }),
    )
  })
})

describe('the cost of exploring', () => {
  test('is the best rate less the mean of the others', () => {
    const known = [
      { gateway: 'a', approvedCount: 900_000, declinedCount: 100_000 },
      { gateway: 'b', approvedCount: 800_000, declinedCount: 200_000 },
      { gateway: 'c', approvedCount: 700_000, declinedCount: 300_000 },
    ]
    expect(costOfExploring(known, 3)).toBeCloseTo(0.15, 4)
    expect(hedgingCeiling(5, 0.15)).toBeCloseTo(5.667, 3)
  })

  test('a gateway of few outcomes counts as nearly average, one without any as average', () => {
    const known = [
      { gateway: 'a', approvedCount: 900, declinedCount: 100 },
      { gateway: 'b', approvedCount: 0, declinedCount: 1 },
    ]
    expect(costOfExploring(known, 2)).toBeCloseTo(0.1508, 3)
    expect(costOfExploring([{ gateway: 'a', approvedCount: 5, declinedCount: 5 }], 4)).toBe(0)
    expect(costOfExploring([], 3)).toBe(0)
    expect(hedgingCeiling(5, 0)).toBe(Number.POSITIVE_INFINITY)
  })

  test('of gateways that are alike is never below nothing, by a last digit: the share that explores would be far below 0', () => {
    const oneInThree = [{ gateway: 'a', approvedCount: 1, declinedCount: 2 }]
    expect(hedgingCeiling(5, costOfExploring(oneInThree, 3))).toBe(Number.POSITIVE_INFINITY)
    const counts = fc.record({ approvedCount: fc.nat(1_000), declinedCount: fc.nat(1_000) })
    fc.assert(
      fc.property(counts, fc.integer({ min: 2, max: 10 }), (count, gatewayCount) => {
        return hedgingCeiling(5, costOfExploring([{ gateway: 'a', ...count }], gatewayCount)) >= 5
      }),
    )
  })
})
