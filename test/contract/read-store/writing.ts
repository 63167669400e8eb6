import { describe, expect } from '@jest/globals'
import type { RangeQuery } from '@switchyard/kernel'
import { COLLECTIONS, type OpenedStore, plain, type ReadStoreAdapter, storeTest, storeTestWith } from './adapter.ts'

export const describeWriting = <Opened extends OpenedStore>(adapter: ReadStoreAdapter<Opened>): void => {
  describe('documents', () => {
    storeTest(adapter, 'are read as they were written', async ({ store }) => {
      const body = {
        name: 'ünï 😀',
        count: 1,
        ratio: -0.25,
        large: 2 ** 53 - 1,
        none: null,
        yes: true,
        list: [1, [2, { x: 'y' }]],
        nested: { '': {} },
      }
      expect(await store.write([plain(['m_1', 7], 3, body)])).toEqual(['applied'])
      expect(await store.get('plain-v1', ['m_1', 7])).toEqual({ key: ['m_1', 7], position: { partition: 0, offset: 3 }, body })
      expect(await store.get('plain-v1', ['m_1'])).toBeUndefined()
      expect(await store.get('payments-v1', ['m_1', 7])).toBeUndefined()
    })

    storeTest(adapter, 'keep bytes as bytes, and share them with nobody', async ({ store }) => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251)
      const expected = new Uint8Array(bytes)
      const body = { bytes, few: Uint8Array.of(1, 2, 3), empty: new Uint8Array(), list: [1] }
      const writing = store.write([plain(['m_1'], 0, body)])
      bytes.fill(0)
      await writing
      const first = await store.get<typeof body>('plain-v1', ['m_1'])
      const [second] = await store.range<typeof body>({ collection: 'plain-v1', prefix: [], order: 'ascending', limit: 1 })
      for (const document of [first, second]) {
        expect(Object.getPrototypeOf(document?.body.bytes)).toBe(Uint8Array.prototype)
        expect(document?.body.bytes).toEqual(expected)
        expect(document?.body.few).toEqual(Uint8Array.of(1, 2, 3))
        expect(document?.body.empty).toEqual(new Uint8Array())
        expect(document?.body.list).toEqual([1])
        document?.body.bytes.fill(9)
        document?.body.few.fill(9)
      }
      expect((await store.get<typeof body>('plain-v1', ['m_1']))?.body.bytes).toEqual(expected)
      expect((await store.get<typeof body>('plain-v1', ['m_1']))?.body.few).toEqual(Uint8Array.of(1, 2, 3))
    })

    storeTest(adapter, 'come in the order of the keys asked for, missing and repeated ones too', async ({ store }) => {
      await store.write(['a', 'b', 'c'].map((name, offset) => plain([name], offset, { name })))
      const found = await store.getMany<{ name: string }>('plain-v1', [['c'], ['x'], ['a'], ['c']])
      expect(found.map((document) => document?.body.name)).toEqual(['c', undefined, 'a', 'c'])
      expect(await store.getMany('plain-v1', [])).toEqual([])
    })

    storeTest(adapter, 'with keys that look alike are different', async ({ store }) => {
      const keys = [['1'], [1], ['a', 'b'], ['ab'], ['a\0b'], ['a', '', 'b'], [''], ['', ''], [-1], [-1.5], ['A'], ['a']]
      await store.write(keys.map((key, index) => plain(key, 0, { index })))
      const found = await store.getMany<{ index: number }>('plain-v1', keys)
      expect(found.map((document) => [document?.key, document?.body.index])).toEqual(keys.map((key, index) => [key, index]))
    })

    storeTest(
      adapter,
      'may have keys of 1,900 bytes; much longer ones are refused, and nothing of the batch is written',
      async ({ store }) => {
        const key = ['k'.repeat(900), 'ü'.repeat(500)]
        await store.write([plain(key, 0, { kept: true })])
        expect((await store.get('plain-v1', key))?.key).toEqual(key)
        const tooLong = [plain(['fits'], 0, {}), plain(['k'.repeat(2_000)], 0, {})]
        await expect(store.write(tooLong)).rejects.toThrow(/at most 1978/)
        expect(await store.get('plain-v1', ['fits'])).toBeUndefined()
      },
    )

    storeTest(adapter, 'with keys longer than any that can be stored are found nowhere', async ({ store }) => {
      const long = 'k'.repeat(2_000)
      await store.write([plain(['k'], 0, { kept: true }), plain(['k', 'k'], 1, { kept: true }), plain(['l'], 2, { kept: true })])
      expect(await store.get('plain-v1', [long])).toBeUndefined()
      const several = await store.getMany<{ kept: boolean }>('plain-v1', [['k'], ['k', long], ['l']])
      expect(several.map((document) => document?.key)).toEqual([['k'], undefined, ['l']])
      const keysIn = async (range: Pick<RangeQuery, 'prefix' | 'from' | 'to'>, order: RangeQuery['order']) =>
        (await store.range({ collection: 'plain-v1', order, limit: 9, ...range })).map(({ key }) => key)
      for (const order of ['ascending', 'descending'] as const) {
        expect(await keysIn({ prefix: [long] }, order)).toEqual([])
        expect(await keysIn({ prefix: ['k', long], from: 'a', to: long }, order)).toEqual([])
        expect(await keysIn({ prefix: [], from: long }, order)).toEqual([['l']])
        expect(new Set(await keysIn({ prefix: [], to: long }, order))).toEqual(new Set([['k'], ['k', 'k']]))
      }
    })

    storeTest(adapter, 'of a collection that was not declared are refused', async ({ store }) => {
      await expect(store.get('other-v1', ['a'])).rejects.toThrow('not declared')
      await expect(store.write([{ ...plain(['a'], 0, {}), collection: 'other-v1' }])).rejects.toThrow('not declared')
      await expect(store.range({ collection: 'plain-v1', index: 'by-time', prefix: [], order: 'ascending', limit: 1 })).rejects.toThrow(
        'no index',
      )
    })
  })

  describe('writes', () => {
    storeTest(adapter, 'change nothing when the document includes the event already', async ({ store }) => {
      await store.write([plain(['a'], 5, { n: 5 })])
      expect(await store.write([plain(['a'], 4, { n: 4 }), plain(['a'], 5, { n: 55 }), plain(['b'], 1, { n: 1 })])).toEqual([
        'older',
        'older',
        'applied',
      ])
      expect((await store.get('plain-v1', ['a']))?.body).toEqual({ n: 5 })
      expect(await store.write([plain(['a'], 6, { n: 6 })])).toEqual(['applied'])
      expect(await store.get('plain-v1', ['a'])).toEqual({ key: ['a'], position: { partition: 0, offset: 6 }, body: { n: 6 } })
    })

    storeTest(adapter, 'of another partition have no order with what is stored, and apply', async ({ store }) => {
      await store.write([plain(['a'], 5, { n: 5 })])
      expect(await store.write([{ ...plain(['a'], 0, { n: 0 }), position: { partition: 1, offset: 0 } }])).toEqual(['applied'])
      expect((await store.get('plain-v1', ['a']))?.position).toEqual({ partition: 1, offset: 0 })
    })

    storeTest(adapter, 'to one key in one batch apply one after the other', async ({ store }) => {
      const batch = [
        plain(['a'], 1, { n: 1 }),
        plain(['a'], 3, { n: 3 }),
        plain(['a'], 2, { n: 2 }),
        plain(['a'], 4, null),
        plain(['a'], 4, { n: 4 }),
      ]
      expect(await store.write(batch)).toEqual(['applied', 'applied', 'older', 'applied', 'older'])
      expect(await store.get('plain-v1', ['a'])).toBeUndefined()
      expect(await store.write([plain(['a'], 5, { n: 5 })])).toEqual(['applied'])
      expect((await store.get('plain-v1', ['a']))?.body).toEqual({ n: 5 })
      expect(await store.write([])).toEqual([])
    })

    storeTest(adapter, 'that remove leave behind what refuses older writes', async ({ store }) => {
      await store.write([plain(['a'], 1, { n: 1 }), plain(['b'], 1, { n: 1 })])
      expect(await store.write([plain(['a'], 3, null), plain(['never'], 3, null)])).toEqual(['applied', 'applied'])
      expect(await store.getMany('plain-v1', [['a'], ['never']])).toEqual([undefined, undefined])
      const all = await store.range({ collection: 'plain-v1', prefix: [], order: 'ascending', limit: 10 })
      expect(all.map(({ key }) => key)).toEqual([['b']])
      expect(await store.write([plain(['a'], 2, { n: 2 }), plain(['never'], 3, { n: 3 })])).toEqual(['older', 'older'])
      expect(await store.get('plain-v1', ['a'])).toBeUndefined()
      expect(await store.write([plain(['a'], 4, { n: 4 })])).toEqual(['applied'])
      expect((await store.get('plain-v1', ['a']))?.body).toEqual({ n: 4 })
    })

    storeTest(adapter, 'of two writers at the same time never take a document back', async ({ store, openAnother }) => {
      const handles = [store, await openAnother()]
      const keys = ['a', 'b', 'c', 'd']
      const offsets = Array.from({ length: 60 }, (_, n) => (n * 37) % 60)
      const calls = offsets.flatMap((offset) =>
        keys.map(async (key) => await handles[(offset + key.length) % 2]?.write([plain([key], offset, { offset })])),
      )
      await Promise.all(calls)
      for (const handle of handles) {
        const found = await handle.getMany<{ offset: number }>(
          'plain-v1',
          keys.map((key) => [key]),
        )
        expect(found.map((document) => [document?.position.offset, document?.body.offset])).toEqual(keys.map(() => [59, 59]))
      }
    })

    storeTest(adapter, 'are seen by every handle when they are acknowledged', async ({ store, openAnother }) => {
      const other = await openAnother()
      for (let offset = 0; offset < 20; offset++) {
        await store.write([plain(['a'], offset, { offset })])
        expect((await other.get('plain-v1', ['a']))?.body).toEqual({ offset })
      }
    })

    storeTestWith(adapter, adapter.reopen, 'are there when the store is opened again, removals too', async (opened, reopen) => {
      await opened.store.write([plain(['a'], 1, { n: 1 }), plain(['b'], 2, null)])
      const again = await reopen(opened, COLLECTIONS)
      try {
        expect((await again.store.get('plain-v1', ['a']))?.body).toEqual({ n: 1 })
        expect(await again.store.write([plain(['a'], 1, { n: 9 }), plain(['b'], 2, { n: 9 })])).toEqual(['older', 'older'])
      } finally {
        await again.dispose()
      }
    })

    storeTest(adapter, 'called before closing are done, later calls end with STORE_CLOSED', async ({ store }) => {
      const writing = store.write([plain(['a'], 1, {})])
      await store.close()
      await store.close()
      expect(await writing).toEqual(['applied'])
      const closed = { code: 'STORE_CLOSED', retryable: false }
      await expect(store.get('plain-v1', ['a'])).rejects.toMatchObject(closed)
      await expect(store.getMany('plain-v1', [['a']])).rejects.toMatchObject(closed)
      await expect(store.range({ collection: 'plain-v1', prefix: [], order: 'ascending', limit: 1 })).rejects.toMatchObject(closed)
      await expect(store.write([plain(['a'], 2, {})])).rejects.toMatchObject(closed)
    })
  })
}
