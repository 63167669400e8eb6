import { type AbortedTransaction, createIsAborted } from './aborted-transactions.ts'
import type { FetchedMessage } from './messages.ts'

/** What a partition had to say: an error of the protocol (0 for none), or messages. */
interface PartitionAnswer {
  readonly partition: number
  readonly errorCode: number
  readonly messages: readonly FetchedMessage[]
}

/** An answer to a fetch, as the driver has it. */
export interface FetchAnswer {
  /** How long the broker asks for silence, milliseconds. */
  readonly clientSideThrottleTime: number
  readonly responses: readonly { readonly topicName: string; readonly partitions: readonly PartitionAnswer[] }[]
}

/** Of an answer (version 11): throttle time, error, session. */
const ANSWER_HEAD_BYTES = 10
/** Of a partition's: number, error, three offsets. */
const PARTITION_HEAD_BYTES = 30
/** First offset and length of a batch, and all that stands before its records. */
const BATCH_START_BYTES = 12
const BATCH_HEAD_BYTES = 61
const MAGIC = 2
const COMPRESSION_BITS = 0x07
const TRANSACTION_BIT = 0x10
const CONTROL_BIT = 0x20

/** Reads on through bytes that a broker sent. */
class Cursor {
  readonly buffer: Buffer
  at: number

  constructor(buffer: Buffer, at: number) {
    this.buffer = buffer
    this.at = at
  }

  int16(): number {
    this.at += 2
    return this.buffer.readInt16BE(this.at - 2)
  }

  int32(): number {
    this.at += 4
    return this.buffer.readInt32BE(this.at - 4)
  }

  int64(): bigint {
    this.at += 8
    return this.buffer.readBigInt64BE(this.at - 8)
  }

  varInt(): number {
    let byte = this.buffer[this.at++] ?? 0
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = this.buffer[this.at++] ?? 0
      value |= (byte & 0x7f) << shift
    }
    return (value >>> 1) ^ -(value & 1)
  }

  /** Passes by a number of up to ten bytes. */
  skipVarLong(): void {
    while ((this.buffer[this.at++] ?? 0) >= 0x80);
  }

  bytes(): Buffer | null {
    const length = this.varInt()
    if (length < 0) return null
    this.at += length
    return this.buffer.subarray(this.at - length, this.at)
  }

  text(length: number): string {
    this.at += length
    return this.buffer.toString('utf8', this.at - length, this.at)
  }
}

const readHeaders = (cursor: Cursor): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (let left = cursor.varInt(); left > 0; left--) {
    const name = cursor.text(cursor.varInt())
    const length = cursor.varInt()
    // The last one counts when a header comes several times.
    if (length >= 0) headers[name] = cursor.text(length)
  }
  return headers
}

/** What all records of a batch share. */
interface BatchTraits {
  readonly firstOffset: number
  readonly isControlRecord: boolean
  readonly isAborted: boolean
}

const readRecord = (cursor: Cursor, { firstOffset, isControlRecord, isAborted }: BatchTraits): FetchedMessage => {
  const end = cursor.varInt() + cursor.at
  cursor.at += 1
  cursor.skipVarLong()
  const offset = firstOffset + cursor.varInt()
  const key = cursor.bytes()
  const value = cursor.bytes()
  const headers = readHeaders(cursor)
  cursor.at = end
  return isAborted ? { offset, key, value, headers, isControlRecord, isAborted } : { offset, key, value, headers, isControlRecord }
}

type IsAborted = ReturnType<typeof createIsAborted>

/** Nobody who gave a transaction up. */
const NONE_ABORTED: IsAborted = () => false

const traitsOf = (buffer: Buffer, start: number, isAborted: IsAborted): BatchTraits => {
  const attributes = buffer.readInt16BE(start + 21)
  const firstOffset = Number(buffer.readBigInt64BE(start))
  const isControlRecord = (attributes & CONTROL_BIT) !== 0
  if (isAborted === NONE_ABORTED) return { firstOffset, isControlRecord, isAborted: false }
  const producerId = buffer.readBigInt64BE(start + 43)
  const isTransactional = (attributes & TRANSACTION_BIT) !== 0
  const written = { producerId, offset: firstOffset, isTransactional, isControl: isControlRecord }
  return { firstOffset, isControlRecord, isAborted: isAborted(written) }
}

/** The messages of all whole batches; undefined when there is one in another form. */
const readBatches = (cursor: Cursor, end: number, isAborted: IsAborted): readonly FetchedMessage[] | undefined => {
  const { buffer } = cursor
  const messages: FetchedMessage[] = []
  // The last batch may be cut off: it comes whole with the next fetch.
  while (cursor.at + BATCH_HEAD_BYTES <= end) {
    const start = cursor.at
    const next = start + BATCH_START_BYTES + buffer.readInt32BE(start + 8)
    if (next > end) break
    const attributes = buffer.readInt16BE(start + 21)
    if (buffer.readInt8(start + 16) !== MAGIC || (attributes & COMPRESSION_BITS) !== 0) return undefined
    const traits = traitsOf(buffer, start, isAborted)
    const count = buffer.readInt32BE(start + 57)
    cursor.at = start + BATCH_HEAD_BYTES
    for (let index = 0; index < count; index++) messages.push(readRecord(cursor, traits))
    cursor.at = next
  }
  return messages
}

const readAborted = (cursor: Cursor): readonly AbortedTransaction[] =>
  Array.from({ length: Math.max(0, cursor.int32()) }, () => ({ producerId: cursor.int64(), firstOffset: Number(cursor.int64()) }))

const readPartition = (cursor: Cursor): PartitionAnswer | undefined => {
  const { buffer } = cursor
  const partition = buffer.readInt32BE(cursor.at)
  const errorCode = buffer.readInt16BE(cursor.at + 4)
  cursor.at += PARTITION_HEAD_BYTES
  const aborted = readAborted(cursor)
  // Behind them stands the replica to read from.
  cursor.at += 4
  const end = Math.max(0, cursor.int32()) + cursor.at
  const messages = readBatches(cursor, end, aborted.length === 0 ? NONE_ABORTED : createIsAborted(aborted))
  if (messages === undefined) return undefined
  cursor.at = end
  return { partition, errorCode, messages }
}

/** Reads an answer of version 11; undefined when records in it are compressed, or in the form of before 2017. */
export const decodeFetchAnswer = (buffer: Buffer): FetchAnswer | undefined => {
  const cursor = new Cursor(buffer, ANSWER_HEAD_BYTES)
  const responses: FetchAnswer['responses'][number][] = []
  for (let topics = cursor.int32(); topics > 0; topics--) {
    const topicName = cursor.text(cursor.int16())
    const partitions: PartitionAnswer[] = []
    for (let left = cursor.int32(); left > 0; left--) {
      const read = readPartition(cursor)
      if (read === undefined) return undefined
      partitions.push(read)
    }
    responses.push({ topicName, partitions })
  }
  return { clientSideThrottleTime: buffer.readInt32BE(0), responses }
}
