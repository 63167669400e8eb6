import { describe, expect } from '@jest/globals'
import { generationName } from '@switchyard/kernel'
import { COLLECTIONS, type OpenedStore, payment, type ReadStoreAdapter, storeTest, storeTestWith } from './adapter.ts'

const second = generationName('payments-v1', 2)
const byTime = { index: 'by-time', prefix: [], order: 'ascending', limit: 10 } as const

export const describeGenerations = <Opened extends OpenedStore>(adapter: ReadStoreAdapter<Opened>): void => {
  describe('generations', () => {
    storeTest(adapter, 'of a collection stand beside each other, with the same indexes', async ({ store, openAnother }) => {
      await store.write([payment(['a'], 9, { at: 2 }), payment(['b'], 9, { at: 1 })])
      const anew = [payment(['a'], 3, { at: 5 }), payment(['c'], 3, { at: 4 })].map((write) => ({ ...write, collection: second }))
      expect(await store.write(anew)).toEqual(['applied', 'applied'])
      for (const reader of [store, await openAnother()]) {
        expect((await reader.range({ ...byTime, collection: 'payments-v1' })).map(({ key }) => key[0])).toEqual(['b', 'a'])
        expect((await reader.range({ ...byTime, collection: second })).map(({ key }) => key[0])).toEqual(['c', 'a'])
        expect(await reader.get(second, ['b'])).toBeUndefined()
      }
    })

    storeTest(adapter, 'that are dropped leave nothing behind, not even positions, and the others as they are', async ({ store }) => {
      const many = Array.from({ length: 2_500 }, (_, at) => ({ ...payment([`p_${at}`], 7, { at }), collection: second }))
      await store.write([payment(['a'], 7, { at: 1 })])
      for (let i = 0; i < many.length; i += 500) await store.write(many.slice(i, i + 500))
      await store.drop(second)
      await store.drop(second)
      expect(await store.range({ ...byTime, collection: second })).toEqual([])
      expect(await store.range({ collection: second, prefix: [], order: 'ascending', limit: 1 })).toEqual([])
      expect(await store.range({ ...byTime, collection: 'payments-v1' })).toHaveLength(1)
      expect(await store.write([{ ...payment(['p_1'], 0, { at: 3 }), collection: second }])).toEqual(['applied'])
      expect(await store.range({ ...byTime, collection: second })).toHaveLength(1)
    })

    storeTest(adapter, 'of what was not declared are refused', async ({ store }) => {
      await expect(store.get('other-v1@2', ['a'])).rejects.toThrow('other-v1@2')
    })

    storeTestWith(adapter, adapter.reopen, 'get the indexes of the release that writes them', async (opened, reopen) => {
      await opened.store.write([{ ...payment(['a'], 1, { at: 1, amount: 5 }), collection: second }])
      const declared = COLLECTIONS.map(({ name, indexes }) => ({ name, indexes: [...indexes, { name: 'by-amount', fields: ['amount'] }] }))
      const { store, dispose } = await reopen(opened, declared)
      await store.write([{ ...payment(['b'], 2, { at: 2, amount: 3 }), collection: second }])
      const found = await store.range({ collection: second, index: 'by-amount', prefix: [], order: 'ascending', limit: 10 })
      expect(found.map(({ key }) => key[0])).toEqual(['b', 'a'])
      await dispose()
    })
  })
}
