import { OperatingError, type Positions } from '@switchyard/kernel'
import type { Cluster } from 'kafkajs'
import type { Reader } from './reader.ts'

/** What a partition has: the offset of its first record, and the one that the next record gets. */
export interface PartitionRange {
  readonly first: number
  readonly next: number
}

/** A topic as the log knows it. */
export interface TopicInCluster {
  readonly name: string
  readonly partitionCount: number
  /** Those that are read; absent: all. */
  readonly partitions?: readonly number[]
  /** Others may write it in transactions: what was not committed is none of its records. Absent: nobody does. */
  readonly hasTransactions?: boolean
}

const partitionsOf = ({ partitionCount, partitions }: TopicInCluster): { partition: number }[] =>
  (partitions ?? Array.from({ length: partitionCount }, (_, partition) => partition)).map((partition) => ({ partition }))

/** A partition whose leader nobody knows is left out by the driver; here that is a failure that passes. */
const leaderless = (name: string): Error => Object.assign(new Error(`${name}: a partition has no leader`), { code: 'LEADER_NOT_AVAILABLE' })

const offsetsOf = async (
  cluster: Cluster,
  name: string,
  partitions: { partition: number }[],
  end: 'first' | 'next',
): Promise<ReadonlyMap<number, number>> => {
  const [answer] = await cluster.fetchTopicsOffset([{ topic: name, partitions, fromBeginning: end === 'first' }])
  const offsets = new Map(answer?.partitions.map(({ partition, offset }) => [partition, Number(offset)]))
  if (offsets.size !== partitions.length) throw leaderless(name)
  return offsets
}

/** Offset that the next record of this partition gets. */
export const nextOffset = async (reader: Reader, { name }: TopicInCluster, partition: number): Promise<number> =>
  await reader.use(async (cluster) => (await offsetsOf(cluster, name, [{ partition }], 'next')).get(partition) ?? 0)

/** Offsets that the next record of each partition gets. */
export const nextOffsets = async (reader: Reader, topic: TopicInCluster): Promise<ReadonlyMap<number, number>> =>
  await reader.use(async (cluster) => await offsetsOf(cluster, topic.name, partitionsOf(topic), 'next'))

/** What each partition of the topic has. */
export const rangesOf = async (reader: Reader, topic: TopicInCluster): Promise<ReadonlyMap<number, PartitionRange>> =>
  await reader.use(async (cluster) => {
    const first = await offsetsOf(cluster, topic.name, partitionsOf(topic), 'first')
    const next = await offsetsOf(cluster, topic.name, partitionsOf(topic), 'next')
    return new Map([...next].map(([partition, offset]) => [partition, { first: first.get(partition) ?? 0, next: offset }]))
  })

/** What a person is told who has to choose. */
const ANOTHER_LOG = 'it is another log, or has lost records; restore the one that was read, or remove the read models that were made of it'

const truncated = (name: string, partition: number, why: string): OperatingError =>
  new OperatingError('LOG_TRUNCATED', `${name}, partition ${partition}: ${why}`, { retryable: false })

/** Refuses an offset whose successor is no longer kept, and one that the partition has never had (the log is another one). */
const assertReachable = (name: string, partition: number, after: number, { first, next }: PartitionRange): void => {
  if (after + 1 < first)
    throw truncated(name, partition, `the records up to ${first - 1} are no longer kept, ${after} was the last one read`)
  if (after >= next) throw truncated(name, partition, `the log ends at ${next - 1}, ${after} was the last record read: ${ANOTHER_LOG}`)
}

/** Where to go on in each partition: behind `from`, or, where that says nothing, at the first record that is kept. */
export const startOffsets = (
  { name, partitionCount }: TopicInCluster,
  from: Positions,
  ranges: ReadonlyMap<number, PartitionRange>,
): Map<number, number> => {
  for (const partition of from.keys()) {
    if (partition >= partitionCount) throw truncated(name, partition, `the topic has ${partitionCount} partitions`)
  }
  return new Map(
    [...ranges].map(([partition, range]) => {
      const after = from.get(partition) ?? range.first - 1
      assertReachable(name, partition, after, range)
      return [partition, after]
    }),
  )
}
