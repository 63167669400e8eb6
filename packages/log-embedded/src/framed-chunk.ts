import type { Topic } from '@switchyard/kernel'

/** Records of one partition as they will be stored, without their place in it. Plain data: threads hand it to each other. */
export interface FramedChunk {
  readonly topic: Topic
  readonly partition: number
  readonly recordCount: number
  /** See `chunk-writer.ts`. */
  readonly bytes: Uint8Array
}

/** Puts chunks into the log, all or none, in their order; gives the offset of the first record of each. */
export type PutChunks = (chunks: readonly FramedChunk[]) => Promise<readonly number[]>
