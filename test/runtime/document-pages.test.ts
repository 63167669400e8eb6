import { expect, test } from '@jest/globals'
import { generationName, type KeyPart } from '@switchyard/kernel'
import { documentPages } from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'
import fc from 'fast-check'

const part: fc.Arbitrary<KeyPart> = fc.oneof(
  fc.constantFrom('', 'a', 'a\0', 'b', 'ü', '😀'),
  fc.constantFrom(0, -1, 1, 1.5, -1.5, Number.MIN_VALUE, -Number.MIN_VALUE, 1e300),
)

test('pages give every document once, in order, however keys look', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(part, part, fc.nat(40)), { maxLength: 1_500, size: 'max' }), async (keys) => {
      const store = createMemoryStore({ collections: [{ name: 'c', indexes: [] }] })
      const collection = generationName('c', 2)
      await store.write(keys.map((key) => ({ collection, key, position: { partition: 0, offset: 0 }, body: {} })))
      const all = await store.range({ collection, prefix: [], order: 'ascending', limit: 10_000 })
      const seen: unknown[] = []
      for await (const page of documentPages(store, collection)) seen.push(...page)
      expect(seen).toEqual(all)
      const beginning = keys[0]?.slice(0, 1) ?? ['a']
      const own: unknown[] = []
      for await (const page of documentPages(store, collection, beginning)) own.push(...page)
      expect(own).toEqual(await store.range({ collection, prefix: beginning, order: 'ascending', limit: 10_000 }))
    }),
    { numRuns: 10 },
  )
})
