import type { IHeaders, Message } from 'kafkajs'
import crc32C from 'kafkajs/src/protocol/recordBatch/crc32C/index.js'
import type { PartitionMessages, ProduceOptions } from 'kafkajs/src/protocol/requests/index.js'
import { sizeOfVarInt, writeVarInt } from './varint.ts'

type Bytes = string | Buffer

/** Before the records: first offset, length, leader's epoch, magic, checksum, attributes, last offset, two times, producer, epoch, sequence, count. */
const BATCH_HEAD_BYTES = 61
/** What stands before the bytes that the checksum is of, and before those that the length is of. */
const BEFORE_CHECKED_BYTES = 21
const BEFORE_COUNTED_BYTES = 12
const MAGIC = 2
const NO_TEXT = -1

const bytesOf = (value: Bytes): number => (typeof value === 'string' ? Buffer.byteLength(value) : value.length)

const sizeOfBytes = (value: Bytes | null | undefined): number => {
  if (value === null || value === undefined) return sizeOfVarInt(NO_TEXT)
  const bytes = bytesOf(value)
  return sizeOfVarInt(bytes) + bytes
}

const writeBytes = (buffer: Buffer, at: number, value: Bytes | null | undefined): number => {
  if (value === null || value === undefined) return writeVarInt(buffer, at, NO_TEXT)
  const bytes = bytesOf(value)
  const from = writeVarInt(buffer, at, bytes)
  if (typeof value === 'string') buffer.write(value, from)
  else value.copy(buffer, from)
  return from + bytes
}

/** Names and texts by turns: one header may come several times. */
const headersOf = (headers: IHeaders = {}): readonly (Bytes | undefined)[] => {
  const fields: (Bytes | undefined)[] = []
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (Array.isArray(value)) for (const each of value) fields.push(name, each)
    else fields.push(name, value)
  }
  return fields
}

/** A message with what is to be written of it; its size is without its length. */
interface SizedRecord {
  readonly message: Message
  readonly fields: readonly (Bytes | undefined)[]
  readonly bytes: number
}

/** Attributes, time and offset beside those of the batch, key, value, headers. */
const sizedRecordOf = (message: Message, index: number): SizedRecord => {
  const { key, value, headers } = message
  const fields = headersOf(headers)
  let bytes = 2 + sizeOfVarInt(index) + sizeOfBytes(key) + sizeOfBytes(value) + sizeOfVarInt(fields.length / 2)
  for (const field of fields) bytes += sizeOfBytes(field)
  return { message, fields, bytes }
}

const writeRecord = (buffer: Buffer, start: number, index: number, { message, fields, bytes }: SizedRecord): number => {
  let at = writeVarInt(buffer, start, bytes)
  buffer[at++] = 0
  buffer[at++] = 0
  at = writeVarInt(buffer, at, index)
  at = writeBytes(buffer, at, message.key)
  at = writeBytes(buffer, at, message.value)
  at = writeVarInt(buffer, at, fields.length / 2)
  for (const field of fields) at = writeBytes(buffer, at, field)
  return at
}

/** A record batch (magic 2) of messages that all have the time of the batch; the broker sets its own. */
const encodeBatch = ({ firstSequence, messages }: PartitionMessages, producer: ProduceOptions, atMs: number): Buffer => {
  const records = messages.map(sizedRecordOf)
  const size = records.reduce((sum, { bytes }) => sum + sizeOfVarInt(bytes) + bytes, BATCH_HEAD_BYTES)
  const buffer = Buffer.allocUnsafe(size)
  buffer.writeBigInt64BE(0n, 0)
  buffer.writeInt32BE(size - BEFORE_COUNTED_BYTES, 8)
  buffer.writeInt32BE(0, 12)
  buffer.writeInt8(MAGIC, 16)
  buffer.writeInt16BE(0, BEFORE_CHECKED_BYTES)
  buffer.writeInt32BE(messages.length - 1, 23)
  buffer.writeBigInt64BE(BigInt(atMs), 27)
  buffer.writeBigInt64BE(BigInt(atMs), 35)
  buffer.writeBigInt64BE(BigInt(producer.producerId), 43)
  buffer.writeInt16BE(producer.producerEpoch, 51)
  buffer.writeInt32BE(firstSequence, 53)
  buffer.writeInt32BE(messages.length, 57)
  let at = BATCH_HEAD_BYTES
  for (const [index, record] of records.entries()) at = writeRecord(buffer, at, index, record)
  buffer.writeUInt32BE(crc32C(buffer.subarray(BEFORE_CHECKED_BYTES)), 17)
  return buffer
}

const int16 = (value: number): Buffer => {
  const buffer = Buffer.allocUnsafe(2)
  buffer.writeInt16BE(value)
  return buffer
}

const int32 = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.allocUnsafe(4 * values.length)
  for (const [index, value] of values.entries()) buffer.writeInt32BE(value, 4 * index)
  return buffer
}

/** The body of a request to write (versions 3 to 8 have one form), without a transaction and uncompressed. */
export const encodeProduceRequest = (request: ProduceOptions, atMs: number): Buffer => {
  const parts = [int16(NO_TEXT), int16(request.acks), int32(request.timeout, request.topicData.length)]
  for (const { topic, partitions } of request.topicData) {
    const name = Buffer.from(topic)
    parts.push(int16(name.length), name, int32(partitions.length))
    for (const each of partitions) {
      const batch = encodeBatch(each, request, atMs)
      parts.push(int32(each.partition, batch.length), batch)
    }
  }
  return Buffer.concat(parts)
}
