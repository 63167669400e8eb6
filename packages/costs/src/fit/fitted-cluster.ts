import type { FitCluster } from '../statistics/fit-cluster.ts'
import type { Verdict } from './grade.ts'

/** A price as people read it. */
export interface Fee {
  /** Share of the amount. */
  readonly pctBps: number
  /** Addition per payment, major units of the cluster's currency. */
  readonly fixed: number
}

/** One piece of a price that changes with the amount (cost.md 9). */
export interface Tier {
  /** From 0, ascending by amount. */
  readonly index: number
  /** First amount, major units. */
  readonly from: number
  /** First amount beyond. */
  readonly to: number
  /** Null when the amounts do not differ. */
  readonly fee: Fee | null
  readonly errorBps: number | null
  readonly n: number
  readonly gross: number
  readonly verdict: Verdict
}

/** What is learned about a cluster. */
export interface FittedCluster {
  readonly cluster: FitCluster
  /** Of payments one by one, or of a report of totals. */
  readonly basis: 'payments' | 'totals'
  /** Null when the amounts do not differ. */
  readonly fee: Fee | null
  readonly n: number
  /** Value of the payments, major units of the cluster's currency. */
  readonly gross: number
  /** 999999 when unknown. */
  readonly errorBps: number
  /** Half width of the 95 % interval of the share; 999999 when unknown. A finer sign than the verdict. */
  readonly slopeErrorBps: number
  /** Share of the variance that the line explains; null when unknown. */
  readonly explainedShare: number | null
  readonly verdict: Verdict
  /** Empty unless the whole is not GOOD and pieces of it are. */
  readonly tiers: readonly Tier[]
}
