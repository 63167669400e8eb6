import type { LogRecord, Topic } from '@switchyard/kernel'
import { decodeChunk } from './chunk-reader.ts'
import { type ChunkWriter, createChunkWriter } from './chunk-writer.ts'
import type { FramedChunk } from './framed-chunk.ts'

/** A chunk that waits for its place in the log. */
export interface PendingChunk {
  readonly topic: Topic
  readonly partition: number
  /** As it will be stored; nothing may be added afterwards. */
  readonly frame: () => FramedChunk
  /** Its records, once the first one has an offset. */
  readonly records: () => readonly LogRecord[]
  /** Settled by the commit. */
  firstOffset: number
}

/** One that takes further records. */
export interface OpenChunk extends PendingChunk {
  readonly writer: ChunkWriter
}

/** An empty chunk with room for `bytes`. */
export const openChunk = (topic: Topic, partition: number, bytes: number): OpenChunk => {
  const writer = createChunkWriter(bytes)
  const chunk: OpenChunk = {
    topic,
    partition,
    writer,
    frame: () => ({ topic, partition, recordCount: writer.recordCount(), bytes: writer.bytes() }),
    records: () => writer.records(partition, chunk.firstOffset),
    firstOffset: Number.NaN,
  }
  return chunk
}

/** A chunk that another handle has framed: its records have nothing but their bytes. */
export const framedChunk = (frame: FramedChunk): PendingChunk => {
  const { topic, partition, bytes } = frame
  const chunk: PendingChunk = {
    topic,
    partition,
    frame: () => frame,
    records: () => {
      const records: LogRecord[] = []
      decodeChunk({ partition, firstOffset: chunk.firstOffset, bytes }, chunk.firstOffset - 1, records)
      return records
    },
    firstOffset: Number.NaN,
  }
  return chunk
}
