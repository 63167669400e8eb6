import type { CollectionSpec, DocumentProjection, ReadStore } from '@switchyard/kernel'
import type { StoredFitChunk } from './latest-fits.ts'
import { latestFits } from './latest-fits.ts'
import { type LearnedFit, wholeFit } from './learned-fit.ts'
import type { RecordedCost } from './recorded-cost.ts'

const NAME = 'cost-fit-heads-v1'

/** The collection of {@link fitHeads}. */
export const fitHeadsCollection: CollectionSpec = { name: NAME, indexes: [] }

/** The latest fit of an account, without what it says. */
export interface FitHead {
  readonly connector: string
  readonly account: string
  readonly fitId: string
  readonly fitCount: number
  /** `YYYY-MM-DD`. */
  readonly reportDate: string
  /** `YYYY-MM-DD`; null when there was nothing to learn from. */
  readonly latestDate: string | null
  readonly chunkCount: number
}

/** The latest fits of a merchant. */
export interface FitHeads {
  readonly heads: readonly FitHead[]
}

/** The latest fit of each account, key `[merchantId, registration]`: what is to be read anew, and what is as it was. */
export const fitHeads: DocumentProjection<FitHeads, RecordedCost> = {
  name: NAME,
  keysOf: ({ event }) => (event.type === 'CostModelFitted' ? [[event.data.merchantId, event.data.merchantRegistrationCount]] : []),
  initialView: () => ({ heads: [] }),
  project: (view, { event }) => {
    // Chunks of a fit stand in their order: with the last one it is whole.
    if (event.type !== 'CostModelFitted' || event.data.chunkSlot < event.data.chunkCount - 1) return view
    const { connector, account, fitId, fitCount, reportDate, latestDate, chunkCount } = event.data
    const others = view.heads.filter((head) => head.connector !== connector || head.account !== account)
    return { heads: [...others, { connector, account, fitId, fitCount, reportDate, latestDate, chunkCount }] }
  },
}

/** The fit of a head; undefined when a newer one has taken its place meanwhile. */
export const readFit = async (store: Pick<ReadStore, 'range'>, merchantId: string, head: FitHead): Promise<LearnedFit | undefined> => {
  const prefix = [merchantId, head.connector, head.account, head.fitCount % 2]
  const pages = await store.range<StoredFitChunk>({ collection: latestFits.name, prefix, order: 'ascending', limit: head.chunkCount })
  return wholeFit(pages.flatMap(({ body: { chunk } }) => (chunk !== null && chunk.fitId === head.fitId ? [chunk] : [])))
}
