import type { FittedCostCluster, KnownPrice } from '@switchyard/events'
import type { FittedCluster } from '../fit/fitted-cluster.ts'
import { newestPrice, priceOfTotals } from '../fit/known-price.ts'
import { isPriceChange, largestChanges, type PriceChange, unchangedPrice } from '../reads/price-changes.ts'
import type { Day } from '../reports/day.ts'
import type { Bucket } from '../statistics/contribution.ts'
import { clusterText, type FitCluster } from '../statistics/fit-cluster.ts'
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

interface FollowedPrice {
  readonly price: KnownPrice | undefined
  readonly change?: PriceChange
}

const follow = (cluster: FitCluster, before: KnownPrice | undefined, after: KnownPrice | undefined): FollowedPrice => {
  if (before === undefined || after === undefined) return { price: after ?? before }
  return isPriceChange(before, after)
    ? { price: after, change: { cluster, before: before.fee, after: after.fee } }
    : { price: unchangedPrice(before, after) }
}

/**
 * Compares the newest payments of each cluster with what it cost before, in the very same cluster (cost.md 10.3). Payments are looked at
 * once, so a change is told once; where none are newer, as when a report is deleted, none is told. `previous` is the fit before this one.
 */
export const followPrices = (
  { clusters: bucketsOf, latestDay }: Statistics,
  clusters: readonly FittedCluster[],
  previous: readonly FittedCostCluster[],
): FollowedPrices => {
  const prices = new Map<string, KnownPrice>()
  const changes: PriceChange[] = []
  if (latestDay === null) return { prices, changes }
  const pricesBefore = new Map(previous.map((recorded) => [clusterText(fittedClusterOf(recorded).cluster), recorded.price]))
  for (const fitted of clusters) {
    const text = clusterText(fitted.cluster)
    // Fits that were stored by an earlier release tell no price at all.
    const before = pricesBefore.get(text) ?? undefined
    const after = priceNow(fitted, bucketsOf.get(text) ?? [], { lookedAt: before?.lookedAtEpochDay, latestDay })
    const { price, change } = follow(fitted.cluster, before, after)
    if (price !== undefined) prices.set(text, price)
    if (change !== undefined) changes.push(change)
  }
  return { prices, changes: largestChanges(changes) }
}
