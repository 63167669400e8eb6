import { type EmbeddedDatabase, openEmbeddedDatabase } from '@switchyard/embedded'
import { BEFORE_FIRST, type LogRecord, OperatingError, type Topic } from '@switchyard/kernel'
import { type ChunkKey, type ChunkSpan, COUNT_END, chunkKey, chunkKeyEncoder, OFFSET_END, spanOf } from './chunk-key.ts'
import { decodeChunk } from './chunk-reader.ts'
import { BATCH_BYTES_TARGET, BATCH_RECORD_COUNT_TARGET, MAP_BYTES } from './limits.ts'

/** A chunk to be written. Its bytes must not change before the commit has ended. */
interface NewChunk {
  readonly key: ChunkKey
  readonly bytes: Uint8Array
}

/** A place in the log: behind the record at the offset `after`. */
export interface PartitionOffset {
  readonly topic: Topic
  readonly partition: number
  readonly after: number
  /** Whether a chunk ends there for certain: then nobody looks for the one that it may be inside of. */
  readonly endsChunk?: boolean
}

/** Chunks of records in an LMDB database. What is visible is on disk. */
export interface ChunkStore {
  /** Writes all chunks in one transaction, in the background; resolves when they are on disk. */
  readonly commit: (chunks: readonly NewChunk[]) => Promise<void>
  /** Removes the chunks whose records all stand at or before `upTo`, except the last one: the end must stay known. */
  readonly removeUpTo: (topic: Topic, partition: number, upTo: number) => Promise<void>
  /** Offset of the first record that is kept; one behind {@link lastOffset} when there is none. */
  readonly firstOffset: (topic: Topic, partition: number) => number
  readonly lastOffset: (topic: Topic, partition: number) => number
  /** Some records behind a place, in order, of the chunks that begin up to `end`; none when there are none. The first must be kept still. */
  readonly read: (from: PartitionOffset, end: number) => readonly LogRecord[]
  readonly close: () => Promise<void>
}

/** The same bytes, as the driver takes them. */
const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const unavailable = (message: string, cause: unknown): OperatingError =>
  new OperatingError('LOG_UNAVAILABLE', message, { retryable: true, cause })

const reading = <Result>(read: () => Result): Result => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && (error.name === 'OperatingError' || error.name === 'AssertionFailed')) throw error
    throw unavailable('the event log could not be read', error)
  }
}

const openDatabase = (path: string): EmbeddedDatabase<Buffer, ChunkKey> => {
  try {
    return openEmbeddedDatabase<Buffer, ChunkKey>(
      `${path}/records`,
      {
        encoding: 'binary',
        keyEncoder: chunkKeyEncoder,
        eventTurnBatching: false,
        cache: false,
        mapSize: MAP_BYTES,
      },
      'restore the whole data folder from a copy that was made while no process had it open',
    )
  } catch (cause) {
    throw unavailable(`the event log in ${path} could not be opened`, cause)
  }
}

/** Opens the database of the log in this folder. Several threads and processes may have it open, one of them writes. */
export const openChunkStore = (path: string): ChunkStore => {
  const { root: database, write: writing, close } = openDatabase(path)

  const firstSpan = (topic: Topic, partition: number): ChunkSpan | undefined => {
    const bounds = { start: chunkKey(topic, partition), end: chunkKey(topic, partition, OFFSET_END) }
    for (const key of database.getKeys({ ...bounds, limit: 1 })) return spanOf(key)
    return undefined
  }
  const spanAtOrBefore = (topic: Topic, partition: number, offset: number): ChunkSpan | undefined => {
    const bounds = { start: chunkKey(topic, partition, offset, COUNT_END), end: chunkKey(topic, partition) }
    for (const key of database.getKeys({ ...bounds, reverse: true, limit: 1 })) return spanOf(key)
    return undefined
  }

  /** Reads see what was committed before the call, by whichever thread. */
  const fresh = <Result>(read: () => Result): Result =>
    reading(() => {
      database.resetReadTxn()
      return read()
    })

  const lastOffset = (topic: Topic, partition: number): number => spanAtOrBefore(topic, partition, OFFSET_END)?.last ?? BEFORE_FIRST

  const write = async (action: () => void): Promise<void> => {
    try {
      await writing(() => database.batch(action))
    } catch (error) {
      throw unavailable('the event log could not be written', error)
    }
  }

  return {
    commit: async (newChunks) =>
      await write(() => {
        for (const { key, bytes } of newChunks) void database.put(key, asBuffer(bytes))
      }),

    removeUpTo: async (topic, partition, upTo) => {
      const keys = fresh(() => [...database.getKeys({ start: chunkKey(topic, partition), end: chunkKey(topic, partition, OFFSET_END) })])
      await write(() => {
        for (const key of keys.slice(0, -1)) if (spanOf(key).last <= upTo) void database.remove(key)
      })
    },

    firstOffset: (topic, partition) => fresh(() => firstSpan(topic, partition)?.first ?? lastOffset(topic, partition) + 1),
    lastOffset: (topic, partition) => fresh(() => lastOffset(topic, partition)),

    read: ({ topic, partition, after, endsChunk = false }, end) =>
      fresh(() => {
        const around = endsChunk ? undefined : spanAtOrBefore(topic, partition, after + 1)
        const start = around !== undefined && around.last > after ? around.first : after + 1
        const records: LogRecord[] = []
        let bytes = 0
        const bounds = { start: chunkKey(topic, partition, start), end: chunkKey(topic, partition, end + 1) }
        for (const { key, value } of database.getRange(bounds)) {
          decodeChunk({ partition, firstOffset: spanOf(key).first, bytes: value }, after, records)
          bytes += value.length
          if (records.length >= BATCH_RECORD_COUNT_TARGET || bytes >= BATCH_BYTES_TARGET) break
        }
        return records
      }),

    close,
  }
}
