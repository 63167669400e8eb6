import type { CostsEvent } from '@switchyard/events'
import type { CollectionSpec, DocumentProjection } from '@switchyard/kernel'
import type { RecordedCost } from '../fits/recorded-cost.ts'
import { absentIngestion, evolveIngestion, type Ingestion, type IngestionEvent } from './ingestion.ts'

const NAME = 'cost-ingestions-v1'

/** Ingestions that somebody should begin with, or take over, by time. */
export const DUE_INDEX = 'due'
/** Ingestions of a merchant (its id and registration) by creation. */
export const LISTED_INDEX = 'listed'
/** Ingestions that the latest fit of their account lacks, or still has, by time. */
export const UNFITTED_INDEX = 'unfitted'
/** Ingestions that count, of an account (merchant, registration, connector, account), in the order in which they ended. */
export const COUNTED_INDEX = 'counted'

/** The collection of {@link costIngestions}. */
export const costIngestionsCollection: CollectionSpec = {
  name: NAME,
  indexes: [
    { name: DUE_INDEX, fields: ['dueAt'] },
    { name: LISTED_INDEX, fields: ['merchantId', 'life', 'listedAt'] },
    { name: UNFITTED_INDEX, fields: ['unfittedSince'] },
    { name: COUNTED_INDEX, fields: ['merchantId', 'life', 'connector', 'account', 'sequence'] },
  ],
}

const isIngestionEvent = (event: CostsEvent): event is IngestionEvent => {
  switch (event.type) {
    case 'CostModelFitted':
    case 'PriceChangesNoticed':
    case 'ReportContributionTaken':
    case 'ReportContributionDropped':
      return false
    default:
      return true
  }
}

/** What was decided on an ingestion that has moved on has no effect (law 5). */
const isOutdated = ({ version }: Ingestion, { effects: { expectedVersion } }: RecordedCost): boolean =>
  expectedVersion !== undefined && expectedVersion !== version

/** Every ingestion, key `[merchantId, registration, ingestionId]`. */
export const costIngestions: DocumentProjection<Ingestion, RecordedCost> = {
  name: NAME,
  keysOf: ({ event }) => {
    if (!isIngestionEvent(event)) return []
    const { merchantId, merchantRegistrationCount, ingestionId } = event.data
    return [[merchantId, merchantRegistrationCount, ingestionId]]
  },
  initialView: ([merchantId, life, ingestionId]) => absentIngestion(String(merchantId), Number(life), String(ingestionId)),
  project: (ingestion, recorded) => {
    const { event, position } = recorded
    if (!isIngestionEvent(event) || isOutdated(ingestion, recorded)) return ingestion
    return evolveIngestion(ingestion, event, position.offset)
  },
}
