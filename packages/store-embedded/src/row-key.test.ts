import { describe, expect, test } from '@jest/globals'
import { hash53, type KeyPart } from '@switchyard/kernel'
import fc from 'fast-check'
import { KEY_BYTES_MAX } from './limits.ts'
import { boundsOf, encodeRow } from './row-key.ts'

const compareParts = (a: KeyPart, b: KeyPart): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number') return -1
  return typeof b === 'number' ? 1 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const compareRows = (a: readonly KeyPart[], b: readonly KeyPart[]): number => {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareParts(a[i] ?? 0, b[i] ?? 0)
    if (order !== 0) return order
  }
  return a.length - b.length
}

const part: fc.Arbitrary<KeyPart> = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.string({ unit: fc.constantFrom('\0', '\x01', 'a', '\u07ff', '\uffff', '😀', '\x7f', '\x80'), maxLength: 80 }),
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const row = fc.array(part, { minLength: 1, maxLength: 4 })

describe('row keys', () => {
  test('bytes have the order of the parts: numbers before strings, by value and by UTF-8 bytes, shorter rows first', () => {
    fc.assert(
      fc.property(row, row, (a, b) => {
        expect(Math.sign(Buffer.compare(encodeRow(a), encodeRow(b)))).toBe(Math.sign(compareRows(a, b)))
      }),
      { numRuns: 2000 },
    )
  })

  test('bounds hold exactly the rows that begin with the prefix and go on within them', () => {
    const bound = fc.option(part, { nil: undefined })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 2 }), fc.array(part, { maxLength: 2 }), row, fc.boolean(), bound, bound, (...drawn) => {
        const [prefix, rest, other, isContinuation, from, to] = drawn
        const candidate = isContinuation ? [...prefix, ...rest] : other
        const next = candidate[prefix.length]
        const isUnbounded = from === undefined && to === undefined
        const expected =
          compareRows(candidate.slice(0, prefix.length), prefix) === 0 &&
          (isUnbounded ||
            (next !== undefined &&
              (from === undefined || compareParts(next, from) >= 0) &&
              (to === undefined || compareParts(next, to) <= 0)))
        const { start, end } = boundsOf(prefix, from, to)
        const bytes = encodeRow(candidate)
        expect(Buffer.compare(bytes, start) >= 0 && Buffer.compare(bytes, end) < 0).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  test('-0 is 0, and a lone surrogate is what UTF-8 makes of it', () => {
    expect(encodeRow([-0])).toEqual(encodeRow([0]))
    expect(encodeRow(['a\ud800'])).toEqual(encodeRow(['a\ufffd']))
  })

  test('a row that the database could not hold is refused, one byte less is not', () => {
    expect(() => encodeRow(['x'.repeat(KEY_BYTES_MAX - 1)])).toThrow(`a key of ${KEY_BYTES_MAX + 1} bytes, at most ${KEY_BYTES_MAX}`)
    expect(encodeRow(['x'.repeat(KEY_BYTES_MAX - 2)])).toHaveLength(KEY_BYTES_MAX)
    expect(() => encodeRow([Number.NaN])).toThrow('finite')
  })

  test('never changes: stored data depends on it', () => {
    expect(hash53(encodeRow(['merchants-v1', 'm_1', 7, -2.5, 'a\0b', 'é😀']).toString('hex'))).toMatchInlineSnapshot(`5916764846307437`)
  })
})
