import type { CollectionSpec, DocumentWrite, Lanes, WriteOutcome } from '@switchyard/kernel'
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
 * Writes to as many collections at the same time as there are lanes; the outcomes are in the order in which the writes were handed
 * over. When one fails, no other is begun, and those under way have ended: who tries again meets nothing of this time.
 */
export const writeBatch = async (
  batch: Batch,
  collectionOf: (name: string) => Collection<MongoDocument>,
  lanes: Lanes,
): Promise<readonly WriteOutcome[]> => {
  const outcomes: PlacedOutcome[] = []
  const failures: unknown[] = []
  const writeOne = async (name: string, placed: ReadonlyMap<number, PreparedWrite>): Promise<void> => {
    if (failures.length > 0) return
    try {
      outcomes.push(...(await writeCollection(collectionOf(name), placed)))
    } catch (error) {
      failures.push(error)
    }
  }
  await Promise.all(Array.from(batch, ([name, placed]) => lanes.run(() => writeOne(name, placed))))
  if (failures.length > 0) throw failures[0]
  return outcomes.toSorted(([a], [b]) => a - b).map(([, outcome]) => outcome)
}
