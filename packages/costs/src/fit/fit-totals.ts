import type { Day } from '../reports/day.ts'
import type { TotalsBucket } from '../statistics/contribution.ts'
import type { Fee, FittedCluster } from './fitted-cluster.ts'
import { gradeOf, type Verdict } from './grade.ts'
import { BPS, ERROR_UNKNOWN_BPS } from './line.ts'
import { BASE_WINDOW_DAYS } from './window.ts'

/** Totals that a grade needs: one agrees with itself whatever the price is. */
const COMPARED_TOTALS_MIN = 2

interface Totals {
  readonly turnover: number
  readonly cost: number
  readonly fixedCost: number | null
  readonly count: number | null
}

const plus = (one: number | null, other: number | null): number | null => (one === null || other === null ? null : one + other)

const sumOf = (totals: readonly Totals[]): Totals =>
  totals.reduce(
    (sum, { turnover, cost, fixedCost, count }) => ({
      turnover: sum.turnover + turnover,
      cost: sum.cost + cost,
      fixedCost: plus(sum.fixedCost, fixedCost),
      count: plus(sum.count, count),
    }),
    { turnover: 0, cost: 0, fixedCost: 0, count: 0 },
  )

/** The split that the report makes, or all of the cost as a share when it makes none. */
const feeOf = ({ turnover, cost, fixedCost, count }: Totals): Fee =>
  fixedCost === null || !count
    ? { pctBps: (cost / turnover) * BPS, fixed: 0 }
    : { pctBps: ((cost - fixedCost) / turnover) * BPS, fixed: fixedCost / count }

/** What 95 of 100 sums of so many squares of a normal deviate exceed (chi-square, 5 %), from one square on. */
const LOW_SUMS_OF_SQUARES = [0.00393, 0.1026, 0.3518, 0.7107, 1.1455, 1.6354, 2.1673, 2.7326, 3.3251, 3.9403]

/**
 * How far single payments are off, relative to their value: the most that the totals allow for. Errors of payments cancel out in
 * a total, so what is left of them grows with the root of their number only; and few totals may agree by chance.
 */
const errorBpsOf = ({ pctBps, fixed }: Fee, totals: readonly Totals[], turnover: number): number => {
  if (totals.length < COMPARED_TOTALS_MIN) return ERROR_UNKNOWN_BPS
  const squares = totals.reduce((sum, total) => {
    const error = total.cost - (pctBps / BPS) * total.turnover - fixed * (total.count ?? 0)
    return sum + (Math.max(1, total.count ?? 0) * error * error) / total.turnover
  }, 0)
  // One square is spent on the price, which is that of these totals themselves.
  const low = LOW_SUMS_OF_SQUARES[Math.min(totals.length - 1, LOW_SUMS_OF_SQUARES.length) - 1] ?? 0
  return Math.sqrt((squares / turnover) * (totals.length / low)) * BPS
}

const verdictOf = (count: number, errorBps: number): Verdict => (errorBps === ERROR_UNKNOWN_BPS ? 'THIN' : gradeOf(count, errorBps))

/**
 * The price of a cluster of which only totals are known (cost.md 5.5): what was charged over what it was charged on. Undefined
 * when none is of the last 90 days. Totals that are not counted stay THIN.
 */
export const fitTotals = (buckets: readonly TotalsBucket[], latestDay: Day): FittedCluster | undefined => {
  const recent = buckets.filter(({ day }) => day >= latestDay - BASE_WINDOW_DAYS)
  const [first] = recent
  if (first === undefined) return undefined
  const total = sumOf(recent)
  const fee = feeOf(total)
  const errorBps = errorBpsOf(fee, recent, total.turnover)
  const n = total.count ?? 0
  return {
    cluster: first.cluster,
    basis: 'totals',
    fee,
    n,
    gross: total.turnover,
    errorBps,
    slopeErrorBps: ERROR_UNKNOWN_BPS,
    explainedShare: null,
    verdict: verdictOf(n, errorBps),
    tiers: [],
  }
}
