import type { KnownPrice } from '@switchyard/events'
import type { Day } from '../reports/day.ts'
import type { Bucket } from '../statistics/contribution.ts'
import { sumOf } from '../statistics/sums.ts'
import { bandSumsOf } from './band-sums.ts'
import type { FittedCluster } from './fitted-cluster.ts'
import { GOOD_ERROR_MAX_BPS, GRADED_COUNT_MIN, gradedErrorBps } from './grade.ts'
import { BPS, fitLine, standardErrors } from './line.ts'
import { inRecentWindow } from './window.ts'

/**
 * What the newest payments of a cluster cost that nobody has looked at yet (cost.md 10.3): a short window, so that a new price shows
 * as a whole instead of creeping into the 90 days of a fit. Undefined until enough of them lie on a line.
 */
export const newestPrice = (buckets: readonly Bucket[], lookedAt: Day | undefined, latestDay: Day): KnownPrice | undefined => {
  const recent = inRecentWindow(buckets, lookedAt, latestDay)
  const bands = bandSumsOf(recent)
  const sums = sumOf(bands.values())
  const line = sums.n < GRADED_COUNT_MIN ? undefined : fitLine(sums)
  if (line === undefined || gradedErrorBps(line, bands) > GOOD_ERROR_MAX_BPS) return undefined
  const { slopeBps: pctErrorBps, fixed: fixedError } = standardErrors(line, sums)
  return { fee: { pctBps: line.slope * BPS, fixed: line.fixed }, pctErrorBps, fixedError, lookedAtEpochDay: latestDay }
}

/** The price of a cluster of totals: months have to agree with each other first, so there is none of the newest one alone. */
export const priceOfTotals = ({ fee, verdict }: FittedCluster, latestDay: Day): KnownPrice | undefined =>
  verdict === 'GOOD' && fee !== null ? { fee, pctErrorBps: 0, fixedError: 0, lookedAtEpochDay: latestDay } : undefined
