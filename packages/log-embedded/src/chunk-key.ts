import { assert, type Topic } from '@switchyard/kernel'

/** Behind every offset that a key can hold. */
export const OFFSET_END: number = 2 ** 48 - 1

/** The largest offset that a record can have. */
export const OFFSET_LAST: number = OFFSET_END - 1

/** Larger than every number of records in a chunk. */
export const COUNT_END: number = 2 ** 16 - 1

/** Numbers of the topics in keys; they never change. */
const TOPIC_NUMBERS: Readonly<Record<Topic, number>> = { config: 1, payments: 2, webhooks: 3, costs: 4 }

/** Widths of the parts of a key, in bytes. */
const WIDTHS: readonly number[] = [1, 2, 6, 2]
const KEY_BYTES = 11
const FIRST_OFFSET_AT = 3
const COUNT_AT = 9

/**
 * Key of a chunk: number of the topic, partition, offset of the first record, number of records. Big-endian in the
 * database, which so orders chunks as the log does. The number of records stands in the key so that where a chunk ends is
 * known without reading it. A bound of a range may leave out the last parts.
 */
export type ChunkKey = number[]

/** The key, or the bound of a range, for these parts. */
export const chunkKey = (topic: Topic, ...parts: readonly number[]): ChunkKey => [TOPIC_NUMBERS[topic], ...parts]

/** Offsets of the first and the last record of a chunk. */
export interface ChunkSpan {
  readonly first: number
  readonly last: number
}

/** What a key says of the records in its chunk. */
export const spanOf = ([, , first = 0, count = 0]: ChunkKey): ChunkSpan => ({ first, last: first + count - 1 })

/** How the driver writes and reads keys. */
export const chunkKeyEncoder: {
  readonly writeKey: (key: ChunkKey, target: Buffer, start: number) => number
  readonly readKey: (source: Buffer, start: number, end: number) => ChunkKey
} = {
  writeKey: (key, target, start) => {
    let end = start
    for (const [index, part] of key.entries()) end = target.writeUIntBE(part, end, WIDTHS[index] ?? 1)
    return end
  },
  readKey: (source, start, end) => {
    assert(end - start === KEY_BYTES, 'a key of another form in the event log')
    return [
      source.readUInt8(start),
      source.readUInt16BE(start + 1),
      source.readUIntBE(start + FIRST_OFFSET_AT, 6),
      source.readUInt16BE(start + COUNT_AT),
    ]
  },
}
