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
import { createGroupCommit, type GroupCommit } from './group-commit.ts'
import { PARTITION_COUNT_DEFAULT } from './limits.ts'
import { type Notices, openNotices } from './notices.ts'
import { createPartitionEnds } from './partition-ends.ts'
import { readBehind, startOffsets } from './positions.ts'
import { type CommittedRecords, createRecentRecords, type RecentRecords } from './recent-records.ts'
import { startTail, type TailSource } from './tail.ts'

/** Where an embedded log lives, and what this handle of it may do. */
export interface EmbeddedLogOptions {
  /** Where the log lives; created when it does not exist. */
  readonly folder: string
  /** Number of partitions of each topic; counts only when the log is created. */
  readonly partitionCount?: number
  /**
   * The owner is one per folder and the only one that appends; it must have created the log before a reader opens it.
   * Readers in other threads of the owner's process follow it without delay; in another process they can read, but get
   * no notice of new records.
   */
  readonly role: 'owner' | 'reader'
}

/** An event log in a folder of this machine. */
export interface EmbeddedLog extends EventLog {
  /** Forgets records up to these positions, as far as whole stored chunks end there; for the owner only. */
  readonly truncate: (topic: Topic, upTo: Positions) => Promise<void>
  /** The tails of this handle look at once for what the owner has appended, and wait for no notice of it. */
  readonly look: (topic: Topic) => void
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

/** Tells all tails what was committed, and keeps it at hand for those of this handle. */
const announcing =
  (recent: RecentRecords, notices: Notices) =>
  (committed: readonly CommittedRecords[]): void => {
    for (const records of committed) {
      recent.keep(records)
      notices.announce(records.topic)
    }
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
}

const openParts = (
  { folder: name, partitionCount: wanted = PARTITION_COUNT_DEFAULT, role }: EmbeddedLogOptions,
  assertOpen: () => void,
): Parts => {
  const folder = role === 'owner' ? openAsOwner(name, wanted) : openAsReader(name)
  const { partitionCount } = folder
  const store = openStore(folder)
  const notices = openNotices(folder.path)
  const recent = createRecentRecords()
  const ends = createPartitionEnds(store)
  return {
    folder,
    source: { store, partitionCount, notices, recent, ends: role === 'owner' ? ends : undefined, assertOpen },
    group: createGroupCommit({ store, ends, partitionCount, onCommitted: announcing(recent, notices) }),
  }
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
  const { folder, source, group } = openParts(options, assertOpen)
  const { store, partitionCount } = source

  return {
    append: async (topic, records) => {
      assertOpen()
      assert(role === 'owner', 'only the owner of the log appends')
      return await group.append(topic, records)
    },
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
        tails.delete(tail)
      }
      tails.add(tail)
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
    look: source.notices.wake,
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
