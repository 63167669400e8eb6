import { setImmediate as nextTurn } from 'node:timers/promises'
import { hash53, type NewRecord, OperatingError, type Position, type Topic } from '@switchyard/kernel'
import { chunkKey } from './chunk-key.ts'
import type { ChunkStore, NewChunk } from './chunk-store.ts'
import { assertFrameable, type ChunkWriter, createChunkWriter, recordBytesMax } from './chunk-writer.ts'
import { PENDING_BYTES_MAX } from './limits.ts'
import type { PartitionEnds } from './partition-ends.ts'
import type { CommittedRecords } from './recent-records.ts'

/** Appends of many callers, written together: what arrives while a commit is on its way to disk goes into the next one. */
export interface GroupCommit {
  readonly append: (topic: Topic, records: readonly NewRecord[]) => Promise<readonly Position[]>
  /** Resolves when nothing waits and no commit is under way. */
  readonly idle: () => Promise<void>
}

export interface GroupCommitOptions {
  readonly store: ChunkStore
  readonly ends: PartitionEnds
  readonly partitionCount: number
  /** Called after each commit, before its appends resolve. */
  readonly onCommitted: (committed: readonly CommittedRecords[]) => void
}

/** Records of one partition that wait for a commit; `firstOffset` is settled when the commit begins. */
interface PendingChunk {
  readonly topic: Topic
  readonly partition: number
  readonly writer: ChunkWriter
  firstOffset: number
}

/** Records of one append that stand behind each other in a chunk: most of an append's do. */
interface Stretch {
  readonly chunk: PendingChunk
  readonly first: number
  count: number
}

/** One group: everything that goes into one transaction. */
interface Group {
  readonly chunks: PendingChunk[]
  /** The chunk of each partition that takes further records. */
  readonly open: Readonly<Record<Topic, Map<number, PendingChunk>>>
  bytes: number
  readonly written: Promise<void>
  readonly settle: (error: unknown) => void
}

const createGroup = (): Group => {
  let settle: (error: unknown) => void = () => {}
  const written = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error))
  })
  const open = { config: new Map(), payments: new Map(), webhooks: new Map(), costs: new Map() }
  return { chunks: [], open, bytes: 0, written, settle }
}

/** The chunk that takes the next record of the partition; a new one has room for `bytes`. */
const openChunk = ({ open, chunks }: Group, topic: Topic, partition: number, bytes: number): PendingChunk => {
  const known = open[topic].get(partition)
  if (known !== undefined && !known.writer.isFull()) return known
  const chunk = { topic, partition, writer: createChunkWriter(bytes), firstOffset: Number.NaN }
  open[topic].set(partition, chunk)
  chunks.push(chunk)
  return chunk
}

/** Positions in the order of the records, once their chunks have offsets. */
const positionsOf = (stretches: readonly Stretch[]): readonly Position[] => {
  const positions: Position[] = []
  for (const { chunk, first, count } of stretches) {
    const { partition, firstOffset } = chunk
    for (let index = first; index < first + count; index++) positions.push({ partition, offset: firstOffset + index })
  }
  return positions
}

const lastOffsetOf = ({ firstOffset, writer }: PendingChunk): number => firstOffset + writer.recordCount() - 1

/** Gives every chunk the offsets behind those that are stored, in the order of the chunks. */
const assignOffsets = (group: Group, { of: lastOffset }: PartitionEnds): readonly NewChunk[] => {
  const assigned = new Map<string, number>()
  return group.chunks.map((chunk) => {
    const { topic, partition, writer } = chunk
    const name = `${topic}:${partition}`
    chunk.firstOffset = (assigned.get(name) ?? lastOffset(topic, partition)) + 1
    assigned.set(name, lastOffsetOf(chunk))
    return { key: chunkKey(topic, partition, chunk.firstOffset, writer.recordCount()), bytes: writer.bytes() }
  })
}

const committedOf = ({ topic, partition, writer, firstOffset }: PendingChunk): CommittedRecords => ({
  topic,
  partition,
  firstOffset,
  records: writer.records(partition, firstOffset),
})

/** At most one commit is under way at a time, so that a failed one leaves no gap: the next begins behind what is stored. */
export const createGroupCommit = ({ store, ends, partitionCount, onCommitted }: GroupCommitOptions): GroupCommit => {
  let waiting = createGroup()
  let pendingBytes = 0
  let running: Promise<void> | undefined

  const commit = async (group: Group): Promise<void> => {
    try {
      await store.commit(assignOffsets(group, ends))
      for (const chunk of group.chunks) ends.moveTo(chunk.topic, chunk.partition, lastOffsetOf(chunk))
      onCommitted(group.chunks.map(committedOf))
      group.settle(undefined)
    } catch (error) {
      ends.forget()
      group.settle(error)
    } finally {
      pendingBytes -= group.bytes
    }
  }

  const run = async (): Promise<void> => {
    // Appends of the same turn of the event loop share a commit, and so do those that follow an answer.
    await nextTurn()
    while (waiting.chunks.length > 0) {
      const group = waiting
      waiting = createGroup()
      await commit(group)
      await nextTurn()
    }
    running = undefined
  }

  /** Where the records will stand. */
  const add = (topic: Topic, records: readonly NewRecord[], bytes: number): readonly Stretch[] => {
    const stretches: Stretch[] = []
    let [key, partition]: [string | undefined, number] = [undefined, 0]
    let last: Stretch | undefined
    for (const record of records) {
      if (record.key !== key) [key, partition] = [record.key, hash53(record.key) % partitionCount]
      const chunk = openChunk(waiting, topic, partition, bytes)
      const index = chunk.writer.add(record)
      if (last?.chunk === chunk) last.count += 1
      else stretches.push((last = { chunk, first: index, count: 1 }))
    }
    return stretches
  }

  return {
    append: async (topic, records) => {
      records.forEach(assertFrameable)
      const bytes = records.reduce((sum, record) => sum + recordBytesMax(record), 0)
      if (pendingBytes > 0 && pendingBytes + bytes > PENDING_BYTES_MAX) {
        throw new OperatingError('APPEND_BUFFER_FULL', `more than ${PENDING_BYTES_MAX} bytes wait for the disk`, { retryable: true })
      }
      if (records.length === 0) return []
      const group = waiting
      const stretches = add(topic, records, bytes)
      group.bytes += bytes
      pendingBytes += bytes
      running ??= run()
      await group.written
      return positionsOf(stretches)
    },
    idle: async () => await running,
  }
}
