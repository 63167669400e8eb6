import { hash53, type NewRecord, type Position, type Topic } from '@switchyard/kernel'
import type { FramedChunk } from './framed-chunk.ts'
import { framedChunk, type OpenChunk, openChunk, type PendingChunk } from './pending-chunk.ts'

/** Everything that goes into one transaction. */
export interface AppendGroup {
  readonly chunks: PendingChunk[]
  /** The chunk of each partition that takes further records. */
  readonly open: Readonly<Record<Topic, Map<number, OpenChunk>>>
  bytes: number
  readonly written: Promise<void>
  readonly settle: (error: unknown) => void
}

/** Records of one append that stand behind each other in a chunk: most of an append's do. */
interface Stretch {
  readonly chunk: PendingChunk
  readonly first: number
  count: number
}

export const createGroup = (): AppendGroup => {
  let settle: (error: unknown) => void = () => {}
  const written = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error))
  })
  const open = { config: new Map(), payments: new Map(), webhooks: new Map(), costs: new Map() }
  return { chunks: [], open, bytes: 0, written, settle }
}

/** The chunk that takes the next record of the partition; a new one has room for `bytes`. */
const openIn = ({ open, chunks }: AppendGroup, topic: Topic, partition: number, bytes: number): OpenChunk => {
  const known = open[topic].get(partition)
  if (known !== undefined && !known.writer.isFull()) return known
  const chunk = openChunk(topic, partition, bytes)
  open[topic].set(partition, chunk)
  chunks.push(chunk)
  return chunk
}

/** What an append adds to a group. */
export interface GroupAppend {
  readonly topic: Topic
  readonly records: readonly NewRecord[]
  /** Room that they take at most. */
  readonly bytes: number
  readonly partitionCount: number
}

/** Adds records; answers where they will stand. */
export const addRecords = (group: AppendGroup, { topic, records, bytes, partitionCount }: GroupAppend): readonly Stretch[] => {
  const stretches: Stretch[] = []
  let [key, partition]: [string | undefined, number] = [undefined, 0]
  let last: Stretch | undefined
  for (const record of records) {
    if (record.key !== key) [key, partition] = [record.key, hash53(record.key) % partitionCount]
    const chunk = openIn(group, topic, partition, bytes)
    const index = chunk.writer.add(record)
    if (last?.chunk === chunk) last.count += 1
    else stretches.push((last = { chunk, first: index, count: 1 }))
  }
  return stretches
}

/** Positions in the order of the records, once their chunks have offsets. */
export const positionsOf = (stretches: readonly Stretch[]): readonly Position[] => {
  const positions: Position[] = []
  for (const { chunk, first, count } of stretches) {
    const { partition, firstOffset } = chunk
    for (let index = first; index < first + count; index++) positions.push({ partition, offset: firstOffset + index })
  }
  return positions
}

/** Adds chunks that were framed elsewhere: what is added from now on comes behind them. */
export const addChunks = (group: AppendGroup, frames: readonly FramedChunk[]): readonly PendingChunk[] => {
  const chunks = frames.map(framedChunk)
  for (const chunk of chunks) {
    group.chunks.push(chunk)
    group.open[chunk.topic].delete(chunk.partition)
  }
  return chunks
}
