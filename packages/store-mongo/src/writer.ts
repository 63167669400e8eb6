import type { WriteOutcome } from '@switchyard/kernel'
import { type AnyBulkWriteOperation, type Collection, MongoBulkWriteError } from 'mongodb'
import { reaching } from './failures.ts'
import { BULK_BYTES_MAX, BULK_WRITE_COUNT_MAX } from './limits.ts'
import type { MongoDocument, PreparedWrite } from './stored-document.ts'

const DUPLICATE_KEY = 11_000

/**
 * Puts the document there unless the stored one is at the same or a later position of the same partition. When it is, the
 * filter finds nothing, and the insertion that follows meets the `_id` that exists.
 */
const operationOf = ({ document }: PreparedWrite): AnyBulkWriteOperation<MongoDocument> => {
  const { _id, partition, offset, ...rest } = document
  const isNewer = { $or: [{ partition: { $ne: partition } }, { offset: { $lt: offset } }] }
  return { replaceOne: { filter: { _id, ...isNewer }, replacement: { partition, offset, ...rest }, upsert: true } }
}

/** Which writes of the bulk met a document that exists; undefined when anything else went wrong. */
const duplicatesIn = (error: unknown): ReadonlySet<number> | undefined => {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError() !== undefined) return undefined
  const writeErrors = [error.writeErrors].flat()
  if (writeErrors.length === 0 || writeErrors.some(({ code }) => code !== DUPLICATE_KEY)) return undefined
  return new Set(writeErrors.map(({ index }) => index))
}

/** Writes them all; gives those that met a document that exists. */
const writeBulk = async (collection: Collection<MongoDocument>, bulk: readonly PreparedWrite[]): Promise<readonly PreparedWrite[]> =>
  await reaching('MongoDB could not be written', async () => {
    try {
      await collection.bulkWrite(bulk.map(operationOf), { ordered: false })
      return []
    } catch (error) {
      const duplicates = duplicatesIn(error)
      if (duplicates === undefined) throw error
      return bulk.filter((_, index) => duplicates.has(index))
    }
  })

/** Bulks of a bounded count and size. */
const bulksOf = (writes: readonly PreparedWrite[]): readonly (readonly PreparedWrite[])[] => {
  const bulks: PreparedWrite[][] = []
  let bytes = 0
  for (const write of writes) {
    const last = bulks.at(-1)
    bytes += write.bytes
    if (last !== undefined && last.length < BULK_WRITE_COUNT_MAX && bytes <= BULK_BYTES_MAX) last.push(write)
    else {
      bulks.push([write])
      bytes = write.bytes
    }
  }
  return bulks
}

/** The writes in rounds, so that each round has a key at most once: MongoDB promises no order within a bulk. */
const roundsOf = (writes: readonly PreparedWrite[]): readonly (readonly PreparedWrite[])[] => {
  const rounds: PreparedWrite[][] = []
  const counts = new Map<string, number>()
  for (const write of writes) {
    const count = counts.get(write.document._id) ?? 0
    counts.set(write.document._id, count + 1)
    const round = rounds[count]
    if (round === undefined) rounds.push([write])
    else round.push(write)
  }
  return rounds
}

/** Writes to one collection; the outcomes are in the order of the writes. */
export const writeAll = async (
  collection: Collection<MongoDocument>,
  writes: readonly PreparedWrite[],
): Promise<readonly WriteOutcome[]> => {
  const older = new Set<PreparedWrite>()
  for (const bulk of roundsOf(writes).flatMap(bulksOf)) {
    // Who meets a document the first time may have raced with its insertion, and be newer; it exists now, and stays.
    const met = await writeBulk(collection, bulk)
    for (const write of met.length === 0 ? [] : await writeBulk(collection, met)) older.add(write)
  }
  return writes.map((write) => (older.has(write) ? 'older' : 'applied'))
}
