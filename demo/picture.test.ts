import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createLedger } from './ledger.mjs'
import { createMarket, GATEWAYS } from './market.mjs'
import { drawPicture, pathOf, scaleOf, spreadLabels } from './picture.mjs'
import { scoreSeries, shareSeries } from './series.mjs'

const PAYMENT_COUNT = 1_000
const market = createMarket({ seed: 1, paymentCount: PAYMENT_COUNT })

const ledger = createLedger(PAYMENT_COUNT)
for (let index = 0; index < PAYMENT_COUNT; index += 1) {
  const gateway = GATEWAYS[index % 2] ?? ''
  const scoreOf = Object.fromEntries(GATEWAYS.map((name, slot) => [name, slot / 10]))
  ledger.record(index, { gateway, isApproved: true, explored: false, scoreOf })
}
const scores = scoreSeries(market, ledger, { methodKey: 'credit', bucketSize: 100 })
const shares = shareSeries(ledger, 100)
const svg = drawPicture({ paymentCount: PAYMENT_COUNT, subtitle: 'a < b & c', scoreTitle: 'Score', scores, shares })

describe('the series', () => {
  test('shares of every run of payments add up to one', () => {
    expect(shares).toHaveLength(10)
    for (const bucket of shares) expect(bucket.shares).toEqual([0.5, 0.5, 0, 0, 0])
  })

  test('scores are means of what was answered', () => {
    for (const bucket of scores) expect(bucket.scores.map((score) => Math.round(score * 100) / 100)).toEqual([0, 0.1, 0.2, 0.3, 0.4])
  })

  test('a run without an answer has no value', () => {
    const empty = createLedger(100)
    expect(shareSeries(empty, 100)[0]?.shares.every(Number.isNaN)).toBe(true)
    expect(scoreSeries(market, empty, { methodKey: 'credit', bucketSize: 100 })[0]?.scores.every(Number.isNaN)).toBe(true)
  })
})

describe('the picture', () => {
  test('every figure in it is a number within the frame', () => {
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
    const [, width = '0', height = '0'] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []
    for (const [, name = '', value = ''] of svg.matchAll(/ (x|x1|x2|y|y1|y2)="([^"]*)"/g)) {
      expect(Number(value)).toBeGreaterThanOrEqual(0)
      expect(Number(value)).toBeLessThanOrEqual(Number(name.startsWith('x') ? width : height))
    }
  })

  test('text is escaped and every tag is closed', () => {
    expect(svg).toContain('a &lt; b &amp; c')
    const opened = svg.match(/<(?!\/)[a-z]+[^>]*[^/]>/g)?.length
    expect(svg.match(/<\/[a-z]+>/g)?.length).toBe(opened)
  })

  test('a missing value interrupts a line', () => {
    const points = [0, 1, Number.NaN, 3, 4].map((y, x) => ({ x, y }))
    expect(pathOf(points)).toBe('M0 0L1 1M3 3L4 4')
  })

  test('a scale maps its ends onto its ends', () => {
    const y = scaleOf(0, 1, 300, 100)
    expect([y(0), y(0.5), y(1)]).toEqual([300, 200, 100])
  })

  test('labels keep their distance, their order and the bounds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 300 }), { minLength: 1, maxLength: 5 }), (heights) => {
        const placed = spreadLabels(
          heights.map((y) => ({ y, wanted: y })),
          { gap: 15, top: 100, bottom: 300 },
        )
        const tooClose = placed.slice(1).filter((label, slot) => label.y - (placed[slot]?.y ?? 0) < 15)
        const outOfOrder = placed.slice(1).filter((label, slot) => label.wanted < (placed[slot]?.wanted ?? 0))
        const outside = placed.filter(({ y }) => y < 100 || y > 300)
        expect([tooClose, outOfOrder, outside]).toEqual([[], [], []])
      }),
    )
  })
})
