import { chunkKey } from './chunk-key.ts'
import type { ChunkStore } from './chunk-store.ts'
import type { FramedChunk, PutChunks } from './framed-chunk.ts'
import type { Notices } from './notices.ts'
import type { PartitionEnds } from './partition-ends.ts'

/** The offset of the first record of each chunk: behind what is stored, in the order of the chunks. */
const assignOffsets = (chunks: readonly FramedChunk[], { of: lastOffset }: PartitionEnds): readonly number[] => {
  const assigned = new Map<string, number>()
  return chunks.map(({ topic, partition, recordCount }) => {
    const name = `${topic}:${partition}`
    const first = (assigned.get(name) ?? lastOffset(topic, partition)) + 1
    assigned.set(name, first + recordCount - 1)
    return first
  })
}

/**
 * {@link PutChunks} of the log's owner: one at a time, so that a failed one leaves no gap. Announces partitions of which nobody knows whether
 * a failed one has reached them.
 */
export const createPutChunks =
  (store: Pick<ChunkStore, 'commit'>, ends: PartitionEnds, announce: Notices['announce']): PutChunks =>
  async (chunks) => {
    const firsts = assignOffsets(chunks, ends)
    const placed = chunks.map((chunk, index) => ({ ...chunk, first: firsts[index] ?? Number.NaN }))
    try {
      await store.commit(
        placed.map(({ topic, partition, recordCount, bytes, first }) => ({ key: chunkKey(topic, partition, first, recordCount), bytes })),
      )
    } catch (error) {
      ends.forget()
      for (const { topic, partition } of placed) announce(topic, partition)
      throw error
    }
    for (const { topic, partition, recordCount, first } of placed) ends.moveTo(topic, partition, first + recordCount - 1)
    return firsts
  }
