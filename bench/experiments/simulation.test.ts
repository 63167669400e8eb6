import { describe, expect, test } from '@jest/globals'
import { falsePositives, falseStops, foundEffects, paymentsUntilFound } from './simulation.mjs'

const market = { baseRate: 0.9, share: 0.2, experiments: 150, seed: 7 }
const looked = { ...market, payments: 5_000, lookEvery: 100, tunedSize: 2_000 }

describe('simulated experiments', () => {
  test('equal arms, looked at again and again: the fixed test is wrong far too often, the always-valid one is not', () => {
    const { fixedRate, sequentialRate } = falsePositives(looked)
    expect(fixedRate).toBeGreaterThan(0.2)
    expect(sequentialRate).toBeLessThanOrEqual(0.05)
  })
  test('a loss that is allowed stops no experiment', () => {
    expect(falseStops({ ...looked, guardrailThresholdPp: 3 })).toBeLessThanOrEqual(0.05)
  })
  test('effects are found about as often as computed, and sooner or later by the always-valid test', () => {
    const { foundRate, computedPower } = foundEffects({ ...market, effectPp: 3, payments: 4_600 })
    expect(Math.abs(foundRate - (computedPower ?? 0))).toBeLessThan(0.1)
    expect(paymentsUntilFound({ ...looked, experiments: 20, payments: 20_000, effectPp: 5 }).foundRate).toBe(1)
  })
  test('the same seed gives the same figures', () => {
    expect(falsePositives({ ...looked, experiments: 5 })).toEqual(falsePositives({ ...looked, experiments: 5 }))
  })
})
