// Generated from schemas/ by `npm run generate`. Do not edit.
import type { BinRateOfDay, BinRateSeen, CostCluster, FittedCostCluster, PriceChange, ReportProblem, ReportSource, SettledBucket, SettledDay, SettledTotal } from './shared.ts'

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
    /** All days of the account that count, by currency; in the first chunk. */
    readonly settledDays: readonly SettledDay[]
    /** When the fit was made, epoch milliseconds. */
    readonly at: number
    /** Which registration of the merchant id it was made for, from 1. */
    readonly merchantRegistrationCount: number
  }
}

/** A report is being read; the lease is renewed. */
export interface IngestionAdvanced {
  readonly type: 'IngestionAdvanced'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The ingestion. */
    readonly ingestionId: string
    /** The claim that it was done under; without effect when another one has taken its place. */
    readonly claimId: string
    /** Rows read so far. */
    readonly rowCount: number
    /** When others may take it over, epoch milliseconds. */
    readonly leaseEndsAt: number
    /** Which registration of the merchant id it is for, from 1. */
    readonly merchantRegistrationCount: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A report was taken back, whatever had become of it: it counts no longer. */
export interface IngestionDeleted {
  readonly type: 'IngestionDeleted'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The ingestion. */
    readonly ingestionId: string
    /** The connector, lower case. */
    readonly connector: string
    /** Account of the merchant at the connector. */
    readonly account: string
    /** Which registration of the merchant id it is for, from 1. */
    readonly merchantRegistrationCount: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** An attempt at a report has failed; nothing of it counts. */
export interface IngestionFailed {
  readonly type: 'IngestionFailed'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The ingestion. */
    readonly ingestionId: string
    /** The claim that it was done under; without effect when another one has taken its place. */
    readonly claimId: string
    /** Why, for people. */
    readonly message: string
    /** Cells that can't be read, the first of them. */
    readonly problems: readonly ReportProblem[]
    /** When it is tried again, epoch milliseconds; null when it never is. */
    readonly retryAt: number | null
    /** Which registration of the merchant id it is for, from 1. */
    readonly merchantRegistrationCount: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** The costs of the account were learned anew: with what a report tells, or without it when it was taken back. */
export interface IngestionFitted {
  readonly type: 'IngestionFitted'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The ingestion. */
    readonly ingestionId: string
    /** The fit that it is in first. */
    readonly fitId: string
    /** Day of that fit, YYYY-MM-DD. */
    readonly reportDate: string
    /** Clusters of the fit that occur in the report. */
    readonly clusterCount: number
    /** Those of them that are GOOD. */
    readonly goodClusterCount: number
    /** Which registration of the merchant id it is for, from 1. */
    readonly merchantRegistrationCount: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A process has begun to take a report in. An effective record claims it until the lease ends. */
export interface IngestionStarted {
  readonly type: 'IngestionStarted'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The ingestion. */
    readonly ingestionId: string
    /** The claim, unique to this attempt. */
    readonly claimId: string
    /** When others may take it over, epoch milliseconds. */
    readonly leaseEndsAt: number
    /** Which registration of the merchant id it is for, from 1. */
    readonly merchantRegistrationCount: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Prices of an account have changed. */
export interface PriceChangesNoticed {
  readonly type: 'PriceChangesNoticed'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The connector, lower case. */
    readonly connector: string
    /** Account of the merchant at the connector. */
    readonly account: string
    /** The fit that shows it. */
    readonly fitId: string
    /** Day of that fit, YYYY-MM-DD. */
    readonly reportDate: string
    /** The largest first. */
    readonly changes: readonly PriceChange[]
    /** Which registration of the merchant id it is for, from 1. */
    readonly merchantRegistrationCount: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** What a deleted report had added is not needed any more. */
export interface ReportContributionDropped {
  readonly type: 'ReportContributionDropped'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The ingestion. */
    readonly ingestionId: string
    /** Which registration of the merchant id it is for, from 1. */
    readonly merchantRegistrationCount: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** What a report adds to the statistics of its account: one chunk. It counts once the report was ingested under the same claim. */
export interface ReportContributionTaken {
  readonly type: 'ReportContributionTaken'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The ingestion. */
    readonly ingestionId: string
    /** The claim that it was done under; without effect when another one has taken its place. */
    readonly claimId: string
    /** Place of the chunk, from 0. */
    readonly chunkSlot: number
    /** Clusters that the chunk names by their place. */
    readonly clusters: readonly CostCluster[]
    /** Payments one by one, summed. */
    readonly buckets: readonly SettledBucket[]
    /** Totals as reported. */
    readonly totals: readonly SettledTotal[]
    /** Published rates by BIN. */
    readonly binRates: readonly BinRateOfDay[]
    /** Which registration of the merchant id it is for, from 1. */
    readonly merchantRegistrationCount: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** A settlement report is to be taken in. Of two with the same id the first one counts. */
export interface SettlementReportAccepted {
  readonly type: 'SettlementReportAccepted'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The ingestion. */
    readonly ingestionId: string
    /** The connector, lower case. */
    readonly connector: string
    /** Account of the merchant at the connector. */
    readonly account: string
    /** How it came. */
    readonly source: ReportSource
    /** Whether it tells all of every day that occurs in it, so that earlier reports no longer count for these; else it adds to them. */
    readonly coversWholeDays: boolean
    /** What its connector fetches it by, encrypted with the merchant's data key; null when the file was uploaded. */
    readonly reference: Uint8Array | null
    /** Size of the file in bytes; null when it is still to be fetched. */
    readonly byteCount: number | null
    /** Which registration of the merchant id it is for, from 1. */
    readonly merchantRegistrationCount: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** All of a report was read: from now on it counts in the statistics of its account. */
export interface SettlementReportIngested {
  readonly type: 'SettlementReportIngested'
  readonly data: {
    /** The merchant; key of the record. */
    readonly merchantId: string
    /** The ingestion. */
    readonly ingestionId: string
    /** The connector, lower case. */
    readonly connector: string
    /** Account of the merchant at the connector. */
    readonly account: string
    /** The claim that it was done under; without effect when another one has taken its place. */
    readonly claimId: string
    /** As it was accepted. */
    readonly coversWholeDays: boolean
    /** Chunks of its contribution. */
    readonly chunkCount: number
    /** Rows read. */
    readonly rowCount: number
    /** Rows that tell no price: without a positive value, or of a day to come. */
    readonly skippedCount: number
    /** Records that can't be read. */
    readonly unreadableCount: number
    /** The first of them. */
    readonly problems: readonly ReportProblem[]
    /** First day in it, YYYY-MM-DD. */
    readonly firstDate: string | null
    /** Last day in it, YYYY-MM-DD. */
    readonly lastDate: string | null
    /** Value by settlement currency, in major units. */
    readonly grossByCurrency: Readonly<Record<string, number>>
    /** Issuer countries in it, sorted. */
    readonly countries: readonly string[]
    /** Which registration of the merchant id it is for, from 1. */
    readonly merchantRegistrationCount: number
    /** When it was decided, epoch milliseconds. */
    readonly at: number
  }
}

/** Every event of the topic `costs`. */
export type CostsEvent =
  | CostModelFitted
  | IngestionAdvanced
  | IngestionDeleted
  | IngestionFailed
  | IngestionFitted
  | IngestionStarted
  | PriceChangesNoticed
  | ReportContributionDropped
  | ReportContributionTaken
  | SettlementReportAccepted
  | SettlementReportIngested
