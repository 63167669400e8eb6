import {
  CALLER_ID_LENGTH_MAX,
  type LogRecord,
  OperatingError,
  type Position,
  type RecordHeaders,
  type RequestTrace,
  TRACEPARENT_LENGTH,
} from '@switchyard/kernel'
import {
  CHUNK_FORMAT,
  CHUNK_HEADER_BYTES,
  GLOBAL_REQUEST_ID,
  NO_TEXT,
  NO_VERSION,
  RECORD_HEADER_BYTES,
  TRACE_ID,
  TRACED,
  UTF8,
} from './chunk-writer.ts'

/** Where something stands in a chunk. */
interface ByteSpan {
  readonly start: number
  readonly end: number
}

type Mutable<T> = { -readonly [Field in keyof T]: T[Field] }

/** A chunk as it was read: its bytes are the reader's own, and the values of its records are views of them. */
export interface StoredChunk {
  readonly partition: number
  readonly firstOffset: number
  readonly bytes: Uint8Array
}

const lengthAt = (bytes: Buffer, start: number): number => {
  const length = bytes.readUInt16LE(start)
  return length === NO_TEXT ? 0 : length
}

const traceBytesAt = (bytes: Buffer, start: number): number => {
  const form = bytes.readUInt8(start + 18)
  const ids = ((form & TRACE_ID) === 0 ? 0 : 1) + ((form & GLOBAL_REQUEST_ID) === 0 ? 0 : 1)
  return ((form & TRACED) === 0 ? 0 : TRACEPARENT_LENGTH) + ids * CALLER_ID_LENGTH_MAX
}

/** The parts of the trace in its text, by the form of the record. */
const traceIn = (text: string, form: number): RequestTrace => {
  const parts: Mutable<RequestTrace> = {}
  let start = 0
  const take = (length: number): string => text.slice(start, (start += length)).trimEnd()
  if ((form & TRACED) !== 0) parts.trace = take(TRACEPARENT_LENGTH)
  if ((form & TRACE_ID) !== 0) parts.traceId = take(CALLER_ID_LENGTH_MAX)
  if ((form & GLOBAL_REQUEST_ID) !== 0) parts.globalRequestId = take(CALLER_ID_LENGTH_MAX)
  return parts
}

const recordBytesAt = (bytes: Buffer, start: number): number => {
  let length = RECORD_HEADER_BYTES + bytes.readUInt32LE(start) + traceBytesAt(bytes, start)
  for (let field = start + 8; field < start + 18; field += 2) length += lengthAt(bytes, field)
  return length
}

/** What stands in a record beside its value. */
type RecordTexts = Pick<LogRecord, 'key' | 'headers'>

const textsAt = (bytes: Buffer, start: number): RecordTexts => {
  const textStart = start + RECORD_HEADER_BYTES
  const keyEnd = lengthAt(bytes, start + 8)
  const idEnd = keyEnd + lengthAt(bytes, start + 10)
  const typeEnd = idEnd + lengthAt(bytes, start + 12)
  const correlationEnd = typeEnd + lengthAt(bytes, start + 14)
  const actorEnd = correlationEnd + lengthAt(bytes, start + 16)
  const traceEnd = actorEnd + traceBytesAt(bytes, start)
  const isAscii = (bytes.readUInt8(start + 18) & UTF8) === 0
  const texts = isAscii ? bytes.toString('latin1', textStart, textStart + traceEnd) : ''
  const text = (from: number, to: number): string =>
    isAscii ? texts.slice(from, to) : bytes.toString('utf8', textStart + from, textStart + to)

  const headers: Mutable<RecordHeaders> = { id: text(keyEnd, idEnd), type: text(idEnd, typeEnd) }
  if (bytes.readUInt16LE(start + 14) !== NO_TEXT) headers.correlation = text(typeEnd, correlationEnd)
  if (bytes.readUInt16LE(start + 16) !== NO_TEXT) headers.actor = text(correlationEnd, actorEnd)
  const expectedVersion = bytes.readUInt32LE(start + 4)
  if (expectedVersion !== NO_VERSION) headers.expectedVersion = expectedVersion
  if (traceEnd > actorEnd) Object.assign(headers, traceIn(text(actorEnd, traceEnd), bytes.readUInt8(start + 18)))
  return { key: text(0, keyEnd), headers }
}

/** A record in a chunk. Who folds values asks for nothing else: what they don't ask for is not made. */
class StoredRecord implements LogRecord {
  readonly #bytes: Buffer
  readonly #start: number
  readonly #end: number
  readonly #partition: number
  readonly #offset: number
  #texts: RecordTexts | undefined

  constructor(bytes: Buffer, { start, end }: ByteSpan, { partition, offset }: Position) {
    this.#bytes = bytes
    this.#start = start
    this.#end = end
    this.#partition = partition
    this.#offset = offset
  }

  get key(): string {
    return this.#read().key
  }

  get headers(): RecordHeaders {
    return this.#read().headers
  }

  get value(): Uint8Array {
    return this.#bytes.subarray(this.#end - this.#bytes.readUInt32LE(this.#start), this.#end)
  }

  get position(): Position {
    return { partition: this.#partition, offset: this.#offset }
  }

  #read(): RecordTexts {
    this.#texts ??= textsAt(this.#bytes, this.#start)
    return this.#texts
  }
}

const asBuffer = ({ bytes }: StoredChunk): Buffer => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer[0] === CHUNK_FORMAT) return buffer
  throw new OperatingError('RECORD_UNREADABLE', `records in the unknown format ${buffer[0]}`, { retryable: false })
}

/** Appends to `records` those of the chunk that stand behind the offset `after`. */
export const decodeChunk = (chunk: StoredChunk, after: number, records: LogRecord[]): void => {
  const bytes = asBuffer(chunk)
  let offset = chunk.firstOffset
  let start = CHUNK_HEADER_BYTES
  while (start < bytes.length) {
    const end = start + recordBytesAt(bytes, start)
    if (offset > after) records.push(new StoredRecord(bytes, { start, end }, { partition: chunk.partition, offset }))
    start = end
    offset += 1
  }
}
