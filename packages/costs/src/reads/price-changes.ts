import type { Fee, FittedCluster } from '../fit/fitted-cluster.ts'
import type { Day } from '../reports/day.ts'
import { clusterText, type FitCluster } from '../statistics/fit-cluster.ts'

/** A share may move by so much without being another price, bps. */
const PRICE_TOLERANCE_BPS = 3
/** A fixed part may move by so much, major units. */
const PRICE_TOLERANCE_FIXED = 0.01
/** Changes that are told of one fit. */
export const PRICE_CHANGE_COUNT_MAX = 200
/** One unit of the fixed part counts like so many bps. */
const FIXED_WEIGHT = 10_000

/** What an account's data said at some time. */
export interface Fit {
  /** Latest day in the data. */
  readonly latestDay: Day
  readonly clusters: readonly FittedCluster[]
}

/** A cluster whose price is another one than before. */
export interface PriceChange {
  readonly cluster: FitCluster
  readonly before: Fee
  readonly after: Fee
}

const isChange = ({ before, after }: PriceChange): boolean =>
  Math.abs(after.pctBps - before.pctBps) > PRICE_TOLERANCE_BPS || Math.abs(after.fixed - before.fixed) > PRICE_TOLERANCE_FIXED

const sizeOf = ({ before, after }: PriceChange): number =>
  Math.abs(after.pctBps - before.pctBps) + Math.abs(after.fixed - before.fixed) * FIXED_WEIGHT

/**
 * What changed from one fit of an account to the next, largest first (cost.md 10.3): clusters that are GOOD now, compared with
 * the very same cluster. A fit of no newer data tells no change: data was added or deleted, no price moved.
 */
export const priceChanges = (previous: Fit, next: Fit): readonly PriceChange[] => {
  if (next.latestDay <= previous.latestDay) return []
  const feesBefore = new Map(previous.clusters.map(({ cluster, fee }) => [clusterText(cluster), fee]))
  return next.clusters
    .flatMap(({ cluster, fee, verdict }) => {
      const before = feesBefore.get(clusterText(cluster))
      return verdict === 'GOOD' && fee && before ? [{ cluster, before, after: fee }] : []
    })
    .filter(isChange)
    .sort((one, other) => sizeOf(other) - sizeOf(one) || (clusterText(one.cluster) < clusterText(other.cluster) ? -1 : 1))
    .slice(0, PRICE_CHANGE_COUNT_MAX)
}
