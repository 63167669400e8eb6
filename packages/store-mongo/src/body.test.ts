import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { BSON } from 'mongodb'
import { givenBody, storedBody, storedName } from './body.ts'

const name = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('$', '.', '%', '\0', 'a', '2', 'e', '_id', '__proto__', '$ref') }))
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.constant(null), fc.boolean(), fc.integer(), fc.string(), tie('list'), tie('fields')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  fields: fc.dictionary(name, tie('value'), { maxKeys: 3 }),
}))

describe('stored bodies', () => {
  test('come back as they were, whatever their names', () => {
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (body) => {
        const bytes = BSON.serialize(storedBody(body))
        expect(givenBody(BSON.deserialize(bytes))).toEqual(body)
      }),
      { numRuns: 1000 },
    )
  })

  test('have no name that means something to MongoDB', () => {
    fc.assert(
      fc.property(name, (any) => {
        // oxlint-disable-next-line no-control-regex -- MongoDB takes no NUL in a name
        expect(storedName(any)).not.toMatch(/^$|^\$|[.\0]/)
      }),
    )
    expect(['gateway', '$ref', 'a.b', '', '%'].map(storedName)).toEqual(['gateway', '%24ref', 'a%2eb', '%', '%25'])
  })

  test('share no bytes with what was handed over', () => {
    const bytes = Buffer.from('abc')
    const stored = storedBody({ bytes }) as { readonly bytes: Uint8Array }
    bytes.fill(0)
    expect(stored.bytes).toEqual(Uint8Array.from(Buffer.from('abc')))
  })
})
