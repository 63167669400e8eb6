import type { Channel } from '../reports/canonical-row.ts'
import type { Day } from '../reports/day.ts'
import type { Band } from './band.ts'
import type { FitCluster } from './fit-cluster.ts'
import type { Sums } from './sums.ts'

interface OfDay {
  readonly cluster: FitCluster
  readonly day: Day
  readonly channel: Channel
}

/** Payments of a cluster, day, channel and band. */
export interface Bucket extends OfDay {
  readonly band: Band
  readonly sums: Sums
}

/** What a report of totals says of a cluster, day and channel; money in the cluster's currency. */
export interface TotalsBucket extends OfDay {
  readonly turnover: number
  readonly cost: number
  /** Null when the report does not split every fee. */
  readonly fixedCost: number | null
  /** Null when the report counts no payments. */
  readonly count: number | null
}

/** How often the cards of a BIN had a published rate on a day. */
export interface BinRateCount {
  /** Six digits. */
  readonly bin: string
  readonly day: Day
  readonly rate: string
  readonly count: number
}

/**
 * What an ingestion adds to the statistics of its account, whole and on its own: without it they are as if it had never come. It may be
 * gone through several times.
 */
export interface Contribution {
  readonly ingestionId: string
  /** Its place in the order in which ingestions of the account were accepted. */
  readonly sequence: number
  /**
   * `whole-days`: it tells all of every day that occurs in it, so earlier ones no longer count for these days.
   * `parts-of-days`: it adds to what is there.
   */
  readonly covers: 'whole-days' | 'parts-of-days'
  readonly buckets: Iterable<Bucket>
  readonly totals: Iterable<TotalsBucket>
  readonly binRates: Iterable<BinRateCount>
}
