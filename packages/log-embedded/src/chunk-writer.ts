import {
  assert,
  CALLER_ID_LENGTH_MAX,
  EXPECTED_VERSION_MAX,
  isRequestTrace,
  type LogRecord,
  type NewRecord,
  type Position,
  RECORD_TEXT_BYTES_MAX,
  type RecordHeaders,
  type RequestTrace,
} from '@switchyard/kernel'
import { CHUNK_BYTES_INITIAL, CHUNK_BYTES_MAX, CHUNK_RECORD_COUNT_MAX } from './limits.ts'

/**
 * A chunk is the value stored under one key: records of one partition with dense offsets, beginning with that in the key.
 *
 *     chunk  = format (1 byte, {@link CHUNK_FORMAT}), record...
 *     record = length of value (u32), expected version (u32, {@link NO_VERSION} = none),
 *              lengths of key, id, type, correlation, actor in bytes (u16 each, {@link NO_TEXT} = absent),
 *              form of the texts (1 byte: {@link UTF8} unless they are ASCII, plus {@link TRACED} when there is a trace, and
 *              {@link TRACE_ID}, {@link GLOBAL_REQUEST_ID} when there are these ids of the caller),
 *              the five texts, the trace (55 bytes, as long as every one) if there is one, the ids if there are any (64 bytes
 *              each, filled up with blanks), value
 *
 * Numbers are little-endian. Many records in one value, because a read of the database costs as much as decoding ten
 * records; the texts lie side by side, so that one call decodes them all when they are ASCII.
 */
export const CHUNK_FORMAT: number = 1
export const CHUNK_HEADER_BYTES = 1
export const RECORD_HEADER_BYTES = 19
export const NO_VERSION = 0xffff_ffff
export const NO_TEXT = 0xffff
export const UTF8 = 1
export const TRACED = 2
export const TRACE_ID = 4
export const GLOBAL_REQUEST_ID = 8

const BYTES_PER_CHARACTER_MAX = 3

/** Collects records of one partition into a chunk. The bytes of a value are copied when it is added. */
export interface ChunkWriter {
  /** Adds a record and returns its index within the chunk. */
  readonly add: (record: NewRecord) => number
  readonly isFull: () => boolean
  readonly recordCount: () => number
  /** The chunk as bytes; nothing may be added afterwards. */
  readonly bytes: () => Buffer
  /** The records as they stand in the chunk; nothing may be added afterwards. */
  readonly records: (partition: number, firstOffset: number) => readonly LogRecord[]
}

const checkedLength = (text: string | undefined): number => {
  if (text === undefined) return NO_TEXT
  const bytes = Buffer.byteLength(text)
  assert(bytes <= RECORD_TEXT_BYTES_MAX, `a key or header of ${bytes} bytes, at most ${RECORD_TEXT_BYTES_MAX} are possible`)
  return bytes
}

const assertShort = (text: string | undefined): void => {
  const isShortAnyhow = text === undefined || text.length * BYTES_PER_CHARACTER_MAX <= RECORD_TEXT_BYTES_MAX
  if (!isShortAnyhow) checkedLength(text)
}

const padded = (id: string | undefined): string => id?.padEnd(CALLER_ID_LENGTH_MAX) ?? ''

/** All parts of the trace behind each other, ASCII. */
const traceTextOf = ({ trace = '', traceId, globalRequestId }: RequestTrace): string => trace + padded(traceId) + padded(globalRequestId)

const traceFormOf = ({ trace, traceId, globalRequestId }: RequestTrace): number =>
  (trace === undefined ? 0 : TRACED) + (traceId === undefined ? 0 : TRACE_ID) + (globalRequestId === undefined ? 0 : GLOBAL_REQUEST_ID)

/** Largest size that the record can have in a chunk, in bytes. */
export const recordBytesMax = ({ key, value, headers }: NewRecord): number => {
  const { id, type, correlation = '', actor = '' } = headers
  const characters = key.length + id.length + type.length + correlation.length + actor.length + traceTextOf(headers).length
  return RECORD_HEADER_BYTES + characters * BYTES_PER_CHARACTER_MAX + value.length
}

/** Refuses, before anything of an append was taken, what could not be framed. */
export const assertFrameable = ({ key, headers }: NewRecord): void => {
  const { id, type, correlation, actor, expectedVersion } = headers
  assert(isRequestTrace(headers), 'the trace of a record is a traceparent, its other ids are visible ASCII')
  assertShort(key)
  assertShort(id)
  assertShort(type)
  assertShort(correlation)
  assertShort(actor)
  const isVersion =
    expectedVersion === undefined || (Number.isInteger(expectedVersion) && expectedVersion >= 0 && expectedVersion <= EXPECTED_VERSION_MAX)
  assert(isVersion, `an expected version is a whole number up to ${EXPECTED_VERSION_MAX}`)
}

/** Writes texts behind each other, each by itself: halves of a character at the end of one and the beginning of the next stay apart, as their lengths say. */
const writeTexts = (target: Buffer, start: number, texts: readonly string[]): number => {
  let end = start
  for (const text of texts) end += target.write(text, end)
  return end - start
}

const writeRecord = (target: Buffer, start: number, { key, value, headers }: NewRecord): number => {
  const { id, type, correlation, actor, expectedVersion } = headers
  const traceText = traceTextOf(headers)
  const text = key + id + type + (correlation ?? '') + (actor ?? '') + traceText
  const textStart = start + RECORD_HEADER_BYTES
  const bytesTogether = target.write(text, textStart)
  const isAscii = bytesTogether === text.length
  const textBytes = isAscii ? bytesTogether : writeTexts(target, textStart, [key, id, type, correlation ?? '', actor ?? '', traceText])
  const lengthOf = (part: string | undefined): number => (isAscii && part !== undefined ? part.length : checkedLength(part))
  target.writeUInt32LE(value.length, start)
  target.writeUInt32LE(expectedVersion ?? NO_VERSION, start + 4)
  target.writeUInt16LE(lengthOf(key), start + 8)
  target.writeUInt16LE(lengthOf(id), start + 10)
  target.writeUInt16LE(lengthOf(type), start + 12)
  target.writeUInt16LE(lengthOf(correlation), start + 14)
  target.writeUInt16LE(lengthOf(actor), start + 16)
  target.writeUInt8((isAscii ? 0 : UTF8) + traceFormOf(headers), start + 18)
  target.set(value, textStart + textBytes)
  return textStart + textBytes + value.length
}

/** A record as it stands in a chunk. Most readers have its event at hand and never ask for the bytes. */
class WrittenRecord implements LogRecord {
  readonly key: string
  readonly headers: RecordHeaders
  readonly event?: object
  readonly position: Position
  readonly #chunk: Buffer
  readonly #start: number
  readonly #end: number

  constructor({ key, value, headers, event }: NewRecord, position: Position, chunk: Buffer, end: number) {
    this.key = key
    this.headers = headers
    if (event !== undefined) this.event = event
    this.position = position
    this.#chunk = chunk
    this.#start = end - value.length
    this.#end = end
  }

  /** As written: the caller's own bytes may change behind its append. */
  get value(): Uint8Array {
    return this.#chunk.subarray(this.#start, this.#end)
  }
}

/** A writer with room for about so many bytes. */
export const createChunkWriter = (bytes: number = CHUNK_BYTES_INITIAL): ChunkWriter => {
  let target = Buffer.allocUnsafeSlow(Math.min(Math.max(bytes, CHUNK_BYTES_INITIAL), CHUNK_BYTES_MAX))
  target.writeUInt8(CHUNK_FORMAT, 0)
  let end = CHUNK_HEADER_BYTES
  const added: NewRecord[] = []
  const ends: number[] = []

  const makeRoomFor = (bytes: number): void => {
    if (end + bytes <= target.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(target.length * 2, end + bytes))
    target.copy(larger, 0, 0, end)
    target = larger
  }

  return {
    add: (record) => {
      makeRoomFor(recordBytesMax(record))
      end = writeRecord(target, end, record)
      ends.push(end)
      return added.push(record) - 1
    },
    isFull: () => added.length >= CHUNK_RECORD_COUNT_MAX || end >= CHUNK_BYTES_MAX,
    recordCount: () => added.length,
    bytes: () => target.subarray(0, end),
    records: (partition, firstOffset) =>
      added.map((record, index) => new WrittenRecord(record, { partition, offset: firstOffset + index }, target, ends[index] ?? end)),
  }
}
