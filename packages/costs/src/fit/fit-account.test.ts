import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { contributionOf, DAY, paymentRow, totalRow } from '../statistics/sample-rows.fixture.ts'
import { statisticsOf } from '../statistics/statistics.ts'
import { RunningSums } from '../statistics/sums.ts'
import { fitAccount } from './fit-account.ts'
import type { Fee } from './fitted-cluster.ts'
import { GOOD_ERROR_MAX_BPS, gradeOf } from './grade.ts'
import { ERROR_UNKNOWN_BPS, fitLine, relativeErrorBps } from './line.ts'
import { FIVE, fitRows, numbersFrom, rowsOfPairs, times } from './sample-fit.fixture.ts'

const BPS = 10_000
/** Shapes of tariffs that no line fits: the fee of an amount, with a change at `at`. */
const SHAPES: readonly ((x: number, at: number, bps: number, fixed: number) => number)[] = [
  (x, at, bps, fixed) => (bps / BPS) * Math.min(x, at) + fixed,
  (x, at, bps, fixed) => (bps / BPS) * x + (x < at ? 3 * fixed : fixed),
  (x, at, bps, fixed) => ((x < at ? bps : bps / 3) / BPS) * x + fixed,
  (x, at, bps, fixed) => (bps / BPS) * Math.max(x, at) + fixed,
]

/** As many numbers as are wanted, evenly from 0 to 1, the same on every run. */
const quickNumbersFrom = (seed: number): (() => number) => {
  let state = Math.imul(seed, 2_654_435_761)
  return () => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223
    return (state >>> 0) / 2 ** 32
  }
}

/** A tariff with 1 % of noise, over amounts of one to three decades. */
const drawnTariff = (seed: number) => {
  const next = quickNumbersFrom(seed)
  const [from, decades, bps, fixed] = [1 + 30 * next(), 1 + 2 * next(), 20 + 300 * next(), 0.3 * next()]
  const at = from * 10 ** (decades * next())
  const fee = SHAPES[seed % SHAPES.length]
  const payment = (): readonly [number, number] => {
    const x = from * 10 ** (decades * next())
    return [x, (fee?.(x, at, bps, fixed) ?? 0) * (0.99 + 0.02 * next())]
  }
  return { draw: (count: number) => Array.from({ length: count }, payment) }
}

/** Root mean square of the relative error, bps. */
const freshErrorBps = ({ pctBps, fixed }: Fee, pairs: readonly (readonly [number, number])[]): number => {
  const squares = pairs.reduce((sum, [x, y]) => sum + ((y - fixed) / x - pctBps / BPS) ** 2, 0)
  return Math.sqrt(squares / pairs.length) * BPS
}

describe('a line through payments (cost.md 8, 17.1)', () => {
  test('five payments', () => {
    const [fitted] = fitRows(rowsOfPairs(FIVE))
    expect(fitted).toMatchObject({ basis: 'payments', n: 5, gross: 1220, verdict: 'THIN', tiers: [] })
    expect(fitted?.fee?.pctBps).toBeCloseTo(180.09, 4)
    expect(fitted?.fee?.fixed).toBeCloseTo(0.249804, 6)
    expect(fitted?.errorBps).toBeCloseTo(2.4652, 4)
    expect(fitted?.slopeErrorBps).toBeCloseTo(0.3698, 4)
    expect(fitted?.explainedShare).toBeCloseTo(0.9999967, 7)
  })

  test.each([
    [8, 'THIN', 0.1039],
    [40, 'GOOD', undefined],
  ] as const)('the same %d times is %s', (count, verdict, slopeErrorBps) => {
    const [fitted] = fitRows(rowsOfPairs(times(count, FIVE)))
    expect(fitted).toMatchObject({ n: 5 * count, verdict })
    expect(fitted?.errorBps).toBeCloseTo(2.4652, 4)
    if (slopeErrorBps !== undefined) expect(fitted?.slopeErrorBps).toBeCloseTo(slopeErrorBps, 4)
  })

  test('amounts below the crossover are not graded', () => {
    const pairs: readonly (readonly [number, number])[] = [...FIVE, [5, 0.4], [8, 0.3]]
    const [fitted] = fitRows(rowsOfPairs(pairs))
    expect(fitted?.fee?.pctBps).toBeCloseTo(180.2002, 4)
    expect(fitted?.fee?.fixed).toBeCloseTo(0.243045, 6)
    expect(fitted?.errorBps).toBeCloseTo(3.7817, 4)
    const all = new RunningSums()
    for (const [gross, fee] of pairs) all.addPayment(gross, fee)
    expect(relativeErrorBps(fitLine(all) ?? { slope: 0, fixed: 0 }, all)).toBeCloseTo(65.28, 2)
    expect(fitRows(rowsOfPairs(times(40, pairs)))).toMatchObject([{ verdict: 'GOOD' }])
  })

  test.each([
    [200, 15, 'GOOD'],
    [200, 15.001, 'NON_LINEAR'],
    [199, 0, 'THIN'],
    [199, 99, 'THIN'],
    [200, Number.NaN, 'NON_LINEAR'],
  ])('%d payments with an error of %d bps: %s', (count, error, verdict) => {
    expect(gradeOf(count, error)).toBe(verdict)
  })

  test('amounts that do not differ have no line', () => {
    const fitted = fitRows(rowsOfPairs(times(300, [[9.99, 0.4]])))
    expect(fitted).toMatchObject([{ fee: null, errorBps: ERROR_UNKNOWN_BPS, verdict: 'NON_LINEAR', explainedShare: null, tiers: [] }])
    expect(fitRows(rowsOfPairs([[9.99, 0.4]]))).toMatchObject([{ fee: null, verdict: 'THIN' }])
  })

  test('amounts that do not differ have no line, however many roundings their sums have seen', () => {
    const amounts = [0.99, 4.99, 9.99, 19.99, 29.9]
    const sumsOf = (count: number, amount: number): RunningSums => {
      const sums = new RunningSums()
      for (let at = 0; at < count; at++) sums.addPayment(amount, 0.45)
      return sums
    }
    const lines = amounts.flatMap((amount) => [50_000, 200_000, 1_000_000].map((count) => fitLine(sumsOf(count, amount))))
    expect(lines.filter((line) => line !== undefined)).toEqual([])
    const other = sumsOf(200_000, 9.99)
    for (const amount of [5, 50, 100]) other.addPayment(amount, 0.25 + 0.02 * amount)
    expect(fitLine(other)?.slope).toBeCloseTo(0.02, 4)
  })

  test('a line through a capped fee is not good because most of its amounts lie below the crossover', () => {
    const next = numbersFrom(3)
    const capped = Array.from({ length: 500 }, () => 15 * 800 ** next()).map((x) => [x, Math.min(0.02 * x, 5) + 0.001 * x] as const)
    const [fitted] = fitRows(rowsOfPairs(capped))
    const { pctBps, fixed } = fitted?.fee ?? { pctBps: 0, fixed: 0 }
    expect((fixed / pctBps) * 10_000).toBeGreaterThan(1000)
    expect(fitted?.verdict).toBe('NON_LINEAR')
    expect(fitted?.errorBps).toBeGreaterThan(100)
    expect(fitted?.tiers.length).toBeGreaterThan(1)
  })

  test('caps, jumps and tiers anywhere: what is called good does not miss payments that it has not seen', () => {
    const errors = Array.from({ length: 400 }, (_, seed) => {
      const tariff = drawnTariff(seed)
      const [fitted] = fitRows(rowsOfPairs(tariff.draw(220 + ((37 * seed) % 1200))))
      return fitted?.verdict === 'GOOD' && fitted.fee ? freshErrorBps(fitted.fee, tariff.draw(1_000)) : 0
    })
    const good = errors.filter((error) => error > 0)
    expect(good.length).toBeGreaterThan(60)
    // A sample of a few hundred may tell less than 15 where it is a little more, or not hold the payments that are rare.
    expect(good.filter((error) => error > 1.15 * GOOD_ERROR_MAX_BPS).length).toBeLessThanOrEqual(0.02 * good.length)
    expect(Math.max(...good)).toBeLessThan(2 * GOOD_ERROR_MAX_BPS)
  })

  test('tiny payments are excused only while their fees are about right', () => {
    const tiny = (fee: number) => fitRows(rowsOfPairs(times(40, [...FIVE, [5, 0.34 + fee], [8, 0.39 - 1.5 * fee]])))
    expect(tiny(0.06)).toMatchObject([{ verdict: 'GOOD' }])
    expect(tiny(0.2)).toMatchObject([{ verdict: 'NON_LINEAR' }])
  })

  test('tiny payments are excused only while the line is right about them on the whole', () => {
    const tiny = (one: number, other: number) => fitRows(rowsOfPairs(times(40, [...FIVE, [5, 0.33 + one], [8, 0.38 + other]])))
    expect(tiny(0.06, -0.08)).toMatchObject([{ verdict: 'GOOD' }])
    expect(tiny(0.06, 0.06)).toMatchObject([{ verdict: 'NON_LINEAR' }])
  })

  test('nothing', () => {
    expect(fitRows([])).toEqual([])
  })
})

describe('windows (cost.md 8.2)', () => {
  const ofDays = (days: readonly (readonly [number, number])[]) =>
    fitRows(days.flatMap(([back, count]) => rowsOfPairs(times(count / 5, FIVE), { day: DAY - back })))

  test('older whole days count while the later ones hold fewer than 200', () => {
    expect(
      ofDays([
        [0, 60],
        [40, 70],
        [100, 50],
        [150, 40],
        [200, 30],
      ]),
    ).toMatchObject([{ n: 220 }])
  })
  test.each([
    [90, 210],
    [91, 200],
  ])('a day %d days back with enough later ones: %d payments', (back, n) => {
    expect(
      ofDays([
        [0, 200],
        [back, 10],
      ]),
    ).toMatchObject([{ n }])
  })
  test.each([
    [365, 15],
    [366, 5],
  ])('a day %d days back with few later ones: %d payments', (back, n) => {
    expect(
      ofDays([
        [0, 5],
        [back, 10],
      ]),
    ).toMatchObject([{ n }])
  })
  test('a cluster without a payment in a year is left out', () => {
    expect(fitRows([...rowsOfPairs(FIVE), ...rowsOfPairs(FIVE, { day: DAY - 366, currency: 'USD' })])).toHaveLength(1)
  })
})

describe('totals (cost.md 5.5)', () => {
  const month = (back: number, turnover: number, cost: number) => totalRow({ day: DAY - back, turnover, cost, fixedCost: 30, count: 300 })

  test('what was charged over what it was charged on', () => {
    const [fitted] = fitAccount(statisticsOf([contributionOf(1, [month(0, 10_000, 150), month(30, 20_000, 270)])]))
    expect(fitted).toMatchObject({ basis: 'totals', n: 600, gross: 30_000, verdict: 'GOOD', fee: { fixed: 0.1 } })
    expect(fitted?.fee?.pctBps).toBeCloseTo(120, 9)
    expect(fitted?.errorBps).toBeCloseTo(0, 6)
  })
  test.each([
    ['one month agrees with itself', [month(0, 10_000, 150)], { verdict: 'THIN', errorBps: ERROR_UNKNOWN_BPS }],
    ['months that disagree', [month(0, 10_000, 150), month(30, 10_000, 300)], { verdict: 'NON_LINEAR' }],
    [
      'no count and no split: all of it is a share, and thin',
      [totalRow({ count: null, fixedCost: null }), totalRow({ count: null, fixedCost: null, day: DAY - 30 })],
      { verdict: 'THIN', n: 0, fee: { pctBps: 150, fixed: 0 } },
    ],
    ['older than the window', [month(0, 10_000, 150), totalRow({ day: DAY - 91, currency: 'USD' })], { cluster: { currency: 'EUR' } }],
  ])('%s', (_name, lines, expected) => {
    expect(fitAccount(statisticsOf([contributionOf(1, lines)]))).toMatchObject([expected])
  })
})

describe('laws', () => {
  const pairs = fc.array(
    fc.tuple(fc.integer({ min: 100, max: 1_000_000 }), fc.integer({ min: 1, max: 20_000 })).map(([x, y]) => [x / 100, y / 100] as const),
    { minLength: 2, maxLength: 30 },
  )

  test('other money is the same share and another fixed part', () => {
    fc.assert(
      fc.property(pairs, fc.constantFrom(0.1, 10, 100, 1000), (drawn, scale) => {
        const [one] = fitRows(rowsOfPairs(drawn))
        const [other] = fitRows(rowsOfPairs(drawn.map(([x, y]) => [x * scale, y * scale] as const)))
        fc.pre(one?.fee !== null && other?.fee !== null && (one?.slopeErrorBps ?? 0) < 5000)
        const tolerance = 1e-6 * (1 + Math.abs(one?.fee?.pctBps ?? 0))
        expect(Math.abs((one?.fee?.pctBps ?? 0) - (other?.fee?.pctBps ?? 0))).toBeLessThan(tolerance)
        expect(Math.abs((one?.fee?.fixed ?? 0) * scale - (other?.fee?.fixed ?? 0))).toBeLessThan(
          1e-6 * scale * (1 + Math.abs(one?.fee?.fixed ?? 0)),
        )
      }),
    )
  })

  test('payments of one cluster never change another one, however far back they widen the window', () => {
    fc.assert(
      fc.property(pairs, pairs, fc.integer({ min: 0, max: 399 }), (drawn, others, back) => {
        const own = rowsOfPairs([...drawn, [10, 1]])
        const [alone] = fitRows(own)
        const together = fitRows([...own, ...rowsOfPairs(others, { currency: 'USD', day: DAY - back })])
        expect(together.filter(({ cluster }) => cluster.currency === 'EUR')).toEqual([alone])
      }),
    )
  })

  test('a perfect price is found, whatever it is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 100 }), (bps, cents) => {
        const [fitted] = fitRows(rowsOfPairs(times(50, [10, 20, 50, 75, 120]).map((x) => [x, (x * bps) / 10_000 + cents / 100] as const)))
        expect(fitted).toMatchObject({ verdict: 'GOOD' })
        expect(fitted?.fee?.pctBps).toBeCloseTo(bps, 6)
        expect(fitted?.fee?.fixed).toBeCloseTo(cents / 100, 6)
      }),
    )
  })

  test('a fit does not depend on who else is in the account or when a row came', () => {
    const rows = [...rowsOfPairs(FIVE), paymentRow(10, 1, { day: DAY - 3 })]
    expect(fitRows(rows.toReversed())[0]?.fee?.pctBps).toBeCloseTo(fitRows(rows)[0]?.fee?.pctBps ?? 0, 9)
  })
})
