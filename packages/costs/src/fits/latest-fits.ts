import type { SettledDay } from '@switchyard/events'
import type { CollectionSpec, DocumentKey, DocumentProjection, Position, ReadStore, StoredDocument } from '@switchyard/kernel'
import type { FitChunk } from './learned-fit.ts'
import type { RecordedCost } from './recorded-cost.ts'

const NAME = 'cost-fits-v1'

/** Chunks of one page of a read. */
const PAGE_COUNT = 50

/** The collection of {@link latestFits}. */
export const latestFitsCollection: CollectionSpec = { name: NAME, indexes: [] }

/** A chunk of the latest fit of an account, or of the one before it; null before there is one. */
export interface StoredFitChunk {
  readonly chunk: FitChunk | null
}

/** Fits of a later registration of the merchant id before those of an earlier one, which may still be told behind them. */
const isNewer = (one: FitChunk, other: FitChunk): boolean =>
  one.merchantRegistrationCount === other.merchantRegistrationCount
    ? one.fitCount > other.fitCount
    : one.merchantRegistrationCount > other.merchantRegistrationCount

/**
 * The chunks of the two latest fits of each account, key `[merchantId, connector, account, even or odd, chunk]`: while the chunks of
 * a fit arrive one by one, all of the one before it are still there.
 */
export const latestFits: DocumentProjection<StoredFitChunk, RecordedCost> = {
  name: NAME,
  keysOf: ({ event }) => {
    if (event.type !== 'CostModelFitted') return []
    const { merchantId, connector, account, fitCount, chunkSlot } = event.data
    return [[merchantId, connector, account, fitCount % 2, chunkSlot]]
  },
  initialView: () => ({ chunk: null }),
  project: (view, { event }) => {
    if (event.type !== 'CostModelFitted') return view
    return view.chunk !== null && isNewer(view.chunk, event.data) ? view : { chunk: event.data }
  },
}

async function* pagesOf(store: Pick<ReadStore, 'range'>, prefix: DocumentKey): AsyncGenerator<readonly StoredDocument<StoredFitChunk>[]> {
  for (let offset = 0; ; offset += PAGE_COUNT) {
    const page = await store.range<StoredFitChunk>({ collection: NAME, prefix, order: 'ascending', offset, limit: PAGE_COUNT })
    yield page
    if (page.length < PAGE_COUNT) return
  }
}

/** A chunk with the position of its event. */
export interface PositionedChunk {
  readonly chunk: FitChunk
  readonly position: Position
}

/** All chunks that are stored, page by page: of the two latest fits of every account. */
export async function* readStoredFitChunks(store: Pick<ReadStore, 'range'>): AsyncGenerator<readonly PositionedChunk[]> {
  for await (const page of pagesOf(store, [])) {
    yield page.flatMap(({ body: { chunk }, position }) => (chunk === null ? [] : [{ chunk, position }]))
  }
}

/** What was settled on the days of an account, as the newest fit of this registration of the merchant tells; empty before there is one. */
export const readSettledDays = async (
  store: Pick<ReadStore, 'getMany'>,
  {
    merchantId,
    merchantRegistrationCount,
    connector,
    account,
  }: Pick<FitChunk, 'merchantId' | 'merchantRegistrationCount' | 'connector' | 'account'>,
): Promise<readonly SettledDay[]> => {
  // All days stand in the first chunk.
  const keys = [0, 1].map((parity) => [merchantId, connector, account, parity, 0])
  const stored = await store.getMany<StoredFitChunk>(NAME, keys)
  const chunks = stored.flatMap((document) => document?.body.chunk ?? [])
  const own = chunks.filter((chunk) => chunk.merchantRegistrationCount === merchantRegistrationCount)
  return (
    own.reduce<FitChunk | undefined>((latest, chunk) => (latest && latest.fitCount > chunk.fitCount ? latest : chunk), undefined)
      ?.settledDays ?? []
  )
}
