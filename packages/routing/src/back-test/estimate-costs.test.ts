import { describe, expect, test } from '@jest/globals'
import type { WeighedPayment } from './estimate.ts'
import { createCostEstimator, type PricedPayment } from './estimate-costs.ts'

const payment = (changes: Partial<WeighedPayment> = {}): WeighedPayment => ({
  gateways: ['a', 'b'],
  recorded: [0.5, 0.5],
  proposed: [0.5, 0.5],
  expected: [0.9, 0.5],
  chosen: 0,
  isApproved: true,
  ...changes,
})
const price = (changes: Partial<PricedPayment> = {}): PricedPayment => ({ currency: 'EUR', amount: 100, costsBps: [200, 100], ...changes })

const estimatesOf = (payments: readonly (readonly [WeighedPayment, PricedPayment])[]) => {
  const estimator = createCostEstimator()
  for (const [one, priced] of payments) estimator.add(one, priced)
  return estimator.estimates()
}
/** Half of the payments go to each gateway, three of four are approved. */
const many = (count: number, changes: Partial<WeighedPayment> = {}, priced: (index: number) => PricedPayment = () => price()) =>
  Array.from({ length: count }, (_, index) => {
    const chosen = index % 2
    return [payment({ chosen, isApproved: index % 4 < 3, ...changes }), priced(index)] as const
  })

describe('what approvals cost', () => {
  test('under the recorded settings is what they did cost', () => {
    const [euro] = estimatesOf(many(400))
    // 200 at a, all approved, for 2.00; 200 at b, half approved, for 1.00.
    expect(euro).toMatchObject({ currency: 'EUR', paymentCount: 400, unpricedCount: 0, unanswerable: null })
    expect(euro?.cost.recorded).toBeCloseTo(200 * 2 + 100, 6)
    expect(euro?.approvedAmount.recorded).toBeCloseTo(300 * 100, 6)
    expect(euro?.cost.estimated?.value).toBeCloseTo(500, 6)
    expect(euro?.cost.change?.value).toBeCloseTo(0, 9)
  })

  test('with everything sent to b is what b costs, whatever was expected of it', () => {
    const [euro] = estimatesOf(many(4_000, { proposed: [0, 1] }))
    expect(euro?.cost.estimated?.value).toBeCloseTo(4_000 * 0.5 * 1, 6)
    expect(euro?.approvedAmount.estimated?.value).toBeCloseTo(4_000 * 0.5 * 100, 6)
    expect(euro?.cost.change?.value).toBeCloseTo(2_000 - 5_000, 6)
    expect(euro?.cost.estimated?.low).toBeGreaterThan(1_850)
    expect(euro?.cost.estimated?.high).toBeLessThan(2_150)
  })

  test('is told by currency, most payments first', () => {
    const mixed = many(600, {}, (index) => price({ currency: index % 3 === 0 ? 'USD' : 'EUR' }))
    expect(estimatesOf(mixed).map(({ currency, paymentCount }) => [currency, paymentCount])).toEqual([
      ['EUR', 400],
      ['USD', 200],
    ])
  })

  test('leaves out payments whose cost is unknown where they could or would go, and counts them', () => {
    const unknown = price({ costsBps: [200, null] })
    const [euro] = estimatesOf([...many(400), ...many(100, {}, () => unknown)])
    expect(euro).toMatchObject({ paymentCount: 400, unpricedCount: 100 })
    const [never] = estimatesOf(many(300, { recorded: [1, 0], proposed: [1, 0], chosen: 0 }, () => unknown))
    expect(never).toMatchObject({ paymentCount: 300, unpricedCount: 0 })
  })

  test('of few payments is not told', () => {
    expect(estimatesOf(many(50))[0]).toMatchObject({ unanswerable: 'TOO_FEW_PAYMENTS', cost: { estimated: null, change: null } })
  })
})
