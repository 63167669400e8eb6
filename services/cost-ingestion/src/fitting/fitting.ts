import type { AccountFit, ContributionHead, FitIdentity, LearnedFit, PackedChunk } from '@switchyard/costs'

/** A chunk of what a report adds. */
export interface ContributionPart {
  readonly head: ContributionHead
  readonly chunk: PackedChunk
}

/** What the costs of an account are learned from. Plain data: another thread does it. */
export interface FittingRequest {
  readonly identity: FitIdentity
  /** One report after the other, each chunk by chunk: all of them at once are never here as they are stored. */
  readonly parts: AsyncIterable<ContributionPart>
  readonly previous: Pick<LearnedFit, 'latestDate' | 'clusters'> | undefined
  /** Reports that are in no fit yet. */
  readonly newIds: readonly string[]
}

/** Learns the costs of an account. Rejects when it needs more memory than it may have. */
export type FitReports = (request: FittingRequest) => Promise<AccountFit>
