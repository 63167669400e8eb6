import { Partitioners } from 'kafkajs'
import { PARTITION_CACHE_COUNT_MAX } from './limits.ts'

/** The partition of a key: murmur2, as the clients in other languages choose it. */
export type PartitionOf = (key: string) => number

/**
 * {@link PartitionOf} for a fixed number of partitions, however many the topic may have by now: a key never moves. The
 * driver's hash is slow, so keys that come again are remembered.
 */
export const createPartitionOf = (partitionCount: number): PartitionOf => {
  const choose = Partitioners.DefaultPartitioner()
  const partitionMetadata = Array.from({ length: partitionCount }, (_, partitionId) => ({
    partitionId,
    partitionErrorCode: 0,
    leader: 0,
    replicas: [],
    isr: [],
  }))
  const known = new Map<string, number>()

  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const partition = choose({ topic: '', partitionMetadata, message: { key, value: null } })
    if (known.size >= PARTITION_CACHE_COUNT_MAX) known.clear()
    known.set(key, partition)
    return partition
  }
}
