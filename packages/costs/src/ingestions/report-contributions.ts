import type { CollectionSpec, DocumentProjection } from '@switchyard/kernel'
import type { RecordedCost } from '../fits/recorded-cost.ts'
import type { ContributionChunk } from './contribution-chunks.ts'

const NAME = 'report-contributions-v1'

/** The collection of {@link reportContributions}. */
export const reportContributionsCollection: CollectionSpec = { name: NAME, indexes: [] }

/** A chunk as an attempt told it. */
interface ToldChunk {
  /** Empty before there is one. */
  readonly claimId: string
  readonly chunk: ContributionChunk | null
}

/** One chunk of what a report adds. It counts when its ingestion was finished under the same claim. */
export interface StoredContribution extends ToldChunk {
  /**
   * What the attempt before told: a process that was stopped for a while tells on behind the one that has taken over, and may not put
   * its chunk in place of the one that counts. Absent where there was one attempt only.
   */
  readonly before?: ToldChunk
}

/** The chunk that was told under a claim; null when none is there. */
export const chunkOfClaim = ({ before, ...last }: StoredContribution, claimId: string): ContributionChunk | null =>
  [last, before].find((told) => told?.claimId === claimId)?.chunk ?? null

/** What reports add, key `[merchantId, registration, ingestionId, chunk]`, as the last two attempts tell it. */
export const reportContributions: DocumentProjection<StoredContribution, RecordedCost> = {
  name: NAME,
  keysOf: ({ event }) => {
    if (event.type !== 'ReportContributionTaken') return []
    const { merchantId, merchantRegistrationCount, ingestionId, chunkSlot } = event.data
    return [[merchantId, merchantRegistrationCount, ingestionId, chunkSlot]]
  },
  initialView: () => ({ claimId: '', chunk: null }),
  endedBy: ({ event }) => {
    if (event.type !== 'ReportContributionDropped') return undefined
    const { merchantId, merchantRegistrationCount, ingestionId } = event.data
    return [merchantId, merchantRegistrationCount, ingestionId]
  },
  project: (view, { event }) => {
    if (event.type !== 'ReportContributionTaken') return view
    const { claimId, clusters, buckets, totals, binRates } = event.data
    const told = { claimId, chunk: { clusters, buckets, totals, binRates } }
    if (view.chunk === null) return told
    const { before: _before, ...last } = view
    return last.claimId === claimId ? { ...view, ...told } : { ...told, before: last }
  },
}
