import { describe, expect, test } from '@jest/globals'
import { savingsOf } from './decisions.mjs'
import { drawFees } from './fee-picture.mjs'

const ranked = (psp: string, authRate: number, costBps: number, isSrHead: boolean, isChosen: boolean) => ({
  psp,
  authRate,
  costBps,
  isSrHead,
  isChosen,
})
const payment = { amount: 200, kind: { currency: 'EUR' } }
const moved = {
  payment,
  gateway: 'b',
  info: { outcome: 'COST_WON', costSavedBps: 100, ranked: [ranked('b', 0.9, 150, false, true), ranked('a', 0.92, 250, true, false)] },
}
const kept = { payment, gateway: 'a', info: { outcome: 'AUTH_WON', costSavedBps: null, ranked: [ranked('a', 0.92, 250, true, true)] } }

describe('what weighing cost saved', () => {
  test('is told by the model and by the tariffs, beside what was given up', () => {
    const savings = savingsOf({ trueCostBps: (gateway) => (gateway === 'a' ? 251 : 150) }, [moved, kept])
    expect(savings).toMatchObject({ weighedCount: 2, wonCount: 1, pricedCount: 3, medianErrorBps: 1 })
    const euro = savings.byCurrency.get('EUR')
    expect(euro).toMatchObject({ count: 1, amount: 200, told: 2 })
    expect(euro?.real).toBeCloseTo(2.02, 9)
    expect(euro?.givenUp).toBeCloseTo(0.02 * 200 * 0.12, 9)
  })
  test('is nothing where nothing was weighed', () => {
    expect(savingsOf({ trueCostBps: () => 0 }, [])).toMatchObject({ weighedCount: 0, wonCount: 0, pricedCount: 0 })
  })
})

describe('the picture of fees', () => {
  const cluster = {
    title: 'visa & friends',
    subtitle: 'linear',
    currency: 'EUR',
    payments: [10, 100, 1000].map((amount) => ({ amount, fee: 0.02 * amount })),
    pctBps: 200,
    fixed: 0,
    segments: [],
  }
  const svg = drawFees({ subtitle: 'seed 1', clusters: [cluster, { ...cluster, pctBps: null, fixed: null }] })

  test('has a dot for every payment and a line where a price was learned', () => {
    expect(svg.match(/<circle /g)).toHaveLength(6)
    const paths = [...svg.matchAll(/<path d="([^"]*)"/g)].map(([, path]) => path)
    expect(paths).toHaveLength(2)
    expect(paths[0]).toMatch(/^M/)
    expect(paths[1]).toBe('')
    expect(svg).toContain('visa &amp; friends')
    expect(svg).not.toContain('NaN')
  })
})
