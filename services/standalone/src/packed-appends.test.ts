import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Append, packAppends, unpackAppends } from './packed-appends.ts'

const text = fc.string({ maxLength: 20, unit: 'grapheme' })
const headers = fc.record(
  { id: text, type: text, correlation: text, actor: text, expectedVersion: fc.nat(), trace: text },
  { requiredKeys: ['id', 'type'] },
)
const record = fc.record({ key: text, headers, value: fc.uint8Array({ maxLength: 40 }) })
const append: fc.Arbitrary<Append> = fc.tuple(fc.constantFrom('webhooks', 'costs', 'config'), fc.array(record, { maxLength: 4 }))

test('property: what was packed comes out as it went in, also when it has crossed to another thread', () => {
  fc.assert(
    fc.property(fc.array(append, { maxLength: 4 }), (appends) => {
      expect(unpackAppends(structuredClone(packAppends(appends)))).toEqual(appends)
    }),
  )
})

test('values are sent without the buffers that they are a part of', () => {
  const value = Buffer.alloc(8_192).subarray(0, 3)
  expect(packAppends([['webhooks', [{ key: 'm1', value, headers: { id: 'a', type: 't' } }]]]).values.buffer.byteLength).toBe(3)
})
