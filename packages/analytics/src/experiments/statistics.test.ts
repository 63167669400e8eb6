import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { alwaysValid } from './always-valid.ts'
import { expectedValueBps, fixedTest } from './fixed-test.ts'
import { erfc, normalCdf } from './normal.ts'
import { powerAt, requiredSampleSize } from './power.ts'
import { type ArmSample, gainPp, type Samples } from './sample.ts'
import { sampleRatio } from './sample-ratio.ts'
import { fixedVerdict, sequentialVerdict } from './verdict.ts'

const arm = (resolved: number, successes: number, saved: ArmSample['saved'] = null): ArmSample => ({ resolved, successes, saved })
const control = arm(4_000, 3_600)
const better: Samples = { control, variant: arm(1_000, 925) }
/** 500 of 890 approved payments saved 30 basis points each. */
const cheaper: Samples = { control, variant: arm(1_000, 890, { sumBps: 15_000, squareSumBps: 450_000 }) }
const rules = { minSampleSize: 1_000, guardrailThresholdPp: 3, evaluationMargin: 1 }

const samples: fc.Arbitrary<Samples> = fc
  .tuple(fc.nat(5_000), fc.nat(5_000), fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([c, v, p, q]) => ({ control: arm(c, Math.round(c * p)), variant: arm(v, Math.round(v * q)) }))

describe('the normal distribution', () => {
  test.each([
    [0, 1],
    [1, 0.1572992],
    [2, 0.0046777],
  ])('erfc(%d) is %d', (x, expected) => expect(erfc(x)).toBeCloseTo(expected, 6))
  test.each([
    [0, 0.5],
    [1.96, 0.975],
    [-1.96, 0.025],
    [0.8416, 0.8],
  ])('at most %d with probability %d', (z, expected) => expect(normalCdf(z)).toBeCloseTo(expected, 4))
})

describe('the fixed test (analytics.md 6.5, worked)', () => {
  test('approvals alone', () => {
    const test = fixedTest(better, 1)
    expect([expectedValueBps(better.control, 1), expectedValueBps(better.variant, 1), test?.deltaBps]).toEqual([9_000, 9_250, 250])
    expect(test?.z).toBeCloseTo(2.607, 3)
    expect(test?.pValue).toBeCloseTo(0.00913, 5)
    expect(test?.interval.map((end) => Number(end.toFixed(2)))).toEqual([0.62, 4.38])
    expect(fixedVerdict(better, rules).verdict).toBe('variant_wins')
  })
  test('savings outweigh a lost point of approvals when the margin is small', () => {
    const test = fixedTest(cheaper, 0.02)
    expect([expectedValueBps(cheaper.control, 0.02), expectedValueBps(cheaper.variant, 0.02), test?.deltaBps]).toEqual([180, 193, 13])
    expect(test?.z).toBeCloseTo(5.44, 2)
    expect(test?.pValue).toBeLessThan(1e-7)
    expect(fixedVerdict(cheaper, { ...rules, evaluationMargin: 0.02 }).verdict).toBe('variant_wins')
    expect(fixedTest(cheaper, 1)?.deltaBps).toBe(-85)
    expect(fixedTest(cheaper, 1)?.pValue).toBeCloseTo(0.44, 2)
    expect(fixedVerdict(cheaper, rules).verdict).toBe('not_significant')
  })
  test.each<[string, Samples, string]>([
    ['an empty arm', { control, variant: arm(0, 0) }, 'collecting_data'],
    ['less than the sample', { control: arm(500, 400), variant: arm(499, 400) }, 'collecting_data'],
    ['a loss beyond the guardrail', { control, variant: arm(1_000, 869) }, 'guardrail_breached'],
    ['a loss at the guardrail', { control, variant: arm(1_000, 870) }, 'variant_loses'],
    ['one payment in an arm', { control, variant: arm(1, 1) }, 'not_significant'],
    ['nothing that varies', { control: arm(900, 900), variant: arm(100, 100) }, 'not_significant'],
    ['a small difference', { control, variant: arm(1_000, 899) }, 'not_significant'],
  ])('%s', (_, given, verdict) => {
    const result = fixedVerdict(given, rules)
    expect(result.verdict).toBe(verdict)
    if (verdict === 'collecting_data' || verdict === 'guardrail_breached') expect(result.test).toBeNull()
  })
})

describe('the always-valid comparison', () => {
  test('is narrowest, relative to the noise, at the size it is tuned for', () => {
    const widthAt = (size: number): number => {
      const [low, high] = alwaysValid({ control: arm(size, size * 0.9), variant: arm(size, size * 0.9) }, 2_000)?.intervalPp ?? [0, 0]
      return (high - low) * Math.sqrt(size)
    }
    expect(widthAt(1_000)).toBeLessThan(widthAt(100))
    expect(widthAt(1_000)).toBeLessThan(widthAt(20_000))
  })
  test('worked: 4,000 and 1,000 payments, tuned for 1,000', () => {
    const comparison = alwaysValid(better, 1_000)
    expect(comparison?.intervalPp.map((end) => Number(end.toFixed(2)))).toEqual([-0.77, 5.77])
    expect(comparison?.pValue).toBeCloseTo(0.375, 3)
  })
  test('holds the estimate, is wider than the fixed interval, and its p-value agrees with it', () => {
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 20_000 }), (given, tuned) => {
        const comparison = alwaysValid(given, tuned)
        if (comparison === null) return expect(Math.min(given.control.resolved, given.variant.resolved)).toBe(0)
        const [low, high] = comparison.intervalPp
        const gain = gainPp(given)
        expect(low <= gain && gain <= high && low >= -100 && high <= 100).toBe(true)
        expect(comparison.pValue >= 0 && comparison.pValue <= 1).toBe(true)
        if (Math.abs(low) > 1e-9 && Math.abs(high) > 1e-9) expect(comparison.pValue < 0.05).toBe(low > 0 || high < 0)
        const fixed = fixedTest(given, 1)
        if (fixed !== null && low > -100 && high < 100) expect(fixed.interval[1] - fixed.interval[0]).toBeLessThan(high - low)
      }),
    )
  })
  test('swapping the arms mirrors it', () => {
    fc.assert(
      fc.property(samples, (given) => {
        const one = alwaysValid(given, 1_000)
        const other = alwaysValid({ control: given.variant, variant: given.control }, 1_000)
        expect(other?.pValue).toBe(one?.pValue)
        expect(other?.intervalPp[0] ?? 0).toBeCloseTo(-(one?.intervalPp[1] ?? 0), 9)
      }),
    )
  })
  test('a few payments settle nothing, whatever they say', () => {
    expect(sequentialVerdict({ control: arm(5, 5), variant: arm(5, 0) }, rules)).toBe('collecting_data')
  })
  test('a breach is told only when it is certain', () => {
    const loss = (size: number): Samples => ({ control: arm(size, size * 0.9), variant: arm(size, size * 0.85) })
    expect(sequentialVerdict(loss(600), rules)).not.toBe('guardrail_breached')
    expect(fixedVerdict(loss(600), rules).verdict).toBe('guardrail_breached')
    expect(sequentialVerdict(loss(20_000), rules)).toBe('guardrail_breached')
  })
})

describe('power', () => {
  test.each([
    [0.9, 1, 0.2, 40_972],
    [0.9, 3, 0.5, 2_705],
    [0.5, 2, 0.5, 19_608],
  ])('a base rate of %d and %d points need, with a share of %d, %d payments', (baseRate, effectPp, share, expected) => {
    const size = requiredSampleSize({ baseRate, effectPp }, share) ?? 0
    expect(Math.abs(size - expected) / expected).toBeLessThan(0.001)
    expect(powerAt({ baseRate, effectPp }, { control: size * (1 - share), variant: size * share })).toBeCloseTo(0.8, 2)
  })
  test('grows with the sample and with the effect', () => {
    const at = (size: number, effectPp: number): number => powerAt({ baseRate: 0.9, effectPp }, { control: size, variant: size }) ?? 0
    expect(at(2_000, 2)).toBeGreaterThan(at(1_000, 2))
    expect(at(1_000, 3)).toBeGreaterThan(at(1_000, 2))
    expect(at(1_000, 0)).toBeCloseTo(0.05, 2)
  })
  test('an effect that does not fit above the base rate is meant downwards', () => {
    expect(requiredSampleSize({ baseRate: 1, effectPp: 3 }, 0.5)).toBe(requiredSampleSize({ baseRate: 0.97, effectPp: 3 }, 0.5))
  })
  test('nothing is known of an empty arm, or where nothing varies', () => {
    expect(powerAt({ baseRate: 0.9, effectPp: 1 }, { control: 0, variant: 5 })).toBeNull()
    expect(powerAt({ baseRate: 1, effectPp: 0 }, { control: 5, variant: 5 })).toBeNull()
    expect(requiredSampleSize({ baseRate: 0.9, effectPp: 0 }, 0.5)).toBeNull()
  })
})

describe('the sample ratio', () => {
  test('worked: 8,000 and 2,000 are as planned with 20 %, 7,700 and 2,300 are not', () => {
    expect(sampleRatio({ control: 8_000, variant: 2_000 }, 0.2)).toEqual({ pValue: expect.closeTo(1, 6), isAlarming: false })
    expect(sampleRatio({ control: 7_940, variant: 2_060 }, 0.2)).toMatchObject({ isAlarming: false })
    expect(sampleRatio({ control: 7_700, variant: 2_300 }, 0.2)).toMatchObject({ isAlarming: true })
  })
  test('too few payments say nothing', () => {
    expect(sampleRatio({ control: 20, variant: 0 }, 0.2)).toEqual({ pValue: null, isAlarming: false })
  })
})
