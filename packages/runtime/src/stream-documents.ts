import type { DocumentKey, DocumentWrite, Position, Positions, ReadStore, StoredDocument } from '@switchyard/kernel'
import { LOAD_PAGE_COUNT, WRITE_BATCH_COUNT_MAX } from './limits.ts'
import type { StreamBody, StreamFold } from './stream-fold.ts'

/** Documents of {@link StreamBody}, key `[fingerprint of the slices, stream key]`. */
export const STREAM_STATES_COLLECTION = 'stream-states-v1'

/** Documents that say how far other documents have come, key `[collection, fingerprint, partition]`. */
export const CHECKPOINTS_COLLECTION = 'checkpoints'

/** All documents under a prefix of their key, page by page, in the order of the part that follows it. */
export async function* pagesOf<Body>(store: ReadStore, collection: string, prefix: DocumentKey): AsyncGenerator<StoredDocument<Body>> {
  let last: StoredDocument<Body> | undefined
  for (;;) {
    const from = last?.key[prefix.length]
    const query = { collection, prefix, order: 'ascending', limit: LOAD_PAGE_COUNT } as const
    const page: readonly StoredDocument<Body>[] = await store.range<Body>(from === undefined ? query : { ...query, from })
    const fresh = from === undefined ? page : page.filter(({ key }) => key[prefix.length] !== from)
    yield* fresh
    last = fresh.at(-1)
    if (last === undefined || page.length < LOAD_PAGE_COUNT) return
  }
}

/** Writes in batches of a bounded size. */
const writeAll = async (store: ReadStore, writes: readonly DocumentWrite[]): Promise<void> => {
  for (let i = 0; i < writes.length; i += WRITE_BATCH_COUNT_MAX) await store.write(writes.slice(i, i + WRITE_BATCH_COUNT_MAX))
}

/**
 * Loads what projectors stored under this fingerprint (of the partitions wanted), and gives the positions to go on from; none when it was never
 * stored, so that the log is replayed. Checkpoints are read before the documents: a document may be newer than its
 * checkpoint (the fold passes by what it includes), never older.
 */
export const loadStreams = async (
  store: ReadStore,
  fold: StreamFold,
  fingerprint: string,
  isWanted: (partition: number) => boolean = () => true,
): Promise<Positions> => {
  const positions = new Map<number, number>()
  for await (const { position } of pagesOf(store, CHECKPOINTS_COLLECTION, [STREAM_STATES_COLLECTION, fingerprint])) {
    if (isWanted(position.partition)) positions.set(position.partition, position.offset)
  }
  for await (const { key, position, body } of pagesOf<StreamBody>(store, STREAM_STATES_COLLECTION, [fingerprint])) {
    if (isWanted(position.partition)) fold.load(String(key[1]), position, body)
  }
  return positions
}

/** Stores the states of the keys named, then the checkpoint. */
export const storeStreams = async (
  store: ReadStore,
  fold: StreamFold,
  { fingerprint, keys, positions }: { readonly fingerprint: string; readonly keys: Iterable<string>; readonly positions: Positions },
): Promise<void> => {
  const documents = [...keys].map((key) => {
    const { position, body } = fold.documentOf(key)
    return { collection: STREAM_STATES_COLLECTION, key: [fingerprint, key], position, body }
  })
  await writeAll(store, documents)
  const checkpoints = [...positions].map(([partition, offset]) => checkpointOf(fingerprint, { partition, offset }))
  await writeAll(store, checkpoints)
}

const checkpointOf = (fingerprint: string, position: Position): DocumentWrite => ({
  collection: CHECKPOINTS_COLLECTION,
  key: [STREAM_STATES_COLLECTION, fingerprint, position.partition],
  position,
  body: { fingerprint, offset: position.offset },
})
