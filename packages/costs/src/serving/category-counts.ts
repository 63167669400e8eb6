import type { Bucket } from '../statistics/contribution.ts'
import { clusterText } from '../statistics/fit-cluster.ts'
import type { CategoryCount } from './cost-model.ts'

/** Counts the interchange categories of the payments of a connector, over all days that are kept. */
export const categoryCountsOf = (connector: string, buckets: readonly Bucket[]): readonly CategoryCount[] => {
  const counts = new Map<string, CategoryCount>()
  for (const { cluster, channel, band, sums } of buckets) {
    const { cardProduct: _, ...kind } = cluster
    const key = `${channel} ${band} ${clusterText({ ...cluster, currency: '', cardProduct: '' })}`
    const count = (counts.get(key)?.count ?? 0) + sums.n
    counts.set(key, { connector, ...kind, channel, band, count })
  }
  return [...counts.values()]
}
