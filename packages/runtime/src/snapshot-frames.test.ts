import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { chunksOf, packParts, unpackParts } from './snapshot-frames.ts'

const parts = fc.array(fc.record({ merchantId: fc.string({ unit: 'grapheme' }), bytes: fc.uint8Array({ maxLength: 200 }) }))

describe('snapshot frames', () => {
  test('what was packed and cut into pieces of any size comes back', () => {
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 64 }), (given, size) => {
        const chunks = chunksOf(packParts(given), size)
        expect(chunks.every((chunk) => chunk.length > 0 && chunk.length <= size)).toBe(true)
        const read = unpackParts(Buffer.concat(chunks)).map(({ merchantId, bytes }) => ({ merchantId, bytes: [...bytes] }))
        expect(read).toEqual(given.map(({ merchantId, bytes }) => ({ merchantId, bytes: [...bytes] })))
      }),
    )
  })

  test('a cut-off snapshot is unreadable', () => {
    const packed = packParts([{ merchantId: 'm_1', bytes: new Uint8Array(10) }])
    for (let length = 1; length < packed.length; length++) {
      expect(() => unpackParts(packed.subarray(0, length))).toThrow(expect.objectContaining({ code: 'RECORD_UNREADABLE' }))
    }
  })
})
