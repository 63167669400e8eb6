import type { LogRecord, Topic } from '@switchyard/kernel'
import { RECENT_RECORD_COUNT_MAX } from './limits.ts'
import type { PartitionOffset } from './positions.ts'

/** What was committed together in one partition; offsets are dense. */
export interface CommittedRecords {
  readonly topic: Topic
  readonly partition: number
  readonly firstOffset: number
  readonly records: readonly LogRecord[]
}

/** The newest records that this handle has committed: its tails get them as they were appended, without reading them back. */
export interface RecentRecords {
  readonly keep: (committed: CommittedRecords) => void
  /** What was committed together and stands directly behind the offset; undefined when it is not at hand. */
  readonly behind: (from: PartitionOffset) => readonly LogRecord[] | undefined
  readonly forget: () => void
}

/** Keeps at most {@link RECENT_RECORD_COUNT_MAX} records. */
export const createRecentRecords = (): RecentRecords => {
  let kept: CommittedRecords[] = []
  let count = 0

  return {
    keep: (committed) => {
      kept.push(committed)
      count += committed.records.length
      while (count > RECENT_RECORD_COUNT_MAX) count -= kept.shift()?.records.length ?? 0
    },
    behind: ({ topic, partition, after }) =>
      kept.find((one) => one.firstOffset === after + 1 && one.partition === partition && one.topic === topic)?.records,
    forget: () => {
      kept = []
      count = 0
    },
  }
}
