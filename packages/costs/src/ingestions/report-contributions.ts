import type { CollectionSpec, DocumentProjection } from '@switchyard/kernel'
import type { RecordedCost } from '../fits/recorded-cost.ts'
import type { ContributionChunk } from './contribution-chunks.ts'

const NAME = 'report-contributions-v1'

/** The collection of {@link reportContributions}. */
export const reportContributionsCollection: CollectionSpec = { name: NAME, indexes: [] }

/** One chunk of what a report adds. It counts when its ingestion was finished under the same claim. */
export interface StoredContribution {
  /** Empty before there is one. */
  readonly claimId: string
  readonly chunk: ContributionChunk | null
}

/** What reports add, key `[merchantId, registration, ingestionId, chunk]`; a later attempt writes over an earlier one's. */
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
    return { claimId, chunk: { clusters, buckets, totals, binRates } }
  },
}
