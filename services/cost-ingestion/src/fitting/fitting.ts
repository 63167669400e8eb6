import type { AccountFit, Contribution, FitIdentity, LearnedFit } from '@switchyard/costs'

/** What the costs of an account are learned from. Plain data: another thread does it. */
export interface FittingRequest {
  readonly identity: FitIdentity
  /** One report after the other. */
  readonly contributions: AsyncIterable<Contribution>
  readonly previous: Pick<LearnedFit, 'latestDate' | 'clusters'> | undefined
  /** Reports that are in no fit yet. */
  readonly newIds: readonly string[]
}

/** Learns the costs of an account. Rejects when it needs more memory than it may have. */
export type FitReports = (request: FittingRequest) => Promise<AccountFit>
