import type { CollectionSpec, DocumentProjection, ReadStore } from '@switchyard/kernel'
import { type FitHead, type FitHeads, fitHeads } from './fit-heads.ts'
import { latestFits, type StoredFitChunk } from './latest-fits.ts'
import { type LearnedFit, wholeFit } from './learned-fit.ts'
import type { RecordedCost } from './recorded-cost.ts'

const CHUNKS = 'cost-dated-fits-v1'
const HEADS = 'cost-dated-fit-heads-v1'

/** The collections of {@link datedFits} and {@link datedFitHeads}. */
export const datedFitsCollection: CollectionSpec = { name: CHUNKS, indexes: [] }
export const datedFitHeadsCollection: CollectionSpec = { name: HEADS, indexes: [] }

/** The chunks of the last fit of each account and day (cost.md 8.9), key `[merchantId, registration, connector, account, day, chunk]`. They do not expire. */
export const datedFits: DocumentProjection<StoredFitChunk, RecordedCost> = {
  ...latestFits,
  name: CHUNKS,
  keysOf: ({ event }) => {
    if (event.type !== 'CostModelFitted') return []
    const { merchantId, merchantRegistrationCount, connector, account, reportDate, chunkSlot } = event.data
    return [[merchantId, merchantRegistrationCount, connector, account, reportDate, chunkSlot]]
  },
}

/** The last fit of each account on a day, key `[merchantId, registration, day]`. */
export const datedFitHeads: DocumentProjection<FitHeads, RecordedCost> = {
  ...fitHeads,
  name: HEADS,
  keysOf: (record) => {
    const { event } = record
    return event.type === 'CostModelFitted' ? fitHeads.keysOf(record).map((key) => [...key, event.data.reportDate]) : []
  },
}

/** The fit of a head of {@link datedFitHeads}; undefined while the chunks of a later one of the same day come. */
export const readDatedFit = async (
  store: Pick<ReadStore, 'range'>,
  { merchantId, life }: { readonly merchantId: string; readonly life: number },
  { connector, account, reportDate, chunkCount, fitId }: FitHead,
): Promise<LearnedFit | undefined> => {
  const prefix = [merchantId, life, connector, account, reportDate]
  const stored = await store.range<StoredFitChunk>({ collection: CHUNKS, prefix, order: 'ascending', limit: chunkCount })
  return wholeFit(stored.flatMap(({ body: { chunk } }) => (chunk !== null && chunk.fitId === fitId ? [chunk] : [])))
}
