// Generated from schemas/ by `npm run generate`. Do not edit.
import type { BinRateSeen, FittedCostCluster } from './shared.ts'

/** What is learned of the settlement reports of an account: one chunk of a fit. The fit holds once all its chunks are there, and then in place of the one before it; one without clusters ends what was learned. */
export interface CostModelFitted {
  readonly type: 'CostModelFitted'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The connector. */
    readonly connector: string
    /** Account of the merchant at the connector. */
    readonly account: string
    /** The fit; the same in all its chunks. */
    readonly fitId: string
    /** Number of the fit among those of the account, from 1. */
    readonly fitCount: number
    /** Place of the chunk in its fit, from 0. */
    readonly chunkSlot: number
    /** Chunks of the fit, at least 1. */
    readonly chunkCount: number
    /** Day of the fit, YYYY-MM-DD. */
    readonly reportDate: string
    /** Latest day of the payments behind it, YYYY-MM-DD; null when there are none. */
    readonly latestDate: string | null
    /** Clusters of this chunk. */
    readonly clusters: readonly FittedCostCluster[]
    /** Published rates by BIN, of this chunk. */
    readonly binRates: readonly BinRateSeen[]
    /** When the fit was made, epoch milliseconds. */
    readonly at: number
    /** Which registration of the merchant id it was made for, from 1. */
    readonly merchantRegistrationCount: number
  }
}

/** Every event of the topic `costs`. */
export type CostsEvent =
  | CostModelFitted
