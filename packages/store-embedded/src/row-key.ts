import { assert, type KeyPart } from '@switchyard/kernel'
import { KEY_BYTES_MAX } from './limits.ts'

/**
 * Rows as bytes whose order is the order of the port: a number is {@link NUMBER} and 8 bytes, a string is {@link STRING},
 * its UTF-8 bytes with each NUL followed by {@link ESCAPED}, and a closing NUL. The driver's own encoding of keys is not
 * used: it loses NULs in texts of 64 characters and more.
 */
const NUMBER = 0x10
const STRING = 0x20
const ESCAPED = 0xff
/** Before the next part of any row, behind a row that ends here. */
const BEFORE_PARTS = 0x01
/** Behind every continuation of a row. */
const AFTER_PARTS = 0xff
const NUMBER_BYTES = 9
const SIGN_BIT = 0x80

const writeNumber = (target: Buffer, start: number, value: number): number => {
  assert(Number.isFinite(value), 'a number in a key is finite')
  target[start] = NUMBER
  // Adding zero makes -0 the same as 0.
  target.writeDoubleBE(value + 0, start + 1)
  const first = target.readUInt8(start + 1)
  if (first < SIGN_BIT) target[start + 1] = first | SIGN_BIT
  else for (let at = start + 1; at < start + NUMBER_BYTES; at++) target[at] = ~target.readUInt8(at)
  return start + NUMBER_BYTES
}

/** Longest text that is written unit by unit; beyond it a call of the runtime is faster. */
const SHORT_LENGTH_MAX = 40

/** Writes a short text of plain ASCII without NUL; answers -1 for any other. */
const writeShort = (target: Buffer, start: number, value: string): number => {
  if (value.length > SHORT_LENGTH_MAX) return -1
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i)
    if (unit === 0 || unit > 0x7f) return -1
    target[start + i] = unit
  }
  return start + value.length
}

const writeString = (target: Buffer, start: number, value: string): number => {
  target[start] = STRING
  let end = writeShort(target, start + 1, value)
  if (end >= 0) {
    target[end] = 0
    return end + 1
  }
  end = start + 1
  for (const [index, piece] of value.split('\0').entries()) {
    if (index > 0) {
      target[end] = 0
      target[end + 1] = ESCAPED
      end += 2
    }
    end += target.write(piece, end)
  }
  target[end] = 0
  return end + 1
}

const bytesMaxOf = (part: KeyPart): number => (typeof part === 'number' ? NUMBER_BYTES : part.length * 3 + 2)

/** A row of any length as bytes. */
const writeRow = (parts: readonly KeyPart[]): Buffer => {
  let bytesMax = 0
  for (const part of parts) bytesMax += bytesMaxOf(part)
  const target = Buffer.allocUnsafe(bytesMax)
  let end = 0
  for (const part of parts) end = typeof part === 'number' ? writeNumber(target, end, part) : writeString(target, end, part)
  return target.subarray(0, end)
}

/** The row as bytes; refuses one that is longer than {@link KEY_BYTES_MAX}. */
export const encodeRow = (parts: readonly KeyPart[]): Buffer => {
  const row = writeRow(parts)
  const { length } = row
  assert(length <= KEY_BYTES_MAX, `a key of ${length} bytes, at most ${KEY_BYTES_MAX} are possible: ${JSON.stringify(parts[0])}`)
  return row
}

/** The row as it is looked for; undefined for one that is longer than any that is stored. */
export const wantedRow = (parts: readonly KeyPart[]): Buffer | undefined => {
  const row = writeRow(parts)
  return row.length > KEY_BYTES_MAX ? undefined : row
}

/** Where a range of rows begins (included) and ends (excluded). */
export interface RowBounds {
  readonly start: Buffer
  readonly end: Buffer
}

/** No row that is stored is longer, so that what stands behind makes no difference. */
const cut = (bound: Buffer): Buffer => bound.subarray(0, KEY_BYTES_MAX)

/** Rows that begin with `prefix` and whose next part lies between `from` and `to`, both included; parts may be longer than any that is stored. */
export const boundsOf = (prefix: readonly KeyPart[], from: KeyPart | undefined, to: KeyPart | undefined): RowBounds => {
  const beginning = writeRow(prefix)
  const lower = from === undefined ? beginning : writeRow([...prefix, from])
  const upper = to === undefined ? beginning : writeRow([...prefix, to])
  // A row that is the prefix and nothing else has no next part that could lie within a bound.
  const start = from === undefined && to !== undefined ? Buffer.concat([lower, Buffer.of(BEFORE_PARTS)]) : lower
  return { start: cut(start), end: cut(Buffer.concat([upper, Buffer.of(AFTER_PARTS)])) }
}
