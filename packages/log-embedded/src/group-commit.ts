import { setImmediate as nextTurn } from 'node:timers/promises'
import { type NewRecord, OperatingError, type Position, type Topic } from '@switchyard/kernel'
import { type AppendGroup, addChunks, addRecords, createGroup, positionsOf } from './append-group.ts'
import { assertFrameable, recordBytesMax } from './chunk-writer.ts'
import type { PutChunks } from './framed-chunk.ts'
import { PENDING_BYTES_MAX } from './limits.ts'
import type { PendingChunk } from './pending-chunk.ts'

/** Appends of many callers, written together: what arrives while a commit is on its way goes into the next one. */
export interface GroupCommit {
  readonly append: (topic: Topic, records: readonly NewRecord[]) => Promise<readonly Position[]>
  /** The same for what other handles have framed. */
  readonly putChunks: PutChunks
  /** Calls `listener` when the first append of a commit has come: those that it makes at once are written along. */
  readonly onOpening: (listener: () => void) => void
  /** Resolves when nothing waits and no commit is under way. */
  readonly idle: () => Promise<void>
}

export interface GroupCommitOptions {
  readonly put: PutChunks
  readonly partitionCount: number
  /** Called after each commit, before its appends resolve. */
  readonly onCommitted: (committed: readonly PendingChunk[]) => void
}

/** Groups one after another: at most one is on its way, so that a failed one leaves no gap. */
interface Groups {
  /** Adds something of at most so many bytes to the next group; resolves when it is in the log. */
  readonly join: <Added>(bytes: number, add: (group: AppendGroup) => Added) => Promise<Added>
  readonly onOpening: GroupCommit['onOpening']
  readonly idle: () => Promise<void>
}

const createGroups = ({ put, onCommitted }: Pick<GroupCommitOptions, 'put' | 'onCommitted'>): Groups => {
  let waiting = createGroup()
  let pendingBytes = 0
  let running: Promise<void> | undefined
  let opening = (): void => {}

  const commit = async (group: AppendGroup): Promise<void> => {
    try {
      const firsts = await put(group.chunks.map(({ frame }) => frame()))
      for (const [index, chunk] of group.chunks.entries()) chunk.firstOffset = firsts[index] ?? Number.NaN
      onCommitted(group.chunks)
      group.settle(undefined)
    } catch (error) {
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
    join: async (bytes, add) => {
      if (pendingBytes > 0 && pendingBytes + bytes > PENDING_BYTES_MAX) {
        throw new OperatingError('APPEND_BUFFER_FULL', `more than ${PENDING_BYTES_MAX} bytes wait for the disk`, { retryable: true })
      }
      const group = waiting
      const added = add(group)
      group.bytes += bytes
      pendingBytes += bytes
      if (running === undefined) {
        running = run()
        opening()
      }
      await group.written
      return added
    },
    onOpening: (listener) => {
      opening = listener
    },
    idle: async () => await running,
  }
}

/** A {@link GroupCommit} with nothing on its way. */
export const createGroupCommit = ({ put, partitionCount, onCommitted }: GroupCommitOptions): GroupCommit => {
  const { join, onOpening, idle } = createGroups({ put, onCommitted })
  return {
    append: async (topic, records) => {
      records.forEach(assertFrameable)
      if (records.length === 0) return []
      const bytes = records.reduce((sum, record) => sum + recordBytesMax(record), 0)
      return positionsOf(await join(bytes, (group) => addRecords(group, { topic, records, bytes, partitionCount })))
    },
    putChunks: async (frames) => {
      if (frames.length === 0) return []
      const bytes = frames.reduce((sum, frame) => sum + frame.bytes.length, 0)
      const chunks = await join(bytes, (group) => addChunks(group, frames))
      return chunks.map(({ firstOffset }) => firstOffset)
    },
    onOpening,
    idle,
  }
}
