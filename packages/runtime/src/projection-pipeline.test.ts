import { describe, expect, test } from '@jest/globals'
import type { DocumentKey, LogRecord, ReadStore } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { PROJECTOR_LIMITS, type ProjectorLimits } from './limits.ts'
import { createProgress } from './progress.ts'
import { createProjectionPipeline, type ProjectionPipeline } from './projection-pipeline.ts'
import { CHECKPOINTS_COLLECTION } from './stream-documents.ts'
import { systemTimers } from './timers.ts'
import type { TopicFold } from './topic-fold.ts'

const COLLECTION = 'counts-v1'
const CACHED_COUNT_MAX = 10

const record = (number: number): LogRecord => ({
  key: `m_${number}`,
  position: { partition: 0, offset: number },
  value: new Uint8Array([number]),
  headers: { id: `e_${number}`, type: 'Counted', correlation: 'r_1' },
})

const fold: TopicFold<string, 'counted'> = {
  restore: async () => new Map(),
  decode: (value) => `m_${value[0]}`,
  apply: () => 'counted',
  persist: async () => {},
}

const collections = [COLLECTION, CHECKPOINTS_COLLECTION].map((name) => ({ name, indexes: [] }))

const LIMITS: ProjectorLimits = {
  sliceCountMax: 5,
  dirtyCountMax: 1_000,
  cachedCountMax: CACHED_COUNT_MAX,
  cachedBytesMax: 1_000_000,
  flushDelayMs: 1,
  awaitedFlushDelayMs: 1,
  gatherMs: 0,
}

/** `documentCount`: documents that an event changes. */
const pipelineOver = (
  store: ReadStore,
  own = fold,
  name = COLLECTION,
  { limits, documentCount } = { limits: LIMITS, documentCount: 1 },
): ProjectionPipeline =>
  createProjectionPipeline<string, 'counted'>({
    topic: 'payments',
    store,
    fold: own,
    projections: [
      {
        name,
        keysOf: ({ event }) => Array.from({ length: documentCount }, (_, number) => (number === 0 ? [event] : [event, number])),
        initialView: () => ({ count: 0 }),
        project: ({ count }: { readonly count: number }) => ({ count: count + 1 }),
      },
    ],
    limits,
    timers: systemTimers,
    now: () => 1,
    progress: createProgress('payments', systemTimers),
    processed: createProgress('payments', systemTimers),
    signal: new AbortController().signal,
  })

describe('projection pipeline', () => {
  test('events that are delivered again change nothing, and do not fill the memory with their documents', async () => {
    const store = createMemoryStore({ collections })
    const records = Array.from({ length: 30 }, (_, number) => record(number))
    const first = pipelineOver(store)
    await first.process(records)
    await first.flush('now')

    const loaded: DocumentKey[] = []
    const getMany: ReadStore['getMany'] = async (collection, keys) => {
      loaded.push(...keys)
      return await store.getMany(collection, keys)
    }
    const again = pipelineOver({ ...store, getMany })
    await again.process(records)
    expect(loaded).toHaveLength(30)
    await again.process(records.slice(-CACHED_COUNT_MAX))
    expect(loaded).toHaveLength(30)
    await again.process(records.slice(0, 5))
    expect(loaded).toHaveLength(35)
  })

  test('documents that were stored before a crash are not loaded again, although the fold is repeated', async () => {
    const store = createMemoryStore({ collections })
    const first = pipelineOver(store)
    await first.process([record(1), record(2)])
    await first.flush('now')

    const loaded: DocumentKey[] = []
    const getMany: ReadStore['getMany'] = async (collection, keys) => {
      loaded.push(...keys)
      return await store.getMany(collection, keys)
    }
    const again = pipelineOver({ ...store, getMany })
    await again.restore()
    await again.process([record(1), record(2), record(3)])
    expect(loaded).toEqual([['m_3']])
  })

  test('figures of many merchants that take turns are stored once for several events of each, not once for every event', async () => {
    const store = createMemoryStore({ collections })
    let writtenCount = 0
    const write: ReadStore['write'] = async (writes) => {
      writtenCount += writes.length
      return await store.write(writes)
    }
    const [merchantCount, documentCount] = [200, 40]
    const pipeline = pipelineOver({ ...store, write }, fold, COLLECTION, { limits: PROJECTOR_LIMITS, documentCount })
    const turns = Array.from({ length: 5 * merchantCount }, (_, number) => ({
      ...record(number),
      value: new Uint8Array([number % merchantCount]),
    }))
    await pipeline.process(turns)
    await pipeline.flush('now')
    expect(await store.get(COLLECTION, ['m_7'])).toMatchObject({ body: { count: 5 } })
    expect(writtenCount).toBeLessThan(2 * merchantCount * documentCount)
  })

  test('large documents are stored before so many wait for it that they take the memory of all that are kept', async () => {
    const store = createMemoryStore({ collections })
    const records = Array.from({ length: 5 }, (_, number) => record(number))
    const text = 'x'.repeat(LIMITS.cachedBytesMax / 4)
    const large = records.map(({ key }) => ({
      collection: COLLECTION,
      key: [key],
      position: { partition: 0, offset: -1 },
      body: { count: 0, text },
    }))
    await store.write(large)
    const pipeline = pipelineOver(store)
    await pipeline.process(records)
    expect(pipeline.isFlushed()).toBe(true)
    expect(await store.get(COLLECTION, ['m_3'])).toMatchObject({ body: { count: 1 } })
  })

  test('large documents that are new waited for a write until as many were there as of small ones', async () => {
    const store = createMemoryStore({ collections })
    const pipeline = pipelineOver(store)
    const large = Array.from({ length: 3 }, (_, number) => ({
      ...record(number),
      value: new Uint8Array(LIMITS.cachedBytesMax / 4).fill(number),
    }))
    await pipeline.process(large.slice(0, 1))
    expect(pipeline.isFlushed()).toBe(false)
    await pipeline.process(large.slice(1))
    expect(pipeline.isFlushed()).toBe(true)
    expect(await store.get(COLLECTION, ['m_2'])).toMatchObject({ body: { count: 1 } })
  })

  test('other projections than those whose documents are stored see the log from its beginning', async () => {
    const store = createMemoryStore({ collections: [...collections, { name: 'sums-v1', indexes: [] }] })
    const restored: TopicFold<string, 'counted'> = { ...fold, restore: async (isWanted) => new Map(isWanted(0) ? [[0, 2]] : []) }
    const first = pipelineOver(store, restored)
    await first.process([record(1), record(2)])
    await first.flush('now')
    expect(await pipelineOver(store, restored).restore()).toEqual(new Map([[0, 2]]))
    expect(await pipelineOver(store, restored, 'sums-v1').restore()).toEqual(new Map())
  })
})
