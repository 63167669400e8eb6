import type { FittedCostCluster, KnownPrice } from '@switchyard/events'
import type { FittedCluster } from '../fit/fitted-cluster.ts'
import { newestPrice, priceOfTotals } from '../fit/known-price.ts'
import { grouped } from '../grouped.ts'
import { isPriceChange, largestChanges, type PriceChange, unchangedPrice } from '../reads/price-changes.ts'
import type { Day } from '../reports/day.ts'
import type { Bucket } from '../statistics/contribution.ts'
import { clusterText } from '../statistics/fit-cluster.ts'
import type { Statistics } from '../statistics/statistics.ts'
import { fittedClusterOf } from './learned-fit.ts'

/** What a fit tells of prices. */
export interface FollowedPrices {
  /** What later fits compare with, by the text of the cluster. */
  readonly prices: ReadonlyMap<string, KnownPrice>
  readonly changes: readonly PriceChange[]
}

const priceNow = (
  fitted: FittedCluster,
  buckets: readonly Bucket[],
  { lookedAt, latestDay }: { readonly lookedAt: Day | undefined; readonly latestDay: Day },
): KnownPrice | undefined => {
  if (lookedAt !== undefined && latestDay <= lookedAt) return undefined
  return fitted.basis === 'totals' ? priceOfTotals(fitted, latestDay) : newestPrice(buckets, lookedAt, latestDay)
}

/**
 * Compares the newest payments of each cluster with what it cost before, in the very same cluster (cost.md 10.3). Payments are looked at
 * once, so a change is told once; where none are newer, as when a report is deleted, none is told. `previous` is the fit before this one.
 */
export const followPrices = (
  { buckets, latestDay }: Statistics,
  clusters: readonly FittedCluster[],
  previous: readonly FittedCostCluster[],
): FollowedPrices => {
  const prices = new Map<string, KnownPrice>()
  const changes: PriceChange[] = []
  if (latestDay === null) return { prices, changes }
  const bucketsOf = grouped(buckets, ({ cluster }) => clusterText(cluster))
  const pricesBefore = new Map(previous.map((recorded) => [clusterText(fittedClusterOf(recorded).cluster), recorded.price]))
  for (const fitted of clusters) {
    const text = clusterText(fitted.cluster)
    const before = pricesBefore.get(text) ?? undefined
    const after = priceNow(fitted, bucketsOf.get(text) ?? [], { lookedAt: before?.lookedAtEpochDay, latestDay })
    const price = before && after && !isPriceChange(before, after) ? unchangedPrice(before, after) : (after ?? before)
    if (price !== undefined) prices.set(text, price)
    if (before && after && price === after) changes.push({ cluster: fitted.cluster, before: before.fee, after: after.fee })
  }
  return { prices, changes: largestChanges(changes) }
}
