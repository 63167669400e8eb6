import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { bandEnd, bandOf, bandStart } from './band.ts'
import { dominantRates } from './bin-rates.ts'
import type { Bucket } from './contribution.ts'
import { clusterText } from './fit-cluster.ts'
import { RollUp } from './roll-up.ts'
import { contributionOf, DAY, paymentRow, rolledUp, totalRow } from './sample-rows.fixture.ts'
import { RETENTION_DAYS, type Statistics, statisticsOf } from './statistics.ts'
import { RunningSums, type Sums, sumOf } from './sums.ts'

const FIVE: readonly (readonly [number, number])[] = [
  [20, 0.62],
  [50, 1.14],
  [100, 2.06],
  [250, 4.74],
  [800, 14.66],
]
const sumsOf = (pairs: readonly (readonly [number, number])[]): Sums => {
  const sums = new RunningSums()
  for (const [gross, fee] of pairs) sums.addPayment(gross, fee)
  return sums
}
const expectNear = (one: Sums, other: Sums): void => {
  for (const [name, value] of Object.entries(one)) {
    const expected = Object.entries(other).find(([key]) => key === name)?.[1] ?? Number.NaN
    expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-9 * Math.abs(expected))
  }
}
const bucketsOf = ({ clusters }: Statistics): readonly Bucket[] => [...clusters.values()].flat()
const amount = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => cents / 100)
const pair = fc.tuple(
  amount,
  amount.map((fee) => fee / 50),
)
const rows = fc
  .array(fc.tuple(pair, fc.integer({ min: 0, max: 5 }), fc.constantFrom('EUR', 'USD'), fc.constantFrom('pos' as const, 'ecom' as const)), {
    maxLength: 20,
  })
  .map((drawn) => drawn.map(([[gross, fee], back, currency, channel]) => paymentRow(gross, fee, { day: DAY - back, currency, channel })))

describe('sums (cost.md 7)', () => {
  test('the worked example of five payments (17.1)', () => {
    const sums = sumsOf(FIVE)
    const expected = { n: 5, sx: 1220, sy: 23.22, sxx: 715_400, sxy: 13_188.4, syy: 243.3108 }
    const ofInverse = { su: 0.08525, suu: 0.0030175625, suy: 0.111685, suuy: 0.00231074625, syyuu: 0.002600487225 }
    for (const [name, value] of Object.entries({ ...expected, ...ofInverse }))
      expect({ ...sums }).toHaveProperty(name, expect.closeTo(value, 9))
    expect(FIVE.map(([gross]) => bandOf(gross))).toEqual([13, 16, 20, 23, 29])
  })

  test('a band holds the amounts from its start to the start of the next', () => {
    fc.assert(
      fc.property(amount, (value) => {
        const band = bandOf(value)
        expect(bandStart(band)).toBeLessThanOrEqual(value * (1 + 1e-12))
        expect(bandEnd(band)).toBeGreaterThan(value * (1 - 1e-12))
      }),
    )
    expect([bandOf(0), bandOf(-5), bandOf(0.5), bandOf(1), bandOf(5), bandOf(8)]).toEqual([0, 0, -4, 0, 6, 9])
  })

  test('the sums of two sets are those of both, in any order', () => {
    fc.assert(
      fc.property(fc.array(pair), fc.array(pair), (one, other) => {
        expectNear(sumOf([sumsOf(one), sumsOf(other)]), sumsOf([...other, ...one]))
      }),
    )
  })
})

describe('rolling up', () => {
  test('rows without a positive value are skipped, their cards are seen all the same', () => {
    const rollUp = new RollUp(() => undefined, DAY)
    rollUp.take(paymentRow(0, 1, { bin: '411111', interchangeRate: '20' }))
    rollUp.take(paymentRow(-5, 1, { issuerCountry: 'US' }))
    rollUp.take(paymentRow(10, 1, { day: null }))
    expect(rollUp.finish()).toMatchObject({
      buckets: [{ day: DAY, band: 10, sums: { n: 1 } }],
      binRates: [{ bin: '411111', day: DAY, rate: '20', count: 1 }],
    })
    expect(rollUp.summary()).toEqual({
      firstDay: DAY,
      lastDay: DAY,
      grossByCurrency: new Map([['EUR', 10]]),
      countries: ['NL'],
      skippedCount: 2,
    })
  })

  test('a row of a day that is still to come does not push the others out of the window', () => {
    const rollUp = new RollUp(() => undefined, DAY)
    for (const ahead of [0, 1, 2]) rollUp.take(paymentRow(10, 1, { day: DAY + ahead, bin: '411111', interchangeRate: '20' }))
    expect(rollUp.finish().buckets.map(({ day }) => day)).toEqual([DAY, DAY + 1])
    expect(rollUp.finish().binRates).toHaveLength(2)
    expect(rollUp.summary()).toMatchObject({ lastDay: DAY + 1, skippedCount: 1 })
  })

  test('money is added by currency', () => {
    const rollUp = new RollUp(() => undefined, DAY)
    for (const currency of ['EUR', 'USD', 'EUR']) rollUp.take(paymentRow(10, 1, { currency }))
    rollUp.take(totalRow({ currency: 'GBP', turnover: 7 }))
    expect(rollUp.summary().grossByCurrency).toEqual(
      new Map([
        ['EUR', 20],
        ['USD', 10],
        ['GBP', 7],
      ]),
    )
  })

  test('the product of a card is the rate of its BIN, else its own', () => {
    const rollUp = new RollUp((bin) => (bin === '411111' ? '30' : undefined), DAY)
    rollUp.take(paymentRow(10, 1, { bin: '41111122', interchangeRate: '20' }))
    rollUp.take(paymentRow(10, 1, { bin: '511111', interchangeRate: '20' }))
    rollUp.take(paymentRow(10, 1))
    expect(rollUp.finish().buckets.map(({ cluster }) => cluster.cardProduct)).toEqual(['30', '20', ''])
  })

  test('an empty report', () => {
    expect(new RollUp(() => undefined, DAY).summary()).toMatchObject({ firstDay: null, lastDay: null, skippedCount: 0 })
  })

  test('a turnover counts once, its fees add up', () => {
    const lines = [
      totalRow(),
      totalRow({ feeName: 'interchange', cost: 20, fixedCost: 0 }),
      totalRow({ turnover: 500, cost: 10, fixedCost: 1, count: 5 }),
    ]
    expect(rolledUp(lines).totals).toMatchObject([{ turnover: 10_500, cost: 180, fixedCost: 31, count: 305 }])
    expect(rolledUp([totalRow(), totalRow({ fixedCost: null, count: null })]).totals).toMatchObject([
      { turnover: 20_000, fixedCost: null, count: null },
    ])
  })

  test('of fees without names: their turnover is one, and how many payments there were is not known unless all of them agree', () => {
    const unnamed = totalRow({ feeName: '' })
    const { turnover, cost, count } = unnamed
    expect(rolledUp([unnamed, unnamed]).totals).toMatchObject([{ turnover, cost: 2 * cost, count }])
    expect(rolledUp([unnamed, totalRow({ feeName: '', turnover: 500, count: 5 })]).totals).toMatchObject([{ turnover, count: null }])
    expect(rolledUp([unnamed, totalRow({ feeName: '', count: 5 }), unnamed]).totals).toMatchObject([{ turnover, count: null }])
  })
})

describe('rates of BINs', () => {
  const seen = (bin: string, rate: string, paymentCount: number) => ({ bin, rate, paymentCount })
  test('the most frequent rate, the lower one of two', () => {
    const rates = dominantRates([seen('1', '30', 2), seen('1', '20', 1), seen('1', '20', 2), seen('2', '150', 4), seen('2', '80', 4)])
    expect(rates).toEqual(
      new Map([
        ['1', '20'],
        ['2', '80'],
      ]),
    )
  })
})

describe('contributions', () => {
  test('a report that comes again replaces its days and gives them back when it is deleted', () => {
    const first = contributionOf(1, [paymentRow(10, 1), paymentRow(20, 1, { day: DAY - 1 })])
    const again = contributionOf(2, [paymentRow(30, 1)])
    const gross = (...all: readonly ReturnType<typeof contributionOf>[]) => bucketsOf(statisticsOf(all)).map(({ sums }) => sums.sx)
    expect(gross(first, again)).toEqual([20, 30])
    expect(gross(first)).toEqual([20, 10])
    expect(gross(first, contributionOf(2, [paymentRow(10, 2)], 'parts-of-days'))).toEqual([20, 20])
  })

  test('days older than the retention no longer count', () => {
    const old = contributionOf(1, [paymentRow(1, 1, { day: DAY - RETENTION_DAYS }), paymentRow(2, 1, { day: DAY - RETENTION_DAYS + 1 })])
    expect(bucketsOf(statisticsOf([old, contributionOf(2, [paymentRow(3, 1)])])).map(({ sums }) => sums.sx)).toEqual([2, 3])
  })

  test('nothing', () => {
    expect(statisticsOf([])).toEqual({ clusters: new Map(), totals: [], binRates: [], latestDay: null })
  })

  const contributions = fc
    .array(fc.tuple(rows, fc.constantFrom('whole-days' as const, 'parts-of-days' as const)), { maxLength: 5 })
    .map((drawn) => drawn.map(([list, covers], index) => contributionOf(index + 1, list, covers)))

  test('the order in which they come does not matter', () => {
    fc.assert(fc.property(contributions, (all) => expect(statisticsOf(all.toReversed())).toEqual(statisticsOf(all))))
  })

  test('clusters stand in the order of their texts, with the buckets of each by day, channel and band, each once', () => {
    fc.assert(
      fc.property(contributions, (all) => {
        const { clusters } = statisticsOf(all)
        expect([...clusters.keys()]).toEqual([...clusters.keys()].sort())
        for (const [text, buckets] of clusters) {
          expect(new Set(buckets.map(({ cluster }) => clusterText(cluster)))).toEqual(new Set([text]))
          const keys = buckets.map(({ day, channel, band }) => `${day} ${channel} ${band + 5_000}`)
          expect(keys).toEqual([...new Set(keys)].sort())
        }
      }),
    )
  })

  test('without a contribution they are as if it had never come', () => {
    fc.assert(
      fc.property(contributions, rows, (all, list) => {
        const added = contributionOf(all.length + 1, list)
        const remaining = [...all, added].filter(({ ingestionId }) => ingestionId !== added.ingestionId)
        expect(statisticsOf(remaining)).toEqual(statisticsOf(all))
      }),
    )
  })

  test('parts of days add up to the report that they are parts of', () => {
    fc.assert(
      fc.property(rows, rows, (one, other) => {
        const parts = statisticsOf([contributionOf(1, one, 'parts-of-days'), contributionOf(2, other, 'parts-of-days')])
        const whole = statisticsOf([contributionOf(1, [...one, ...other])])
        expect(bucketsOf(parts).length).toBe(bucketsOf(whole).length)
        bucketsOf(parts).forEach((bucket, index) => {
          const same = bucketsOf(whole)[index]
          expect({ ...bucket, sums: null }).toEqual({ ...same, sums: null })
          if (same) expectNear(bucket.sums, same.sums)
        })
      }),
    )
  })
})
