import type { LogRecord, Topic } from '@switchyard/kernel'
import type { PartitionOffset } from './chunk-store.ts'
import { RECENT_BYTES_MAX, RECENT_RECORD_COUNT_MAX } from './limits.ts'

/** What was committed together in one partition; offsets are dense. */
interface CommittedRecords {
  readonly topic: Topic
  readonly partition: number
  readonly firstOffset: number
  readonly records: readonly LogRecord[]
  /** Memory that they take. */
  readonly bytes: number
}

/** The newest records that this handle has committed: its tail gets them as they were appended, without reading them back. */
export interface RecentRecords {
  readonly keep: (committed: CommittedRecords) => void
  /**
   * All that stands directly behind the offset, once: a second tail of the topic reads the store. However many commits it took, a tail
   * that rests between its batches would fall behind otherwise. Nothing is kept longer than needed, so that young garbage dies young.
   * Undefined when it is not at hand.
   */
  readonly take: (from: PartitionOffset) => readonly LogRecord[] | undefined
  /** The first offset in this partition, behind this one, that is at hand; infinity when there is none. */
  readonly nextKept: (from: PartitionOffset) => number
  readonly forget: () => void
}

/** Keeps at most {@link RECENT_RECORD_COUNT_MAX} records, in at most {@link RECENT_BYTES_MAX}. */
export const createRecentRecords = (): RecentRecords => {
  const kept: CommittedRecords[] = []
  let count = 0
  let bytes = 0

  const removeAt = (index: number): readonly LogRecord[] | undefined => {
    const [removed] = kept.splice(index, 1)
    count -= removed?.records.length ?? 0
    bytes -= removed?.bytes ?? 0
    return removed?.records
  }
  const takeAt = ({ topic, partition }: PartitionOffset, firstOffset: number): readonly LogRecord[] | undefined => {
    const index = kept.findIndex((one) => one.firstOffset === firstOffset && one.partition === partition && one.topic === topic)
    return index < 0 ? undefined : removeAt(index)
  }

  return {
    keep: (committed) => {
      kept.push(committed)
      count += committed.records.length
      bytes += committed.bytes
      while (count > RECENT_RECORD_COUNT_MAX || bytes > RECENT_BYTES_MAX) removeAt(0)
    },
    take: (from) => {
      const { topic, partition, after } = from
      // A tail that was behind has read these from the store.
      for (let i = kept.length - 1; i >= 0; i--) {
        const one = kept[i]
        if (one !== undefined && one.firstOffset <= after && one.partition === partition && one.topic === topic) removeAt(i)
      }
      const taken: (readonly LogRecord[])[] = []
      let next = after + 1
      for (let more = takeAt(from, next); more !== undefined; more = takeAt(from, next)) {
        taken.push(more)
        next += more.length
      }
      return taken.length <= 1 ? taken[0] : taken.flat()
    },
    nextKept: ({ topic, partition, after }) =>
      kept.reduce(
        (next, one) =>
          one.partition === partition && one.topic === topic && one.firstOffset > after ? Math.min(next, one.firstOffset) : next,
        Infinity,
      ),
    forget: () => {
      kept.length = 0
      count = 0
      bytes = 0
    },
  }
}
