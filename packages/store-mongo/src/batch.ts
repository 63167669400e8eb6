import type { CollectionSpec, DocumentWrite, WriteOutcome } from '@switchyard/kernel'
import type { Collection } from 'mongodb'
import { type MongoDocument, type PreparedWrite, prepareWrite } from './stored-document.ts'
import { writeAll } from './writer.ts'

/** Name of a collection -> place of a write among all that were handed over -> the write. */
type Batch = ReadonlyMap<string, ReadonlyMap<number, PreparedWrite>>

/** Checks all writes before the first is made. */
export const prepareBatch = (writes: readonly DocumentWrite[], specOf: (collection: string) => CollectionSpec): Batch => {
  const batch = new Map<string, Map<number, PreparedWrite>>()
  for (const [place, write] of writes.entries()) {
    const placed = batch.get(write.collection) ?? new Map<number, PreparedWrite>()
    batch.set(write.collection, placed.set(place, prepareWrite(specOf(write.collection), write)))
  }
  return batch
}

type PlacedOutcome = readonly [place: number, outcome: WriteOutcome]

const writeCollection = async (
  collection: Collection<MongoDocument>,
  placed: ReadonlyMap<number, PreparedWrite>,
): Promise<readonly PlacedOutcome[]> => {
  const places = placed.keys()
  const outcomes = await writeAll(collection, [...placed.values()])
  return outcomes.map((outcome) => [Number(places.next().value), outcome])
}

/**
 * Writes to all collections at the same time; the outcomes are in the order in which the writes were handed over. When one fails, the
 * others have ended too: who tries again meets nothing that is still under way.
 */
export const writeBatch = async (
  batch: Batch,
  collectionOf: (name: string) => Collection<MongoDocument>,
): Promise<readonly WriteOutcome[]> => {
  const written = await Promise.allSettled(Array.from(batch, ([name, placed]) => writeCollection(collectionOf(name), placed)))
  const outcomes = written.flatMap((result) => {
    if (result.status === 'rejected') throw result.reason
    return result.value
  })
  return outcomes.toSorted(([a], [b]) => a - b).map(([, outcome]) => outcome)
}
