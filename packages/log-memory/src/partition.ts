import { type LogRecord, type NewRecord, OperatingError, type Position, type Topic } from '@switchyard/kernel'
import { BATCH_RECORD_COUNT_MAX } from './limits.ts'

/** One partition of one topic. */
export interface Partition {
  readonly topic: Topic
  readonly number: number
  /** The record belongs to the log from here on. */
  readonly append: (record: NewRecord) => Position
  readonly firstOffset: () => number
  readonly lastOffset: () => number
  /** The next batch behind `after`, at most up to `end`; `LOG_TRUNCATED` when the record behind `after` is gone. */
  readonly read: (after: number, end: number) => readonly LogRecord[]
  readonly removeUpTo: (offset: number) => void
  /** Refuses an offset whose successor is no longer kept, and one that the partition has never had. */
  readonly assertReachable: (after: number) => void
}

/** What the log keeps belongs to nobody else: bytes and headers are copied on the way out. */
const copyOf = (record: LogRecord): LogRecord => ({
  ...record,
  value: new Uint8Array(record.value),
  headers: { ...record.headers },
  position: { ...record.position },
})

export const createPartition = (topic: Topic, number: number): Partition => {
  let records: LogRecord[] = []
  let firstOffset = 0

  const truncated = (why: string): OperatingError =>
    new OperatingError('LOG_TRUNCATED', `${topic}, partition ${number}: ${why}`, { retryable: false })
  const lastOffset = (): number => firstOffset + records.length - 1
  const assertReachable = (after: number): void => {
    if (after + 1 < firstOffset) throw truncated(`the records up to ${firstOffset - 1} are no longer kept, ${after} was the last one read`)
    if (after > lastOffset()) throw truncated(`the log ends at ${lastOffset()}, ${after} was the last record read`)
  }

  return {
    topic,
    number,
    append: ({ key, value, headers }) => {
      const position = { partition: number, offset: lastOffset() + 1 }
      records.push({ key, value, headers, position })
      return { ...position }
    },
    firstOffset: () => firstOffset,
    lastOffset,
    read: (after, end) => {
      if (after >= end) return []
      assertReachable(after)
      const start = after + 1 - firstOffset
      const stop = Math.min(end + 1 - firstOffset, start + BATCH_RECORD_COUNT_MAX)
      return records.slice(start, stop).map(copyOf)
    },
    removeUpTo: (offset) => {
      const count = Math.min(Math.max(0, offset + 1 - firstOffset), records.length)
      records = records.slice(count)
      firstOffset += count
    },
    assertReachable,
  }
}
