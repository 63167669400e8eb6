import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createMarket, GATEWAYS, METHODS, OUTAGE, PHASES, phaseOf } from './market.mjs'
import { drawsOf, weighted } from './random.mjs'

const PAYMENT_COUNT = 2_000
const market = createMarket({ seed: 1, paymentCount: PAYMENT_COUNT })
const everyPayment = Array.from({ length: PAYMENT_COUNT }, (_, index) => market.paymentAt(index))

describe('the simulated market', () => {
  test('the same seed gives the same payments, in whatever order they are asked for', () => {
    const again = createMarket({ seed: 1, paymentCount: PAYMENT_COUNT })
    const backwards = everyPayment.map((_, index) => again.paymentAt(PAYMENT_COUNT - 1 - index)).reverse()
    expect(backwards).toEqual(everyPayment)
  })

  test('another seed gives other payments', () => {
    const other = createMarket({ seed: 2, paymentCount: PAYMENT_COUNT })
    expect(everyPayment.map(({ index }) => other.paymentAt(index).luck)).not.toEqual(everyPayment.map(({ luck }) => luck))
  })

  test('every rate is a probability', () => {
    for (const payment of everyPayment) {
      for (const gateway of GATEWAYS) {
        expect(market.rateOf(gateway, payment)).toBeGreaterThan(0)
        expect(market.rateOf(gateway, payment)).toBeLessThan(1)
      }
    }
  })

  test('methods appear as often as their weights say', () => {
    for (const { key, weight } of METHODS) {
      const share = everyPayment.filter(({ method }) => method.key === key).length / PAYMENT_COUNT
      expect(Math.abs(share - weight)).toBeLessThan(0.04)
    }
  })

  test('no gateway is the best for every method, and the best changes over time', () => {
    const bestAt = (index: number): readonly string[] =>
      METHODS.map(({ key }) =>
        GATEWAYS.reduce((best, gateway) =>
          market.visibleRateOf(gateway, key, index) > market.visibleRateOf(best, key, index) ? gateway : best,
        ),
      )
    expect(new Set(bestAt(0)).size).toBeGreaterThan(1)
    expect(bestAt(PAYMENT_COUNT - 1)).not.toEqual(bestAt(0))
  })

  test('the outage lasts exactly as long as its phase', () => {
    const isDown = (index: number): boolean => market.visibleRateOf(OUTAGE.gateway, 'credit', index) === OUTAGE.rate
    for (const { index } of everyPayment) expect(isDown(index)).toBe(phaseOf(index, PAYMENT_COUNT).name === OUTAGE.phase)
  })

  test('what a router can see is the mean of what happens', () => {
    const credit = everyPayment.filter(({ index, method }) => method.key === 'credit' && index < PAYMENT_COUNT * 0.4)
    const mean = credit.reduce((sum, payment) => sum + market.rateOf('cinder', payment), 0) / credit.length
    expect(Math.abs(mean - market.visibleRateOf('cinder', 'credit', 0))).toBeLessThan(0.02)
  })

  test('the phases cover the run without a gap', () => {
    expect(PHASES.map(({ from }) => from)).toEqual([0, ...PHASES.slice(0, -1).map(({ to }) => to)])
    expect(PHASES.at(-1)?.to).toBe(1)
  })
})

describe('draws', () => {
  test('are in [0, 1) and differ between streams', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(1_000_000), (seed, stream) => {
        const [draw, next] = [drawsOf(seed, stream), drawsOf(seed, stream + 1)]
        const values = [draw(), draw(), draw()]
        for (const value of values) expect(value >= 0 && value < 1).toBe(true)
        expect([next(), next(), next()]).not.toEqual(values)
      }),
    )
  })

  test('are spread evenly', () => {
    const counts = Array.from({ length: 10 }, () => 0)
    for (let stream = 0; stream < 20_000; stream += 1) {
      const slot = Math.floor(drawsOf(7, stream)() * 10)
      counts[slot] = (counts[slot] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 2_000)).toBeLessThan(200)
  })

  test('a weighted choice takes the option that the draw falls into', () => {
    const options = [
      { name: 'a', weight: 0.25 },
      { name: 'b', weight: 0.75 },
    ]
    expect([0, 0.2499, 0.25, 0.999].map((draw) => weighted(options, draw).name)).toEqual(['a', 'a', 'b', 'b'])
  })
})
