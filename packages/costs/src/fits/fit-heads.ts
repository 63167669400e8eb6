import type { BinRateSeen } from '@switchyard/events'
import type { CollectionSpec, DocumentProjection, ReadStore } from '@switchyard/kernel'
import type { StoredFitChunk } from './latest-fits.ts'
import { latestFits } from './latest-fits.ts'
import { type LearnedFit, wholeFit } from './learned-fit.ts'
import type { RecordedCost } from './recorded-cost.ts'

const NAME = 'cost-fit-heads-v1'

/** Chunks that are read at a time where little of each is kept. */
const PAGE_COUNT = 4

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

/** The rates of BINs that the fit of a head tells; of its clusters, which take nearly all of the room, only a few are here at a time. */
export const readBinRates = async (
  store: Pick<ReadStore, 'getMany'>,
  merchantId: string,
  { connector, account, fitCount, fitId, chunkCount }: FitHead,
): Promise<readonly BinRateSeen[]> => {
  const rates: BinRateSeen[] = []
  for (let from = 0; from < chunkCount; from += PAGE_COUNT) {
    const slots = Array.from({ length: Math.min(PAGE_COUNT, chunkCount - from) }, (_, index) => from + index)
    const keys = slots.map((slot) => [merchantId, connector, account, fitCount % 2, slot])
    for (const stored of await store.getMany<StoredFitChunk>(latestFits.name, keys)) {
      const chunk = stored?.body.chunk
      if (chunk?.fitId === fitId) rates.push(...chunk.binRates)
    }
  }
  return rates
}
