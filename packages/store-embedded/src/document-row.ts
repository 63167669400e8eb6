import {
  assert,
  type CollectionSpec,
  type DocumentKey,
  type DocumentWrite,
  indexRowsOf,
  type Position,
  type StoredDocument,
} from '@switchyard/kernel'
import { encodeRow } from './row-key.ts'

/**
 * What stands under the row key of a document:
 *
 *     row = format (1 byte, {@link ROW_FORMAT}), partition (u32), offset (f64), length of the text in bytes (u32),
 *           where the rows in the indexes begin (u32), text: JSON of [key, body (null after a removal), [name, length in bytes] of the body's byte arrays], the byte
 *           arrays, and to the end, each behind its length in bytes (u16), the document's rows in the indexes
 *
 * Numbers are little-endian. A write that replaces the document needs its position, to see whether it is older, and its rows
 * in the indexes, to remove them: both are found without reading the text.
 */
const ROW_FORMAT = 2
const OFFSET_AT = 5
const LENGTH_AT = 13
const INDEX_ROWS_AT = 17
const HEADER_BYTES = 21
const LENGTH_BYTES = 2
const BYTES_PER_CHARACTER_MAX = 3

type Body = Readonly<Record<string, unknown>>

/** A row that was read. */
export interface DocumentRow {
  readonly position: Position
  readonly key: DocumentKey
  readonly body: Body | null
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array

const membersOf = (body: object): readonly [string, unknown][] => Object.entries(body)

/** The parts of a row behind its header. */
interface RowParts {
  readonly text: string
  readonly byteArrays: readonly Uint8Array[]
  readonly indexRows: readonly Buffer[]
}

const sizeOf = (arrays: readonly Uint8Array[]): number => arrays.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0)

/**
 * Rows share a slab until it is full: one that is allocated by itself costs as much as writing it, and the driver asks for the
 * address of each allocation.
 */
const SLAB_BYTES = 256 * 1024
/** From here on a text that took the room that it may need would leave most of a slab unused. */
const COUNTED_BYTES_MIN = 32 * 1024
let slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
let slabUsed = 0

/** What is left of the slab, or a new one. */
const roomFor = (bytes: number): Buffer => {
  if (slab.length - slabUsed < bytes) {
    slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, bytes))
    slabUsed = 0
  }
  return slab.subarray(slabUsed)
}

/** Room for a text: what it may need, or what it needs where that is worth counting. */
const textRoomOf = (text: string): number => {
  const bytesMax = text.length * BYTES_PER_CHARACTER_MAX
  return bytesMax < COUNTED_BYTES_MIN ? bytesMax : Buffer.byteLength(text)
}

const write = (position: Position, { text, byteArrays, indexRows }: RowParts): Buffer => {
  const row = roomFor(HEADER_BYTES + textRoomOf(text) + sizeOf(byteArrays) + sizeOf(indexRows))
  row[0] = ROW_FORMAT
  row.writeUInt32LE(position.partition, 1)
  row.writeDoubleLE(position.offset, OFFSET_AT)
  const textBytes = row.write(text, HEADER_BYTES)
  row.writeUInt32LE(textBytes, LENGTH_AT)
  let end = HEADER_BYTES + textBytes
  for (const bytes of byteArrays) {
    row.set(bytes, end)
    end += bytes.length
  }
  row.writeUInt32LE(end, INDEX_ROWS_AT)
  for (const indexRow of indexRows) {
    row.writeUInt16LE(indexRow.length, end)
    row.set(indexRow, end + LENGTH_BYTES)
    end += LENGTH_BYTES + indexRow.length
  }
  slabUsed += end
  return row.subarray(0, end)
}

const hasBytes = (body: object): boolean => {
  for (const name in body) if (isBytes(Reflect.get(body, name))) return true
  return false
}

/** The row of a write, and of the document in the indexes; its bytes are copies. */
export const rowOf = ({ key, position, body }: DocumentWrite, ownIndexRows: readonly Buffer[]): Buffer => {
  if (body === null || !hasBytes(body))
    return write(position, { text: JSON.stringify([key, body, []]), byteArrays: [], indexRows: ownIndexRows })
  const plain = Object.fromEntries(membersOf(body).filter(([, value]) => !isBytes(value)))
  const arrays = membersOf(body).flatMap(([name, value]) => (isBytes(value) ? [{ name, value }] : []))
  const lengths = arrays.map(({ name, value }) => [name, value.length])
  const byteArrays = arrays.map(({ value }) => value)
  return write(position, { text: JSON.stringify([key, plain, lengths]), byteArrays, indexRows: ownIndexRows })
}

/** The position in a row, without reading the document. */
const positionIn = (row: Buffer): Position => {
  assert(row[0] === ROW_FORMAT, `a row of the unknown format ${row[0]} in the read store`)
  return { partition: row.readUInt32LE(1), offset: row.readDoubleLE(OFFSET_AT) }
}

/** Whether the row includes this position already. */
export const isAtOrBehind = (row: Buffer, position: Position): boolean => {
  const { partition, offset } = positionIn(row)
  return partition === position.partition && offset >= position.offset
}

/** The document's rows in the indexes, without reading the document. */
export const indexRowsIn = (row: Buffer): readonly Buffer[] => {
  const found: Buffer[] = []
  let start = row.readUInt32LE(INDEX_ROWS_AT)
  while (start < row.length) {
    const end = start + LENGTH_BYTES + row.readUInt16LE(start)
    found.push(row.subarray(start + LENGTH_BYTES, end))
    start = end
  }
  return found
}

/** Reads a row. */
export const readRow = (row: Buffer): DocumentRow => {
  const position = positionIn(row)
  let end = HEADER_BYTES + row.readUInt32LE(LENGTH_AT)
  const [key, body, lengths] = JSON.parse(row.toString('utf8', HEADER_BYTES, end))
  for (const [name, length] of lengths) {
    body[name] = new Uint8Array(row.subarray(end, end + length))
    end += length
  }
  return { position, key, body }
}

/** The document in the row; undefined when it was removed. */
export const documentOf = <Stored>(row: Buffer): StoredDocument<Stored> | undefined => {
  const { key, position, body } = readRow(row)
  if (body === null) return undefined
  const plain: ReturnType<typeof JSON.parse> = body
  return { key, position, body: plain }
}

/** Row keys of the document in all indexes of its collection. */
export const indexRows = ({ name, indexes }: CollectionSpec, key: DocumentKey, body: object | null): readonly Buffer[] =>
  body === null ? [] : indexes.flatMap((index) => indexRowsOf(index, body, key).map((row) => encodeRow([name, index.name, ...row])))
