import { describe, expect, test } from '@jest/globals'
import { sampleGatewayDecided } from '@switchyard/testing'
import fc from 'fast-check'
import { choiceProbabilities } from './choice-probabilities.ts'
import { createEstimator, type WeighedPayment } from './estimate.ts'

const decision = (change: Parameters<typeof sampleGatewayDecided>[0]) =>
  sampleGatewayDecided({ candidates: ['a', 'b', 'c'], scores: [0.9, 0.8, 0.7], gateway: 'a', ...change }).data
const { knobs } = decision({})
const hedged = { ...knobs, hedgingPercent: 20 }

describe('how likely each candidate was', () => {
  test.each([
    ['the best gets what does not explore', {}, [0.8, 0.1, 0.1]],
    ['equal ones share being best', { scores: [0.9, 0.9, 0.7] }, [0.45, 0.45, 0.1]],
    ['what is down gets nothing', { down: ['a'] }, [0, 0.8, 0.2]],
    ['with one left it is certain', { down: ['a', 'c'] }, [0, 1, 0]],
    ['everything down is as nothing down', { down: ['a', 'b', 'c'] }, [0.8, 0.1, 0.1]],
    ['a probe is certain', { down: ['b'], probe: true, gateway: 'b' }, [0, 1, 0]],
    ['a single candidate is certain', { candidates: ['a'], scores: [1], approach: 'DEFAULT' }, [1]],
    [
      'networks on top change nothing',
      { approach: 'NTW_BASED_ROUTING', rankingAlgorithm: 'NTW_SR_HYBRID_ROUTING' as const },
      [0.8, 0.1, 0.1],
    ],
    ['other ways draw in secret', { approach: 'PRIORITY_LOGIC', rankingAlgorithm: 'PL_BASED_ROUTING' as const }, undefined],
  ])('%s', (_, change, expected) => {
    const probabilities = choiceProbabilities(decision({ knobs: hedged, ...change }))
    expect(probabilities?.map((value) => Math.round(value * 1e9) / 1e9)).toEqual(expected)
  })

  test.each([
    ['what does not explore goes where cost sends it, what explores to others than the best by score', 'b', {}, [0, 0.9, 0.1]],
    ['cost keeps the best', 'a', {}, [0.8, 0.1, 0.1]],
    ['of equal ones one is kept, and explored by those that it is not first of', 'a', { scores: [0.9, 0.9, 0.7] }, [0.85, 0.05, 0.1]],
    ['a probe is certain whatever cost says', 'b', { down: ['c'], probe: true, gateway: 'c' }, [0, 0, 1]],
  ])('with a say of cost: %s', (_, byCost, change, expected) => {
    const probabilities = choiceProbabilities(decision({ knobs: hedged, ...change }), byCost)
    expect(probabilities?.map((value) => Math.round(value * 1e9) / 1e9)).toEqual(expected)
  })

  test('they add up to one', () => {
    const market = fc.record({
      scores: fc.array(fc.constantFrom(0.2, 0.5, 0.5, 0.9), { minLength: 2, maxLength: 8 }),
      hedgingPercent: fc.double({ min: 0, max: 100, noNaN: true }),
      downCount: fc.nat(8),
      isCostWeighed: fc.boolean(),
    })
    fc.assert(
      fc.property(market, ({ scores, hedgingPercent, downCount, isCostWeighed }) => {
        const candidates = scores.map((_, index) => `g${index}`)
        const data = decision({ candidates, scores, knobs: { ...knobs, hedgingPercent }, down: candidates.slice(0, downCount) })
        const byCost = isCostWeighed ? (candidates.at(-1) ?? null) : null
        expect(
          (choiceProbabilities(data, downCount < candidates.length ? byCost : null) ?? []).reduce((sum, value) => sum + value, 0),
        ).toBeCloseTo(1, 9)
      }),
    )
  })
})

const payment = (changes: Partial<WeighedPayment>): WeighedPayment => ({
  gateways: ['a', 'b'],
  recorded: [0.5, 0.5],
  proposed: [0.5, 0.5],
  expected: [0.5, 0.5],
  chosen: 0,
  isApproved: true,
  ...changes,
})

const estimateOf = (payments: readonly WeighedPayment[]) => {
  const estimator = createEstimator()
  for (const one of payments) estimator.add(one)
  return estimator.estimate()
}
const many = (count: number, of: (index: number) => Partial<WeighedPayment>) =>
  Array.from({ length: count }, (_, index) => payment(of(index)))

describe('the estimate', () => {
  test('of the recorded settings is what was recorded', () => {
    const { estimated, recorded, gain } = estimateOf(many(1_000, (index) => ({ chosen: index % 2, isApproved: index % 4 < 3 })))
    expect(recorded).toBe(0.75)
    expect(estimated?.value).toBeCloseTo(0.75, 12)
    expect(gain).toEqual({ value: 0, low: 0, high: 0 })
  })

  test('of sending everything to b is what b did, whatever was expected of it', () => {
    const { estimated, gain } = estimateOf(
      many(4_000, (index) => ({
        chosen: index % 2,
        isApproved: index % 2 === 1 && index % 8 !== 1,
        proposed: [0, 1],
        expected: [0.9, 0.1],
      })),
    )
    expect(estimated?.value).toBeCloseTo(0.75, 12)
    expect(gain?.value).toBeCloseTo(0.375, 12)
    expect(estimated?.low).toBeGreaterThan(0.71)
    expect(estimated?.high).toBeLessThan(0.79)
  })

  test.each([
    ['nothing', [], 'NO_PAYMENTS'],
    ['few payments', many(199, () => ({})), 'TOO_FEW_PAYMENTS'],
    ['a gateway that was never tried', many(500, () => ({ recorded: [1, 0], proposed: [0.9, 0.1] })), 'NEVER_TRIED'],
    [
      'a move that hardly any payment made',
      many(500, (index) => ({ recorded: [0.99, 0.01], proposed: [0.01, 0.99], chosen: index < 19 ? 1 : 0 })),
      'TOO_LITTLE_EXPLORATION',
    ],
  ])('of %s is refused', (_, payments, unanswerable) => {
    expect(estimateOf(payments)).toMatchObject({ unanswerable, estimated: null, gain: null })
  })
})

test('few payments that are worth much say no more than few', () => {
  const halfWidthOf = (worthOf: (index: number) => number): number => {
    const estimator = createEstimator(Number.POSITIVE_INFINITY)
    for (let index = 0; index < 200; index++) {
      const even: WeighedPayment = {
        gateways: ['a', 'b'],
        recorded: [0.5, 0.5],
        proposed: [0.5, 0.5],
        expected: [0.5, 0.5],
        chosen: index % 2,
        isApproved: index % 4 < 2,
      }
      estimator.add(even, [worthOf(index), worthOf(index)])
    }
    const { estimated } = estimator.estimate()
    return estimated === null ? Number.NaN : estimated.high - estimated.value
  }
  // The same spread: 2 payments worth 100 each, or 200 worth 10 each. Student's quantile is 3.15 for two and 1.97 for two hundred.
  const [few, many] = [halfWidthOf((index) => (index < 2 ? 100 : 0)), halfWidthOf(() => 10)]
  expect(few / many).toBeCloseTo(3.146 / 1.972, 2)
  expect(halfWidthOf(() => 30)).toBeCloseTo(3 * many, 9)
})
