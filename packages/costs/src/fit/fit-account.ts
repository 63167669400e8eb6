import { grouped } from '../grouped.ts'
import type { Day } from '../reports/day.ts'
import type { Bucket } from '../statistics/contribution.ts'
import { clusterText, type FitCluster } from '../statistics/fit-cluster.ts'
import type { Statistics } from '../statistics/statistics.ts'
import { sumOf } from '../statistics/sums.ts'
import { bandSumsOf } from './band-sums.ts'
import { fitTotals } from './fit-totals.ts'
import type { FittedCluster } from './fitted-cluster.ts'
import { gradedErrorBps, gradeOf } from './grade.ts'
import { BPS, ERROR_UNKNOWN_BPS, explainedShare, fitLine, slopeErrorBps } from './line.ts'
import { findTiers } from './tiers.ts'
import { inBaseWindow, inFitWindow } from './window.ts'

const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

const fitPayments = (cluster: FitCluster, all: readonly Bucket[], latestDay: Day): FittedCluster | undefined => {
  const buckets = inFitWindow(all, latestDay)
  if (buckets.length === 0) return undefined
  const bands = bandSumsOf(buckets)
  const sums = sumOf(bands.values())
  const line = fitLine(sums)
  const errorBps = line ? gradedErrorBps(line, bands) : ERROR_UNKNOWN_BPS
  const verdict = gradeOf(sums.n, errorBps)
  return {
    cluster,
    basis: 'payments',
    fee: line ? { pctBps: line.slope * BPS, fixed: line.fixed } : null,
    n: sums.n,
    gross: sums.sx,
    errorBps,
    slopeErrorBps: line ? slopeErrorBps(line, sums) : ERROR_UNKNOWN_BPS,
    explainedShare: finiteOrNull(explainedShare(sums)),
    verdict,
    tiers: verdict === 'GOOD' ? [] : findTiers(bandSumsOf(inBaseWindow(all, latestDay))),
  }
}

/**
 * Fits all clusters of an account (cost.md 8, 9), ordered by their text. Windows count back from the latest day in the data,
 * not from today. A GOOD cluster has no tiers: each amount has one price.
 */
export const fitAccount = ({ clusters, totals, latestDay }: Statistics): readonly FittedCluster[] => {
  if (latestDay === null) return []
  const ofPayments = Array.from(
    clusters,
    ([key, buckets]) => [key, buckets[0] && fitPayments(buckets[0].cluster, buckets, latestDay)] as const,
  )
  const ofTotals = [...grouped(totals, ({ cluster }) => clusterText(cluster))].map(
    ([key, group]) => [key, fitTotals(group, latestDay)] as const,
  )
  return [...ofPayments, ...ofTotals].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, fitted]) => fitted ?? [])
}
