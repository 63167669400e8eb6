import { type LogRecord, OperatingError, type Positions, type Topic } from '@switchyard/kernel'
import { OFFSET_LAST } from './chunk-key.ts'
import type { ChunkStore, PartitionOffset } from './chunk-store.ts'

/** What a person is told who has to choose. */
const ANOTHER_LOG = 'it is another log, or has lost records; restore the one that was read, or remove the read models that were made of it'

const truncated = (topic: Topic, partition: number, why: string): OperatingError =>
  new OperatingError('LOG_TRUNCATED', `${topic}, partition ${partition}: ${why}`, { retryable: false })

/** Refuses an offset whose successor is no longer kept, and one that the log has never had (the log is another one). */
const assertReachable = (store: ChunkStore, topic: Topic, partition: number, after: number): void => {
  const first = store.firstOffset(topic, partition)
  if (after + 1 < first)
    throw truncated(topic, partition, `the records up to ${first - 1} are no longer kept, ${after} was the last one read`)
  const last = store.lastOffset(topic, partition)
  if (after > last) throw truncated(topic, partition, `the log ends at ${last}, ${after} was the last record read: ${ANOTHER_LOG}`)
}

/** Where to go on in each partition: behind `from`, or, where that says nothing, at the first record that is kept. */
export const startOffsets = (store: ChunkStore, topic: Topic, from: Positions, partitionCount: number): Map<number, number> => {
  for (const partition of from.keys()) {
    if (partition >= partitionCount) throw truncated(topic, partition, `the log has ${partitionCount} partitions`)
  }
  const starts = new Map<number, number>()
  for (let partition = 0; partition < partitionCount; partition++) {
    const after = from.get(partition) ?? store.firstOffset(topic, partition) - 1
    assertReachable(store, topic, partition, after)
    starts.set(partition, after)
  }
  return starts
}

/** The next batch behind `after`, at most up to `end`; empty at the end, `LOG_TRUNCATED` when records have gone in between. */
export const readBehind = (store: ChunkStore, from: PartitionOffset, end: number): readonly LogRecord[] => {
  const { topic, partition, after } = from
  if (after >= end) return []
  const records = store.read(from, end)
  const [first] = records
  // Up to an end that is known there is always something, unless all of it has gone.
  const isGap = first === undefined ? end < OFFSET_LAST : first.position.offset !== after + 1
  if (isGap) assertReachable(store, topic, partition, after)
  return records
}
