import { describe, expect, test } from '@jest/globals'
import { type DocumentKey, foldedInPlace, type Position } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import type { ProjectionOf } from './cached-document.ts'
import { createDocumentCache } from './document-cache.ts'

interface Tally {
  readonly counts: readonly number[]
}

interface Counted {
  readonly position: Position
  readonly bytes: number
  readonly keys: readonly DocumentKey[]
}

const tallies = foldedInPlace<Tally, { counts: number[] }, Counted>({
  name: 'tallies-v1',
  keysOf: ({ keys }) => keys,
  initialView: () => ({ counts: [] }),
  copyOf: ({ counts }) => ({ counts: [...counts] }),
  change: (draft, { position }) => {
    draft.counts.push(position.offset)
    return draft
  },
})

const at = (offset: number, ...keys: readonly DocumentKey[]): Counted => ({ position: { partition: 0, offset }, bytes: 10, keys })

const LARGE_BYTES = 10_000

const texts = {
  name: 'texts-v1',
  keysOf: ({ keys }: Counted) => keys,
  initialView: () => ({ text: '' }),
  project: (view: { readonly text: string }, { bytes }: Counted) => ({ text: view.text + 'x'.repeat(bytes) }),
}

const newCache = (projections: readonly ProjectionOf<Counted>[] = [tallies]) => {
  const store = createMemoryStore({ collections: projections.map(({ name }) => ({ name, indexes: [] })) })
  const cache = createDocumentCache<Counted>({ store, projections, cachedCountMax: 100, cachedBytesMax: LARGE_BYTES * 10 })
  const project = async (...inputs: readonly Counted[]): Promise<void> => {
    await cache.load(inputs)
    for (const input of inputs) cache.project(input)
  }
  const write = async (): Promise<void> => {
    const writes = cache.takeWrites()
    cache.settle(writes, await store.write(writes))
  }
  return { cache, project, write }
}

const KEY: DocumentKey = ['m', 1]

test('what was taken to be written stays as it is when the document goes on', async () => {
  const { cache, project } = newCache()
  await project(at(1, KEY))
  const [taken] = cache.takeWrites()
  await project(at(2, KEY))
  expect(taken).toEqual({ collection: tallies.name, key: KEY, position: { partition: 0, offset: 1 }, body: { counts: [1] } })
  expect(cache.takeWrites()).toMatchObject([{ body: { counts: [1, 2] } }])
})

test('a view that was shown stays as it is', async () => {
  const { cache, project } = newCache()
  await project(at(1, KEY))
  const [shown, atHand] = [await cache.view(tallies, KEY), cache.atHand(tallies, KEY)]
  await project(at(2, KEY))
  expect([shown, atHand]).toEqual([{ counts: [1] }, { counts: [1] }])
  expect(cache.atHand(tallies, KEY)).toEqual({ counts: [1, 2] })
})

test('an event that a document includes does not change it again', async () => {
  const { cache, project, write } = newCache()
  await project(at(1, KEY), at(2, KEY))
  await write()
  await project(at(1, KEY), at(2, KEY), at(3, KEY))
  expect(cache.atHand(tallies, KEY)).toEqual({ counts: [1, 2, 3] })
})

test('keys that begin alike, of projections that are alike, have documents of their own', async () => {
  const others = { ...tallies, name: 'others-v1', keysOf: ({ keys }: Counted) => keys.slice(1) }
  const { cache, project } = newCache([tallies, others])
  const keys: readonly DocumentKey[] = [['m', 1], ['m', 2], ['m'], ['m', '1'], ['m', 1, 1], ['n', 1]]
  await project(at(1, ...keys), at(2, ['m', 1]), at(3, ['m', 2], ['m', 1]))
  expect(keys.map((key) => cache.atHand(tallies, key)?.counts)).toEqual([[1, 2, 3], [1, 3], [1], [1], [1], [1]])
  expect(keys.map((key) => cache.atHand(others, key)?.counts)).toEqual([[3], [1], [1], [1], [1], [1]])
})

describe('a cache of large documents', () => {
  const keys = Array.from({ length: 50 }, (_, number): DocumentKey => ['m', number])
  const large = (key: DocumentKey): Counted => ({ ...at(1, key), bytes: LARGE_BYTES })

  test('was bounded by their number alone, and twenty thousand of the largest decisions took a gigabyte', async () => {
    const { cache, project, write } = newCache([texts])
    const countAtHand = (): number => keys.filter((key) => cache.atHand(texts, key) !== undefined).length
    for (const key of keys) {
      await project(large(key))
      await write()
    }
    expect(countAtHand()).toBeLessThanOrEqual(10)
    expect(countAtHand()).toBeGreaterThan(2)
    // The same of those that are read from the store.
    for (const key of keys) {
      await project(large(key))
      cache.evict()
    }
    expect(countAtHand()).toBeLessThanOrEqual(10)
  })

  test('keeps what is changed and not written, however large', async () => {
    const { cache, project, write } = newCache([texts])
    for (const key of keys) {
      await project(large(key))
      cache.evict()
    }
    expect(cache.dirtyCount()).toBe(50)
    await project(...keys.map((key) => ({ ...at(2, key), bytes: LARGE_BYTES })))
    await write()
    for (const key of keys) expect(await cache.view(texts, key)).toEqual({ text: 'x'.repeat(2 * LARGE_BYTES) })
  })

  test('sees a document grow by many small events', async () => {
    const { cache, project, write } = newCache([texts])
    const grow = async (growing: readonly DocumentKey[]): Promise<void> => {
      for (let offset = 1; offset <= 100; offset++) await project({ ...at(offset, ...growing), bytes: LARGE_BYTES / 100 })
      await write()
    }
    await grow(keys.slice(0, 20))
    await grow(keys.slice(20, 40))
    expect(keys.slice(0, 20).filter((key) => cache.atHand(texts, key) !== undefined)).toEqual([])
  })
})
