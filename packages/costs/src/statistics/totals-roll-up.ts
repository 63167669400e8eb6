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

const largest = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

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
    known.byFee.set(feeName, { turnover: (fee?.turnover ?? 0) + turnover, count: plus(fee ? fee.count : 0, count) })
    this.#collected.set(key, known)
  }

  finish(): readonly TotalsBucket[] {
    return [...this.#collected.values()].map(({ byFee, ...totals }) => ({
      ...totals,
      turnover: Math.max(...[...byFee.values()].map(({ turnover }) => turnover)),
      count: largest([...byFee.values()].map(({ count }) => count)),
    }))
  }
}
