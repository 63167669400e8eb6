import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  assert,
  type EventLog,
  hash53,
  type LogRecord,
  OperatingError,
  type Position,
  type Positions,
  type Subscription,
  type Topic,
} from '@switchyard/kernel'
import { type ChunkStore, openChunkStore } from './chunk-store.ts'
import { type DataFolder, openAsOwner, openAsReader } from './data-folder.ts'
import type { FramedChunk, PutChunks } from './framed-chunk.ts'
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import { PARTITION_COUNT_DEFAULT } from './limits.ts'
import { openNotices } from './notices.ts'
import { createPartitionEnds } from './partition-ends.ts'
import type { PendingChunk } from './pending-chunk.ts'
import { readBehind, startOffsets } from './positions.ts'
import { createPutChunks } from './put-chunks.ts'
import { createRecentRecords, type RecentRecords } from './recent-records.ts'
import { startTail, type TailSource } from './tail.ts'

/** Where an embedded log lives, and what this handle of it may do. */
export interface EmbeddedLogOptions {
  /** Where the log lives; created when it does not exist. */
  readonly folder: string
  /** Number of partitions of each topic; counts only when the log is created. */
  readonly partitionCount?: number
  /**
   * The owner is one per folder and the only one that writes; it must have created the log before a reader opens it.
   * Readers in other threads of the owner's process follow it without delay; in another process they can read, but get
   * no notice of new records.
   */
  readonly role: 'owner' | 'reader'
  /** How a reader in the owner's process appends: by {@link EmbeddedLog.putChunks} of the owner. It frames what it appends itself. */
  readonly through?: PutChunks
}

/** An event log in a folder of this machine. */
export interface EmbeddedLog extends EventLog {
  /** Forgets records up to these positions, as far as whole stored chunks end there; for the owner only. */
  readonly truncate: (topic: Topic, upTo: Positions) => Promise<void>
  /** Appends what readers have framed; for the owner only. Rejects as an append does. */
  readonly putChunks: PutChunks
  /** Calls `listener` when somebody appends and no commit is on its way: what it appends at once is written along. */
  readonly onOpening: GroupCommit['onOpening']
}

/** Batches up to the ends as they were when the read began. */
async function* readTo(
  { store, assertOpen }: TailSource,
  topic: Topic,
  starts: Positions,
  ends: Positions,
): AsyncGenerator<readonly LogRecord[]> {
  for (const [partition, end] of ends) {
    let after = starts.get(partition) ?? end
    while (after < end) {
      assertOpen()
      const records = readBehind(store, { topic, partition, after }, end)
      const last = records.at(-1)
      if (last === undefined) break
      yield records
      after = last.position.offset
      await nextTurn()
    }
  }
}

const endsOf = ({ store, partitionCount }: TailSource, topic: Topic): Positions =>
  new Map(Array.from({ length: partitionCount }, (_, partition) => [partition, store.lastOffset(topic, partition)]))

const lastPosition = (store: ChunkStore, topic: Topic, partition: number): Position => ({
  partition,
  offset: store.lastOffset(topic, partition),
})

/** How many tails of this handle follow each topic. */
type FollowerCounts = Record<Topic, number>

/** Tells all tails what was committed, and keeps it at hand for those of this handle. */
const announcing =
  (recent: RecentRecords, followerCounts: FollowerCounts, announce: (topic: Topic, partition: number) => void) =>
  (committed: readonly PendingChunk[]): void => {
    for (const { topic, partition, firstOffset, records, frame } of committed) {
      if (followerCounts[topic] > 0)
        recent.keep({ topic, partition, firstOffset, records: records(), bytes: frame().bytes.buffer.byteLength })
      announce(topic, partition)
    }
  }

/** Bytes that are sent to another thread go with all of the buffer that they are a part of. Not by `Uint8Array.from`, which makes a list of them first. */
const alone = (chunk: FramedChunk): FramedChunk => ({ ...chunk, bytes: new Uint8Array(chunk.bytes) })

/** {@link PutChunks} of a reader. */
const createPutThrough =
  (through: PutChunks | undefined): PutChunks =>
  async (chunks) => {
    assert(through !== undefined, 'only the owner of the log appends')
    return await through(chunks.map(alone))
  }

/** What a read rejects with that could not even begin. */
async function* failing(error: unknown): AsyncGenerator<readonly LogRecord[]> {
  yield await Promise.reject(error)
}

/** Order of things: no new appends, those under way to disk, no handler, then the files. */
const closing = async (
  folder: DataFolder,
  source: TailSource,
  tails: ReadonlySet<Subscription>,
  idle: () => Promise<void>,
): Promise<void> => {
  await idle()
  await Promise.all([...tails].map(async (tail) => await tail.stop()))
  source.notices.close()
  await source.store.close()
  folder.lock?.release()
}

/** What a log is made of. */
interface Parts {
  readonly folder: DataFolder
  readonly source: TailSource
  readonly group: GroupCommit
  readonly followerCounts: FollowerCounts
}

const openParts = (
  { folder: name, partitionCount: wanted = PARTITION_COUNT_DEFAULT, role, through }: EmbeddedLogOptions,
  assertOpen: () => void,
): Parts => {
  const folder = role === 'owner' ? openAsOwner(name, wanted) : openAsReader(name)
  const { partitionCount } = folder
  const store = openStore(folder)
  const notices = openNotices(folder.path)
  const recent = createRecentRecords()
  const followerCounts: FollowerCounts = { config: 0, payments: 0, webhooks: 0, costs: 0 }
  const source = { store, partitionCount, notices, recent, assertOpen }
  if (role === 'reader') {
    // All other threads hear of it from the owner.
    const onCommitted = announcing(recent, followerCounts, notices.tell)
    const group = createGroupCommit({ put: createPutThrough(through), partitionCount, onCommitted })
    return { folder, source: { ...source, ends: undefined }, group, followerCounts }
  }
  const ends = createPartitionEnds(store)
  const onCommitted = announcing(recent, followerCounts, notices.announce)
  const group = createGroupCommit({ put: createPutChunks(store, ends, notices.announce), partitionCount, onCommitted })
  return { folder, source: { ...source, ends }, group, followerCounts }
}

/**
 * Opens the event log in a folder. Throws `DATA_FOLDER_IN_USE` when another owner has it open, `DATA_FOLDER_FOREIGN` when
 * something else is in it, `DATA_FOLDER_UNWRITABLE`, or `LOG_UNAVAILABLE` (a reader before the owner has created it).
 */
export const createEmbeddedLog = (options: EmbeddedLogOptions): EmbeddedLog => {
  const { role } = options
  const tails = new Set<Subscription>()
  let closed: Promise<void> | undefined
  const assertOpen = (): void => {
    if (closed !== undefined) throw new OperatingError('LOG_CLOSED', 'the event log is closed', { retryable: false })
  }
  const { folder, source, group, followerCounts } = openParts(options, assertOpen)
  const { store, partitionCount } = source

  return {
    append: async (topic, records) => {
      assertOpen()
      return await group.append(topic, records)
    },
    putChunks: async (chunks) => {
      assertOpen()
      assert(role === 'owner', 'only the owner of the log takes chunks')
      return await group.putChunks(chunks)
    },
    onOpening: group.onOpening,
    read: (topic, from) => {
      try {
        assertOpen()
        return readTo(source, topic, startOffsets(store, topic, from, partitionCount), endsOf(source, topic))
      } catch (error) {
        return failing(error)
      }
    },
    subscribe: (options) => {
      const tail = startTail(source, options)
      const stop = async (): Promise<void> => {
        await tail.stop()
        if (tails.delete(tail)) followerCounts[options.topic] -= 1
      }
      tails.add(tail)
      followerCounts[options.topic] += 1
      return { stop }
    },
    endPosition: async (topic, key) => {
      assertOpen()
      return lastPosition(store, topic, hash53(key) % partitionCount)
    },
    endPositions: async (topic) => {
      assertOpen()
      return endsOf(source, topic)
    },
    truncate: async (topic, upTo) => {
      assertOpen()
      assert(role === 'owner', 'only the owner of the log truncates it')
      source.recent.forget()
      for (const [partition, offset] of upTo) await store.removeUpTo(topic, partition, offset)
    },
    close: async () => {
      closed ??= closing(folder, source, tails, group.idle)
      await closed
    },
  }
}

const openStore = (folder: DataFolder): ChunkStore => {
  try {
    return openChunkStore(folder.path)
  } catch (error) {
    folder.lock?.release()
    throw error
  }
}
