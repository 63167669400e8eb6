import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { BSON } from 'mongodb'
import { documentBytes } from './document-size.ts'

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(null, undefined, true, '😀', 'é', '\u07ff', '\uffff'),
    fc.double(),
    fc.string({ unit: 'grapheme' }),
    fc.uint8Array(),
    fc.array(tie('value'), { maxLength: 12 }),
    fc.dictionary(fc.string({ unit: 'grapheme' }), tie('value'), { maxKeys: 4 }),
  ),
}))
const document = fc.dictionary(fc.string({ minLength: 1 }), value)
const exact = (of: object): number => BSON.calculateObjectSize(of, { ignoreUndefined: true })

describe('the size of a document', () => {
  test('is never told too small', () => {
    fc.assert(
      fc.property(document, (drawn) => {
        expect(documentBytes(drawn, Number.MAX_SAFE_INTEGER)).toBeGreaterThanOrEqual(exact(drawn))
      }),
      { numRuns: 1000 },
    )
  })

  test('is exact when it could be too large', () => {
    fc.assert(
      fc.property(document, (drawn) => {
        expect(documentBytes(drawn, 0)).toBe(exact(drawn))
      }),
    )
  })
})
