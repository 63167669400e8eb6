import type { CollectionSpec, DocumentKey, DocumentProjection, Position, ReadStore, StoredDocument } from '@switchyard/kernel'
import type { FitChunk, LearnedFit } from './learned-fit.ts'
import { wholeFit } from './learned-fit.ts'
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
    return view.chunk !== null && view.chunk.fitCount > event.data.fitCount ? view : { chunk: event.data }
  },
}

async function* pagesOf(store: Pick<ReadStore, 'range'>, prefix: DocumentKey): AsyncGenerator<readonly StoredDocument<StoredFitChunk>[]> {
  for (let offset = 0; ; offset += PAGE_COUNT) {
    const page = await store.range<StoredFitChunk>({ collection: NAME, prefix, order: 'ascending', offset, limit: PAGE_COUNT })
    yield page
    if (page.length < PAGE_COUNT) return
  }
}

const byFit = (chunks: readonly FitChunk[]): readonly LearnedFit[] => {
  const fits = new Map<string, FitChunk[]>()
  for (const chunk of chunks) {
    const own = fits.get(chunk.fitId) ?? []
    own.push(chunk)
    fits.set(chunk.fitId, own)
  }
  return [...fits.values()].flatMap((own) => wholeFit(own) ?? [])
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

/** The newest whole fit of those of one account. */
const newest = (fits: readonly LearnedFit[]): LearnedFit | undefined =>
  fits.reduce<LearnedFit | undefined>((latest, fit) => (latest && latest.fitCount > fit.fitCount ? latest : fit), undefined)

const isSameAccount = (one: FitChunk, other: FitChunk): boolean =>
  one.merchantId === other.merchantId && one.connector === other.connector && one.account === other.account

/** The latest whole fit of each account whose key begins so, one by one; `[]` for all, `[merchantId]` for those of a merchant. */
export async function* readLatestFits(store: Pick<ReadStore, 'range'>, prefix: DocumentKey): AsyncGenerator<LearnedFit> {
  let chunks: FitChunk[] = []
  for await (const page of pagesOf(store, prefix)) {
    for (const { body } of page) {
      if (body.chunk === null) continue
      const [before] = chunks
      if (before && !isSameAccount(before, body.chunk)) {
        const fit = newest(byFit(chunks))
        if (fit) yield fit
        chunks = []
      }
      chunks.push(body.chunk)
    }
  }
  const fit = newest(byFit(chunks))
  if (fit) yield fit
}
