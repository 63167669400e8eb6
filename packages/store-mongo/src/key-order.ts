import { assert, type DocumentKey, type KeyPart } from '@switchyard/kernel'
import { KEY_BYTES_MAX } from './limits.ts'

/**
 * Keys as texts whose binary order is the order of the port: `_id` is one. A number is {@link NUMBER} and the 16 hex digits of its
 * bits, turned so that they sort by value; a string is {@link STRING}, a character for each byte of its UTF-8, and
 * {@link END}. No character is above U+00FF, so that bytes of UTF-8 and units of UTF-16 agree about the order.
 */
const NUMBER = '1'
const STRING = '2'
/** Before the next part of any key, behind the key that ends here. */
const BEFORE_PARTS = '1'
/** Behind every continuation of a key. */
const AFTER_PARTS = '3'
const END = '\x01'
/** Stands before the digit of one of the three characters that have a meaning here (or, NUL, none in MongoDB's texts). */
const ESCAPE = '\x02'

// oxlint-disable-next-line no-control-regex -- the characters that have a meaning here
const SPECIAL = /[\x00-\x02]/g
/** Characters that are bytes of UTF-8 as they are. Nearly all keys have no others, and are not gone through a second time. */
// oxlint-disable-next-line no-control-regex -- those below have a meaning here
const PLAIN = /^[\x03-\x7f]*$/

const NUMBER_BYTES = 9
const ALL_BITS = 0xffff_ffff_ffff_ffffn
const SIGN_BIT = 1n << 63n

const encodeNumber = (value: number): string => {
  assert(Number.isFinite(value), 'a number in a key is finite')
  const buffer = Buffer.allocUnsafe(8)
  // Adding zero makes -0 the same as 0.
  buffer.writeDoubleBE(value + 0)
  const bits = buffer.readBigUInt64BE()
  buffer.writeBigUInt64BE((bits & SIGN_BIT) === 0n ? bits | SIGN_BIT : bits ^ ALL_BITS)
  return NUMBER + buffer.toString('hex')
}

const escapeCharacter = (character: string): string => ESCAPE + String(character.charCodeAt(0))

const encodeString = (value: string): string =>
  STRING + (PLAIN.test(value) ? value : Buffer.from(value).toString('latin1').replace(SPECIAL, escapeCharacter)) + END

/** The key as a text in the order of the port. */
export const encodeKey = (key: DocumentKey): string =>
  key.map((part) => (typeof part === 'number' ? encodeNumber(part) : encodeString(part))).join('')

/** Where a range of encoded keys begins (included) and ends (excluded). */
export interface KeyBounds {
  readonly start: string
  readonly end: string
}

/** Keys that begin with `prefix` and whose next part lies between `from` and `to`, both included. */
export const boundsOf = (prefix: DocumentKey, from: KeyPart | undefined, to: KeyPart | undefined): KeyBounds => {
  const beginning = encodeKey(prefix)
  const lower = from === undefined ? beginning : beginning + encodeKey([from])
  const upper = to === undefined ? beginning : beginning + encodeKey([to])
  // A key that is the prefix and nothing else has no next part that could lie within a bound.
  const start = from === undefined && to !== undefined ? lower + BEFORE_PARTS : lower
  return { start, end: upper + AFTER_PARTS }
}

/** As the encoded key sees it: text as UTF-8 has it (a lone surrogate becomes U+FFFD), and one zero. */
export const wellFormedKey = (key: DocumentKey): DocumentKey =>
  key.map((part) => (typeof part === 'number' ? part + 0 : part.toWellFormed()))

const bytesOf = (part: KeyPart): number => {
  if (typeof part === 'number') return NUMBER_BYTES
  return Buffer.byteLength(part) + part.split('\0').length + 1
}

/** Refuses a row that some store could not take. */
export const assertRowFits = (row: DocumentKey): void => {
  const bytes = row.reduce<number>((sum, part) => sum + bytesOf(part), 0)
  assert(bytes <= KEY_BYTES_MAX, `a key of ${bytes} bytes, at most ${KEY_BYTES_MAX} are possible: ${JSON.stringify(row[0])}`)
}
