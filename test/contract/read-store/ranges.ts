import { describe, expect } from '@jest/globals'
import type { DocumentKey, KeyPart, RangeQuery, ReadStore } from '@switchyard/kernel'
import { COLLECTIONS, type OpenedStore, payment, plain, type ReadStoreAdapter, storeTest, storeTestWith } from './adapter.ts'

const keysOf = async (store: ReadStore, query: Partial<RangeQuery>): Promise<readonly DocumentKey[]> => {
  const found = await store.range({ collection: 'plain-v1', prefix: [], order: 'ascending', limit: 100, ...query })
  return found.map(({ key }) => key)
}

export const describeRanges = <Opened extends OpenedStore>(adapter: ReadStoreAdapter<Opened>): void => {
  describe('ranges', () => {
    storeTest(adapter, 'go by numbers before strings, values, UTF-8 bytes, and shorter keys first', async ({ store }) => {
      const ordered = [
        [-1e300],
        [-2],
        [-1.5],
        [0],
        [0, 0],
        [1e-7],
        [1],
        [10],
        [''],
        ['', ''],
        ['\0'],
        ['A'],
        ['a'],
        ['a', -1],
        ['a', 'a'],
        ['a\0'],
        ['aa'],
        ['z'],
        ['é'],
        ['\uffff'],
        ['😀'],
      ]
      const mixed = ordered.map((key, index) => ({ key, index })).sort((a, b) => ((a.index * 7) % 21) - ((b.index * 7) % 21))
      await store.write(mixed.map(({ key }) => plain(key, 0, {})))
      expect(await keysOf(store, {})).toEqual(ordered)
      expect(await keysOf(store, { order: 'descending' })).toEqual(ordered.toReversed())
    })

    storeTest(adapter, 'keep to the prefix, the inclusive bounds, the offset and the limit, in both orders', async ({ store }) => {
      const keys = [['l', 9], ['m'], ...[1, 2, 3, 4, 5].map((n) => ['m', n]), ['m', 3, 'x'], ['m', 'text'], ['mm', 1], ['n', 1]]
      await store.write(keys.map((key) => plain(key, 0, {})))
      const prefix = ['m']
      const all = [['m'], ['m', 1], ['m', 2], ['m', 3], ['m', 3, 'x'], ['m', 4], ['m', 5], ['m', 'text']]
      expect(await keysOf(store, { prefix })).toEqual(all)
      expect(await keysOf(store, { prefix, order: 'descending' })).toEqual(all.toReversed())
      expect(await keysOf(store, { prefix, from: 2, to: 3 })).toEqual([
        ['m', 2],
        ['m', 3],
        ['m', 3, 'x'],
      ])
      expect(await keysOf(store, { prefix, from: 2, to: 3, order: 'descending' })).toEqual([
        ['m', 3, 'x'],
        ['m', 3],
        ['m', 2],
      ])
      expect(await keysOf(store, { prefix, from: 5 })).toEqual([
        ['m', 5],
        ['m', 'text'],
      ])
      expect(await keysOf(store, { prefix, to: 1 })).toEqual([['m', 1]])
      expect(await keysOf(store, { prefix, from: 'a' })).toEqual([['m', 'text']])
      expect(await keysOf(store, { prefix, from: 4, to: 2 })).toEqual([])
      expect(await keysOf(store, { prefix, offset: 2, limit: 2 })).toEqual([
        ['m', 2],
        ['m', 3],
      ])
      expect(await keysOf(store, { prefix, offset: 1, limit: 2, order: 'descending' })).toEqual([
        ['m', 5],
        ['m', 4],
      ])
      expect(await keysOf(store, { prefix, offset: 20 })).toEqual([])
      expect(await keysOf(store, { prefix, limit: 0 })).toEqual([])
      expect(await keysOf(store, { prefix: ['m', 3] })).toEqual([
        ['m', 3],
        ['m', 3, 'x'],
      ])
      expect(await keysOf(store, { prefix: ['nothing'] })).toEqual([])
    })

    storeTest(adapter, 'count only documents that are there', async ({ store }) => {
      await store.write([1, 2, 3, 4].map((n) => plain(['m', n], 0, {})))
      await store.write([plain(['m', 1], 1, null), plain(['m', 3], 1, null)])
      expect(await keysOf(store, { offset: 1, limit: 1 })).toEqual([['m', 4]])
      expect(await keysOf(store, { limit: 2, order: 'descending' })).toEqual([
        ['m', 4],
        ['m', 2],
      ])
    })
  })

  describe('indexes', () => {
    const byTime: Partial<RangeQuery> = { collection: 'payments-v1', index: 'by-time' }
    const byGateway: Partial<RangeQuery> = { collection: 'payments-v1', index: 'by-gateway' }

    storeTest(adapter, 'give another order; documents without the fields are left out', async ({ store }) => {
      await store.write([
        payment(['a'], 0, { at: 30, gateway: 'stripe' }),
        payment(['b'], 0, { at: 10, gateway: 'adyen' }),
        payment(['c'], 0, { at: 20 }),
        payment(['d'], 0, { gateway: 'adyen', at: null }),
        payment(['e'], 0, { at: 20, gateway: 'stripe', extra: [1] }),
      ])
      expect(await keysOf(store, byTime)).toEqual([['b'], ['c'], ['e'], ['a']])
      expect(await keysOf(store, { ...byTime, order: 'descending', offset: 1, limit: 2 })).toEqual([['e'], ['c']])
      expect(await keysOf(store, { ...byTime, from: 15, to: 20 })).toEqual([['c'], ['e']])
      expect(await keysOf(store, byGateway)).toEqual([['b'], ['e'], ['a']])
      expect(await keysOf(store, { ...byGateway, prefix: ['stripe'] })).toEqual([['e'], ['a']])
      expect(await keysOf(store, { ...byGateway, prefix: ['stripe'], from: 25, order: 'descending' })).toEqual([['a']])
      const [document] = await store.range({
        collection: 'payments-v1',
        index: 'by-gateway',
        prefix: ['adyen'],
        order: 'ascending',
        limit: 1,
      })
      expect(document).toEqual({ key: ['b'], position: { partition: 0, offset: 0 }, body: { at: 10, gateway: 'adyen' } })
    })

    storeTest(adapter, 'follow fields that change, go away and come, and documents that are removed', async ({ store }) => {
      await store.write([payment(['a'], 0, { at: 1, gateway: 'x' }), payment(['b'], 0, { at: 2, gateway: 'x' })])
      await store.write([payment(['a'], 1, { at: 3, gateway: 'x' })])
      expect(await keysOf(store, byTime)).toEqual([['b'], ['a']])
      await store.write([payment(['a'], 2, { gateway: 'x' })])
      expect(await keysOf(store, byTime)).toEqual([['b']])
      expect(await keysOf(store, byGateway)).toEqual([['b']])
      await store.write([payment(['a'], 3, { at: 'text', gateway: 'x' }), payment(['b'], 1, null)])
      expect(await keysOf(store, byTime)).toEqual([['a']])
      expect(await keysOf(store, byGateway)).toEqual([['a']])
      await store.write([payment(['a'], 2, { at: 9, gateway: 'older' })])
      expect(await keysOf(store, { ...byGateway, prefix: ['older'] })).toEqual([])
      await store.write([payment(['c'], 0, { at: 5, gateway: 'y' }), payment(['c'], 1, { at: 6, gateway: 'z' })])
      expect(await keysOf(store, { ...byGateway, prefix: ['y'] })).toEqual([])
      expect(await keysOf(store, { ...byGateway, prefix: ['z'] })).toEqual([['c']])
    })

    describe('over a list', () => {
      const withRequest = (id: KeyPart, query: Partial<RangeQuery> = {}): Partial<RangeQuery> => ({
        collection: 'payments-v1',
        index: 'by-request',
        prefix: ['m', id],
        ...query,
      })

      storeTest(adapter, 'find a document by each member, in the order of the fields behind it', async ({ store }) => {
        await store.write([
          payment(['a'], 0, { merchantId: 'm', requestIds: ['r1', 'r2', 'r1'], at: 20 }),
          payment(['b'], 0, { merchantId: 'm', requestIds: ['r2', 7, null, ['r3'], { r3: 'r3' }], at: 10 }),
          payment(['c'], 0, { merchantId: 'm', requestIds: 'r2', at: 30 }),
          payment(['d'], 0, { merchantId: 'm', requestIds: [], at: 40 }),
          payment(['e'], 0, { merchantId: 'm', at: 50 }),
          payment(['f'], 0, { merchantId: 'other', requestIds: ['r2'], at: 60 }),
          payment(['g'], 0, { merchantId: 'm', requestIds: ['zz', 'r2', 'a'], at: 5 }),
          payment(['h'], 0, { merchantId: 'm', requestIds: ['r2'] }),
        ])
        expect(await keysOf(store, withRequest('r1'))).toEqual([['a']])
        expect(await keysOf(store, withRequest('r2'))).toEqual([['g'], ['b'], ['a'], ['c']])
        expect(await keysOf(store, withRequest('r2', { order: 'descending', offset: 1, limit: 2 }))).toEqual([['a'], ['b']])
        expect(await keysOf(store, withRequest('r2', { from: 10, to: 20 }))).toEqual([['b'], ['a']])
        expect(await keysOf(store, withRequest('r2', { prefix: ['m', 'r2', 20] }))).toEqual([['a']])
        expect(await keysOf(store, withRequest(7))).toEqual([['b']])
        expect(await keysOf(store, withRequest('r3'))).toEqual([])
        expect(await keysOf(store, withRequest(''))).toEqual([])
      })

      storeTest(adapter, 'follow members that come and go, and documents that are removed', async ({ store }) => {
        await store.write([payment(['a'], 0, { merchantId: 'm', requestIds: ['r1', 'r2'], at: 1 })])
        await store.write([payment(['a'], 1, { merchantId: 'm', requestIds: ['r2', 'r3'], at: 2 })])
        const found = async (): Promise<readonly number[]> =>
          await Promise.all(['r1', 'r2', 'r3'].map(async (id) => (await keysOf(store, withRequest(id))).length))
        expect(await found()).toEqual([0, 1, 1])
        await store.write([payment(['a'], 0, { merchantId: 'm', requestIds: ['r1'], at: 3 })])
        expect(await found()).toEqual([0, 1, 1])
        await store.write([payment(['a'], 2, null)])
        expect(await found()).toEqual([0, 0, 0])
      })

      storeTest(adapter, 'find texts with the same UTF-8 as one', async ({ store }) => {
        await store.write([payment(['a'], 0, { merchantId: 'm', requestIds: ['x\ud800', 'x\ufffd'], at: 1 })])
        expect(await keysOf(store, withRequest('x\ufffd'))).toEqual([['a']])
        await store.write([payment(['a'], 1, { merchantId: 'm', requestIds: ['x\ufffd'], at: 1 })])
        expect(await keysOf(store, withRequest('x\udfff'))).toEqual([['a']])
      })

      storeTest(adapter, 'take no range that names no member', async ({ store }) => {
        await expect(keysOf(store, withRequest('', { prefix: ['m'] }))).rejects.toThrow('names a member')
      })
    })

    storeTestWith(adapter, adapter.reopen, 'declared anew are filled with what is there, dropped ones are gone', async (opened, reopen) => {
      await opened.store.write([plain(['a'], 0, { rank: 2, at: 1 }), plain(['b'], 0, { rank: 1, at: 2 }), plain(['c'], 0, { at: 3 })])
      await opened.store.write([plain(['c'], 1, null)])
      const byRank = { name: 'by-rank', fields: ['rank'] }
      const first = await reopen(opened, [{ name: 'plain-v1', indexes: [byRank] }])
      expect(await keysOf(first.store, { index: 'by-rank' })).toEqual([['b'], ['a']])
      const second = await reopen(first, [{ name: 'plain-v1', indexes: [{ ...byRank, fields: ['at'] }] }])
      expect(await keysOf(second.store, { index: 'by-rank', order: 'descending' })).toEqual([['b'], ['a']])
      await second.store.write([plain(['d'], 0, { rank: 3, at: [4, 5] })])
      const listed = await reopen(second, [{ name: 'plain-v1', indexes: [{ ...byRank, fields: ['at'], each: 'at' }] }])
      expect(await keysOf(listed.store, { index: 'by-rank', prefix: [5] })).toEqual([['d']])
      await listed.store.write([plain(['d'], 1, null)])
      const third = await reopen(listed, COLLECTIONS)
      try {
        await expect(keysOf(third.store, { index: 'by-rank' })).rejects.toThrow('no index')
        expect(await keysOf(third.store, {})).toEqual([['a'], ['b']])
      } finally {
        await third.dispose()
      }
    })
  })
}
