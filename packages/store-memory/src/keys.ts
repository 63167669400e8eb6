import { assert, type DocumentKey, type KeyPart } from '@switchyard/kernel'

/** Longest stored row of a key or of an index, in bytes as {@link rowBytes} counts them; the smallest bound of all stores. */
const KEY_BYTES_MAX: number = 1978

/** As every store sees it: text as UTF-8 has it (a lone surrogate becomes U+FFFD), and one zero. */
const wellFormed = (part: KeyPart): KeyPart => {
  if (typeof part === 'string') return part.toWellFormed()
  assert(Number.isFinite(part), 'a number in a key is finite')
  return part === 0 ? 0 : part
}

export const wellFormedKey = (key: DocumentKey): DocumentKey => key.map(wellFormed)

/** Numbers before strings, numbers by value, strings by UTF-8 bytes. */
export const compareParts = (a: KeyPart, b: KeyPart): number => {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1
  return typeof b === 'number' ? 1 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}

/** Part by part; a shorter key before longer ones with the same beginning. */
export const compareKeys = (a: DocumentKey, b: DocumentKey): number => {
  for (const [index, part] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const order = compareParts(part, other)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Whether the first parts of `key` are those of `prefix`. */
export const startsWith = (key: DocumentKey, prefix: DocumentKey): boolean =>
  prefix.every((part, index) => {
    const own = key[index]
    return own !== undefined && compareParts(own, part) === 0
  })

/** A number takes 9 bytes, a string its bytes, one more for each NUL in it, and 2. */
const rowBytes = (row: DocumentKey): number =>
  row.reduce<number>((sum, part) => sum + (typeof part === 'number' ? 9 : Buffer.byteLength(part) + part.split('\0').length + 1), 0)

/** Refuses what the smallest store could not hold. */
export const assertRowFits = (row: DocumentKey): void => {
  const bytes = rowBytes(row)
  assert(bytes <= KEY_BYTES_MAX, `a key of ${bytes} bytes, at most ${KEY_BYTES_MAX} are possible: ${JSON.stringify(row[0])}`)
}
