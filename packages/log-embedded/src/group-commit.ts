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

interface Place {
  readonly chunk: PendingChunk
  readonly index: number
}

/** One group: everything that goes into one transaction. */
interface Group {
  readonly chunks: PendingChunk[]
  /** The chunk of each partition that takes further records. */
  readonly open: Map<string, PendingChunk>
  bytes: number
  readonly written: Promise<void>
  readonly settle: (error: unknown) => void
}

const createGroup = (): Group => {
  let settle: (error: unknown) => void = () => {}
  const written = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error))
  })
  return { chunks: [], open: new Map(), bytes: 0, written, settle }
}

const addTo = (group: Group, topic: Topic, partition: number, record: NewRecord): Place => {
  const name = `${topic}:${partition}`
  let chunk = group.open.get(name)
  if (chunk === undefined || chunk.writer.isFull()) {
    chunk = { topic, partition, writer: createChunkWriter(), firstOffset: Number.NaN }
    group.open.set(name, chunk)
    group.chunks.push(chunk)
  }
  return { chunk, index: chunk.writer.add(record) }
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

  return {
    append: async (topic, records) => {
      records.forEach(assertFrameable)
      const bytes = records.reduce((sum, record) => sum + recordBytesMax(record), 0)
      if (pendingBytes > 0 && pendingBytes + bytes > PENDING_BYTES_MAX) {
        throw new OperatingError('APPEND_BUFFER_FULL', `more than ${PENDING_BYTES_MAX} bytes wait for the disk`, { retryable: true })
      }
      if (records.length === 0) return []
      const group = waiting
      const places = records.map((record) => addTo(group, topic, hash53(record.key) % partitionCount, record))
      group.bytes += bytes
      pendingBytes += bytes
      running ??= run()
      await group.written
      return places.map(({ chunk, index }) => ({ partition: chunk.partition, offset: chunk.firstOffset + index }))
    },
    idle: async () => await running,
  }
}
