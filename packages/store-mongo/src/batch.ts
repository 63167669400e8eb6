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

/** Writes one collection after the other; the outcomes are in the order in which the writes were handed over. */
export const writeBatch = async (
  batch: Batch,
  collectionOf: (name: string) => Collection<MongoDocument>,
): Promise<readonly WriteOutcome[]> => {
  const outcomes: (readonly [place: number, outcome: WriteOutcome])[] = []
  for (const [name, placed] of batch) {
    const places = placed.keys()
    for (const outcome of await writeAll(collectionOf(name), [...placed.values()])) outcomes.push([Number(places.next().value), outcome])
  }
  return outcomes.toSorted(([a], [b]) => a - b).map(([, outcome]) => outcome)
}
