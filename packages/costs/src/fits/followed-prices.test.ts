import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { numbersFrom, rowsOfPairs } from '../fit/sample-fit.fixture.ts'
import type { PriceChange } from '../reads/price-changes.ts'
import type { Contribution } from '../statistics/contribution.ts'
import { contributionOf, DAY, totalRow } from '../statistics/sample-rows.fixture.ts'
import { fitReports } from './fit-reports.ts'
import { type LearnedFit, wholeFit } from './learned-fit.ts'

interface Told extends PriceChange {
  /** Report with which it was told, from 0. */
  readonly at: number
}

/** All price changes that are told while reports come in one after the other. */
const toldOf = (reports: readonly Contribution[]): readonly Told[] => {
  let previous: LearnedFit | undefined
  return reports.flatMap((_, at) => {
    const identity = {
      merchantId: 'm',
      merchantRegistrationCount: 1,
      connector: 'adyen',
      account: 'a',
      fitId: `f${at}`,
      fitCount: at + 1,
      at,
    }
    const { events, changes } = fitReports(identity, reports.slice(0, at + 1), previous, [])
    previous = wholeFit(events.map(({ data }) => data))
    return changes.map((change) => ({ ...change, at }))
  })
}

type Price = (x: number) => number

/** A report of each day, the last one of `DAY`; what a payment of a day costs, give or take 1 %. */
const daily = (dayCount: number, paymentCount: number, priceOf: (day: number) => Price, seed = 1): readonly Contribution[] => {
  const next = numbersFrom(seed)
  return Array.from({ length: dayCount }, (_, day) => {
    const pairs = Array.from({ length: paymentCount }, () => {
      const x = 10 * 60 ** next()
      return [x, priceOf(day)(x) * (0.99 + 0.02 * next())] as const
    })
    return contributionOf(day + 1, rowsOfPairs(pairs, { day: DAY - dayCount + 1 + day }))
  })
}
const at =
  (bps: number, fixed = 0.1): Price =>
  (x) =>
    (bps / 10_000) * x + fixed

describe('changes of prices (cost.md 10.3)', () => {
  test.each([
    [20, 8, 300],
    [8, 8, 300],
    [50, 15, 40],
  ])('a step of %d bps is told once, whole and soon, though reports come daily (%d days, %d payments a day)', (step, days, payments) => {
    const told = toldOf(daily(2 * days, payments, (day) => at(day < days ? 120 : 120 + step)))
    expect(told).toHaveLength(1)
    const [change] = told
    expect(change?.before.pctBps).toBeCloseTo(120, -0.5)
    expect(Math.abs((change?.after.pctBps ?? 0) - 120 - step)).toBeLessThan(2)
    expect((change?.at ?? 0) - days).toBeLessThan(Math.ceil(200 / payments))
  })

  test('a price that stays is never told, however often and however noisy', () => {
    for (const seed of [1, 2, 3]) {
      expect(toldOf(daily(15, 210, () => at(180, 0.25), seed))).toEqual([])
      expect(toldOf(daily(20, 60, () => at(90, 0.05), seed))).toEqual([])
    }
  })

  test('a step of the fixed part is told', () => {
    expect(toldOf(daily(10, 300, (day) => at(120, day < 5 ? 0.1 : 0.14)))).toMatchObject([{ at: 5 }])
  })

  test('days that come later, and reports that are taken back, change no price', () => {
    const [old, ...newer] = daily(6, 300, (day) => at(day === 0 ? 200 : 120))
    if (old === undefined) throw new Error('no report')
    expect(toldOf([...newer, { ...old, sequence: 100 }])).toEqual([])
    expect(toldOf([...newer.slice(0, 2), ...newer.slice(1)])).toEqual([])
  })

  test('totals tell when their months agree again', () => {
    const month = (index: number, cost: number) =>
      contributionOf(index + 1, [totalRow({ day: DAY - 30 * (7 - index), cost, fixedCost: 0, turnover: 10_000, count: 300 })])
    const told = toldOf(Array.from({ length: 8 }, (_, index) => month(index, index < 4 ? 150 : 180)))
    expect(told).toHaveLength(1)
    expect(told[0]?.before.pctBps).toBeCloseTo(150, 9)
    expect(told[0]?.after.pctBps).toBeCloseTo(180, 9)
  })

  test('property: what is told of one cluster does not depend on the others', () => {
    const reports = daily(8, 250, (day) => at(day < 4 ? 120 : 150))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 300 }), (seed, bps) => {
        const others = daily(8, 20, () => at(bps), seed).map(({ buckets }) =>
          Array.from(buckets, (bucket) => ({ ...bucket, cluster: { ...bucket.cluster, currency: 'USD' } })),
        )
        const both = reports.map((report, index) => ({ ...report, buckets: [...report.buckets, ...(others[index] ?? [])] }))
        expect(toldOf(both).filter(({ cluster }) => cluster.currency === 'EUR')).toEqual(toldOf(reports))
      }),
      { numRuns: 5 },
    )
  })
})
