import { describe, expect, test } from '@jest/globals'
import type { KeyPart } from '@switchyard/kernel'
import fc from 'fast-check'
import { boundsOf, encodeKey } from './key-order.ts'

const compareParts = (a: KeyPart, b: KeyPart): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number') return -1
  return typeof b === 'number' ? 1 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const compareKeys = (a: readonly KeyPart[], b: readonly KeyPart[]): number => {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareParts(a[i] ?? 0, b[i] ?? 0)
    if (order !== 0) return order
  }
  return a.length - b.length
}

const part: fc.Arbitrary<KeyPart> = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.string({ unit: fc.constantFrom('\0', '\x01', '\x02', '\x03', '0', '3', 'a', '\u07ff', '\uffff', '😀', '\x7f', '\x80'), maxLength: 8 }),
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const key = fc.array(part, { minLength: 1, maxLength: 4 })
const inMongo = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

describe('encoded keys', () => {
  test('have the order of the keys, compared by bytes as MongoDB does', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        expect(Math.sign(inMongo(encodeKey(a), encodeKey(b)))).toBe(Math.sign(compareKeys(a, b)))
      }),
      { numRuns: 2000 },
    )
  })

  test('have the same order compared by units of UTF-16, and no NUL', () => {
    fc.assert(
      fc.property(key, key, (a, b) => {
        const [x, y] = [encodeKey(a), encodeKey(b)]
        expect(x < y ? -1 : x > y ? 1 : 0).toBe(Math.sign(inMongo(x, y)))
        expect(x).not.toContain('\0')
      }),
      { numRuns: 2000 },
    )
  })

  test('bounds hold exactly the keys that begin with the prefix and go on within them', () => {
    const bound = fc.option(part, { nil: undefined })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 2 }), fc.array(part, { maxLength: 2 }), key, fc.boolean(), bound, bound, (...drawn) => {
        const [prefix, rest, other, isContinuation, from, to] = drawn
        const candidate = isContinuation ? [...prefix, ...rest] : other
        const next = candidate[prefix.length]
        const isUnbounded = from === undefined && to === undefined
        const expected =
          compareKeys(candidate.slice(0, prefix.length), prefix) === 0 &&
          (isUnbounded ||
            (next !== undefined &&
              (from === undefined || compareParts(next, from) >= 0) &&
              (to === undefined || compareParts(next, to) <= 0)))
        const { start, end } = boundsOf(prefix, from, to)
        const encoded = encodeKey(candidate)
        expect(inMongo(encoded, start) >= 0 && inMongo(encoded, end) < 0).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  test('-0 is 0, a lone surrogate is what UTF-8 makes of it, and a number is finite', () => {
    expect(encodeKey([-0])).toBe(encodeKey([0]))
    expect(encodeKey(['a\ud800'])).toBe(encodeKey(['a\ufffd']))
    expect(() => encodeKey([Number.NaN])).toThrow('finite')
  })

  test('never change: stored data depends on them', () => {
    expect(encodeKey(['merchants-v1', 7, -2.5, 'a\0b', 'é'])).toBe(
      '2merchants-v1\x01' + '1c01c000000000000' + '13ffbffffffffffff' + '2a\x020b\x01' + '2Ã©\x01',
    )
  })
})
