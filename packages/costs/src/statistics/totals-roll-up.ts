import type { FeeTotal } from '../reports/canonical-row.ts'
import type { Day } from '../reports/day.ts'
import type { TotalsBucket } from './contribution.ts'
import { clusterText, type FitCluster } from './fit-cluster.ts'

interface FeeSums {
  turnover: number
  count: number | null
}

interface Collected extends Pick<TotalsBucket, 'cluster' | 'day' | 'channel'> {
  cost: number
  fixedCost: number | null
  readonly byFee: Map<string, FeeSums>
}

const plus = (sum: number | null, more: number | null): number | null => (sum === null || more === null ? null : sum + more)

const larger = (one: number | null, other: number | null): number | null => {
  if (one === null || other === null) return one ?? other
  return Math.max(one, other)
}

const addedUp = (one: FeeSums, other: FeeSums): FeeSums => ({
  turnover: one.turnover + other.turnover,
  count: plus(one.count, other.count),
})

/** Lines that name no fee may be several fees of one turnover: added up it would count once for each, and halve the price. */
const together = (one: FeeSums, other: FeeSums): FeeSums => ({
  turnover: Math.max(one.turnover, other.turnover),
  count: one.turnover === other.turnover && one.count === other.count ? one.count : null,
})

/**
 * Lines of totals, by cluster, day and channel. The turnover stands beside each fee that was taken on it: it counts once, as
 * that of the fee with the most of it; costs add up (cost.md 5.5).
 */
export class TotalsRollUp {
  readonly #collected: Map<string, Collected> = new Map()

  take(cluster: FitCluster, day: Day, { channel, feeName, turnover, cost, fixedCost, count }: FeeTotal): void {
    const key = `${day} ${channel} ${clusterText(cluster)}`
    const known = this.#collected.get(key) ?? { cluster, day, channel, cost: 0, fixedCost: 0, byFee: new Map<string, FeeSums>() }
    known.cost += cost
    known.fixedCost = plus(known.fixedCost, fixedCost)
    const fee = known.byFee.get(feeName)
    const line = { turnover, count }
    const join = feeName === '' ? together : addedUp
    known.byFee.set(feeName, fee === undefined ? line : join(fee, line))
    this.#collected.set(key, known)
  }

  finish(): readonly TotalsBucket[] {
    return [...this.#collected.values()].map(({ byFee, ...totals }) => {
      const fees = [...byFee.values()]
      const turnover = fees.reduce((most, fee) => Math.max(most, fee.turnover), 0)
      return { ...totals, turnover, count: fees.reduce<number | null>((most, { count }) => larger(most, count), null) }
    })
  }
}
