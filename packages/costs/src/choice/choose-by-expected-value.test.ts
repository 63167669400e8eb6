import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Candidate, chooseByExpectedValue } from './choose-by-expected-value.ts'

const candidate = (gateway: string, authRate: number, costBps: number | null = null, isDown = false): Candidate => ({
  gateway,
  authRate,
  costBps,
  isDown,
})
/** cost.md 17.2, a payment of 60. */
const FOUR = [
  candidate('stripe', 0.93, 290 + (0.3 / 60) * 10_000),
  candidate('adyen', 0.915, 194 + (0.24 / 60) * 10_000),
  candidate('checkout', 0.9, 122 + (0.35 / 60) * 10_000),
  candidate('worldpay', 0.88),
]

describe('approval against cost (cost.md 15, 17.2)', () => {
  test('with the whole amount at stake approval wins', () => {
    const choice = chooseByExpectedValue(FOUR, 1)
    expect(choice).toMatchObject({
      outcome: 'AUTH_WON',
      head: 'stripe',
      chosen: 'stripe',
      costSavedBps: null,
      fallbacks: ['adyen', 'checkout', 'worldpay'],
      reason: 'stripe is kept: it has the best expected value of 3 ranked',
    })
    expect(choice.ranked.map(({ expectedValue }) => expectedValue.toFixed(6))).toEqual(['0.898380', '0.893589', '0.883770'])
    expect(choice.gapOfTopTwo).toBeCloseTo(0.004791, 6)
  })

  test('with a margin of 20 % cost wins', () => {
    const choice = chooseByExpectedValue(FOUR, 0.2)
    expect(choice).toMatchObject({
      outcome: 'COST_WON',
      head: 'stripe',
      chosen: 'checkout',
      fallbacks: ['adyen', 'stripe', 'worldpay'],
      reason: 'checkout chosen instead of stripe: 159.67 bps cheaper for 3.00 pp of authorization',
    })
    expect(choice.costSavedBps).toBeCloseTo(159.667, 3)
    expect(choice.gapOfTopTwo).toBeCloseTo(0.002181, 6)
    expect(choice.ranked.map(({ expectedValue }) => expectedValue.toFixed(6))).toEqual(['0.163770', '0.161589', '0.154380'])
  })

  test.each([
    [0.5129, 'checkout'],
    [0.5132, 'stripe'],
  ])('a margin of %d decides for %s: it breaks even at 0.513', (margin, chosen) => {
    const two = FOUR.filter(({ gateway }) => gateway === 'stripe' || gateway === 'checkout')
    expect(chooseByExpectedValue(two, margin).chosen).toBe(chosen)
  })

  test.each<[string, readonly Candidate[], string, string | null]>([
    ['one candidate', [candidate('a', 0.9, 100)], 'one-candidate', 'a'],
    ['none', [], 'one-candidate', null],
    ['scores that are no numbers', [candidate('a', Number.NaN, 1), candidate('b', Number.NaN, 1)], 'no-score', null],
    ['a head without a cost', [candidate('a', 0.9), candidate('b', 0.8, 1)], 'head-without-cost', 'a'],
    ['an infinite cost', [candidate('a', 0.9, Number.POSITIVE_INFINITY), candidate('b', 0.8, 1)], 'head-without-cost', 'a'],
  ])('%s: nothing is decided', (_name, candidates, cause, head) => {
    const choice = chooseByExpectedValue(candidates, 0.2)
    expect(choice).toMatchObject({ outcome: 'AUTH_WON', cause: { cause }, head, chosen: null, ranked: [], fallbacks: [], margin: 0.2 })
    expect(choice.reason).not.toBe('')
  })

  test('a head that earns nothing stays, though a lower approval at a higher cost has the larger value', () => {
    const choice = chooseByExpectedValue([candidate('a', 0.9, 320), candidate('b', 0.3, 330)], 0.03)
    expect(choice).toMatchObject({ outcome: 'AUTH_WON', cause: { cause: 'head-without-profit' }, chosen: 'a', fallbacks: ['b'] })
    expect(chooseByExpectedValue([candidate('a', 0.9, 300), candidate('b', 0.3, 330)], 0.03)).toMatchObject({ chosen: 'a' })
  })

  test('a gateway that is down is never promoted, and is tried last', () => {
    const candidates = [candidate('a', 0.9, 300), candidate('b', 0.9, 1, true), candidate('c', 0.8), candidate('d', 0.1, 400)]
    expect(chooseByExpectedValue(candidates, 1)).toMatchObject({ outcome: 'AUTH_WON', chosen: 'a', fallbacks: ['d', 'c', 'b'] })
    const allDown = [candidate('a', 0.2, 300, true), candidate('b', 0.18, 1, true)]
    expect(chooseByExpectedValue(allDown, 0.05)).toMatchObject({ outcome: 'AUTH_WON', chosen: 'a', fallbacks: ['b'] })
  })

  test('ties go by name', () => {
    expect(chooseByExpectedValue([candidate('b', 1, 100), candidate('a', 1, 100)], 1)).toMatchObject({ head: 'a', chosen: 'a' })
    const tied = [candidate('h', 0.9, 1900), candidate('z', 0.8, 100), candidate('y', 0.8, 100)]
    expect(chooseByExpectedValue(tied, 0.2)).toMatchObject({ chosen: 'y', fallbacks: ['z', 'h'] })
    expect(chooseByExpectedValue(tied.toReversed(), 0.2)).toEqual(chooseByExpectedValue(tied, 0.2))
  })

  const names = ['a', 'b', 'c', 'd', 'e']
  const drawn = fc.array(
    fc.record({
      authRate: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
      costBps: fc.option(fc.integer({ min: 0, max: 1000 })),
      isDown: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  const candidatesOf = (all: readonly Omit<Candidate, 'gateway'>[]) => all.map((one, index) => ({ ...one, gateway: names[index] ?? '' }))
  const margin = fc.integer({ min: -5, max: 100 }).map((percent) => percent / 100)

  test('what is chosen is never worse in both approval and cost than another one that is up', () => {
    fc.assert(
      fc.property(drawn, margin, (all, share) => {
        const candidates = candidatesOf(all)
        const { chosen, ranked } = chooseByExpectedValue(candidates, share)
        const taken = ranked.find(({ gateway }) => gateway === chosen)
        fc.pre(taken !== undefined)
        const better = ranked.filter(({ authRate, costBps }) => taken && authRate > taken.authRate && costBps < taken.costBps)
        expect(better).toEqual([])
      }),
    )
  })

  test('cost wins by saving only, every gateway is named once, and the order of the candidates does not matter', () => {
    fc.assert(
      fc.property(drawn, margin, (all, share) => {
        const candidates = candidatesOf(all)
        const choice = chooseByExpectedValue(candidates, share)
        if (choice.outcome === 'COST_WON') expect(choice.costSavedBps).toBeGreaterThan(0)
        if (choice.chosen !== null) {
          expect([choice.chosen, ...choice.fallbacks].toSorted()).toEqual(candidates.map(({ gateway }) => gateway))
          const isChosenDown = candidates.find(({ gateway }) => gateway === choice.chosen)?.isDown
          expect(isChosenDown).toBe(candidates.every(({ isDown }) => isDown))
        }
        expect(chooseByExpectedValue(candidates.toReversed(), share)).toEqual(choice)
      }),
    )
  })
})
