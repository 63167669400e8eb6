import type { Topic } from '@switchyard/kernel'
import type { ChunkStore } from './chunk-store.ts'

/** The offsets of the last records, remembered: the owner of a log is the only one that moves them. */
export interface PartitionEnds {
  readonly of: (topic: Topic, partition: number) => number
  readonly moveTo: (topic: Topic, partition: number, offset: number) => void
  /** After a commit of which nobody knows whether it happened: the store is asked again. */
  readonly forget: () => void
}

export const createPartitionEnds = (store: Pick<ChunkStore, 'lastOffset'>): PartitionEnds => {
  const ends: Readonly<Record<Topic, Map<number, number>>> = {
    config: new Map(),
    payments: new Map(),
    webhooks: new Map(),
    costs: new Map(),
  }
  return {
    of: (topic, partition) => {
      const known = ends[topic].get(partition)
      if (known !== undefined) return known
      const offset = store.lastOffset(topic, partition)
      ends[topic].set(partition, offset)
      return offset
    },
    moveTo: (topic, partition, offset) => {
      ends[topic].set(partition, offset)
    },
    forget: () => {
      for (const known of Object.values(ends)) known.clear()
    },
  }
}
