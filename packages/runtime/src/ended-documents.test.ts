import { describe, expect, test } from '@jest/globals'
import type { LogRecord, ReadStore } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { createProgress } from './progress.ts'
import { createProjectionPipeline } from './projection-pipeline.ts'
import { CHECKPOINTS_COLLECTION } from './stream-documents.ts'
import { systemTimers } from './timers.ts'
import type { TopicFold } from './topic-fold.ts'

const COLLECTION = 'things-v1'
const collections = [COLLECTION, CHECKPOINTS_COLLECTION].map((name) => ({ name, indexes: [] }))
/** `m_1 thing` puts a thing into a document, `m_1 !` ends everything of the merchant. */
type Said = readonly [merchantId: string, thing: string]

const fold: TopicFold<Said, 'said'> = {
  restore: async () => new Map(),
  decode: (value) => {
    const [merchantId = '', thing = ''] = Buffer.from(value).toString().split(' ')
    return [merchantId, thing]
  },
  apply: () => 'said',
  persist: async () => {},
}

const recordsOf = (...said: readonly string[]): readonly LogRecord[] =>
  said.map((text, offset) => ({
    key: 'm',
    position: { partition: 0, offset },
    value: new Uint8Array(Buffer.from(text)),
    headers: { id: `e_${offset}`, type: 'Said', correlation: 'r' },
  }))

const pipelineOver = (store: ReadStore, sliceCountMax = 1_000) =>
  createProjectionPipeline<Said, 'said'>({
    topic: 'payments',
    store,
    fold,
    projections: [
      {
        name: COLLECTION,
        keysOf: ({ event }) => [event],
        endedBy: ({ event: [merchantId, thing] }) => (thing === '!' ? [merchantId] : undefined),
        initialView: () => ({ count: 0 }),
        project: ({ count }: { readonly count: number }) => ({ count: count + 1 }),
      },
    ],
    limits: {
      sliceCountMax,
      dirtyCountMax: 1_000,
      cachedCountMax: 10,
      cachedBytesMax: 1_000_000,
      flushDelayMs: 1,
      awaitedFlushDelayMs: 1,
      gatherMs: 0,
    },
    timers: systemTimers,
    now: () => 1,
    progress: createProgress('payments', systemTimers),
    processed: createProgress('payments', systemTimers),
    signal: new AbortController().signal,
  })

const storedIn = async (store: ReadStore): Promise<readonly string[]> => {
  const query = { collection: COLLECTION, prefix: [], order: 'ascending', limit: 1_000 } as const
  return (await store.range<{ readonly count: number }>(query)).map(({ key, body }) => `${key.join(' ')}: ${body.count}`)
}

describe('documents that end', () => {
  test.each([1, 2, 1_000])('are gone, others stay, and what comes later begins anew (slices of %i)', async (sliceCountMax) => {
    const store = createMemoryStore({ collections })
    const pipeline = pipelineOver(store, sliceCountMax)
    await pipeline.process(recordsOf('m_1 a', 'm_1 a', 'm_1 b', 'm_10 a', 'm_1 !', 'm_1 a', 'm_2 a'))
    await pipeline.flush('now')
    expect(await storedIn(store)).toEqual(['m_1 a: 1', 'm_10 a: 1', 'm_2 a: 1'])
  })

  test('however many there are', async () => {
    const store = createMemoryStore({ collections })
    const pipeline = pipelineOver(store)
    const many = Array.from({ length: 2_500 }, (_, i) => `m_1 t${i}`)
    await pipeline.process(recordsOf(...many, 'm_2 a', 'm_1 !'))
    await pipeline.flush('now')
    expect(await storedIn(store)).toEqual(['m_2 a: 1'])
  })

  test('each page was looked for from the first document on: what was left of those removed before was read again with it', async () => {
    const store = createMemoryStore({ collections })
    const froms: unknown[] = []
    const pipeline = pipelineOver({
      ...store,
      range: (query) => {
        if (query.collection === COLLECTION) froms.push(query.from)
        return store.range(query)
      },
    })
    const many = Array.from({ length: 1_200 }, (_, i) => `m_1 t${String(i).padStart(4, '0')}`)
    await pipeline.process(recordsOf(...many, 'm_1 !'))
    expect(froms).toEqual([undefined, 't0499\0', 't0999\0'])
  })

  test('what came later outlives an end that is delivered again', async () => {
    const store = createMemoryStore({ collections })
    const records = recordsOf('m_1 a', 'm_1 b', 'm_1 !', 'm_1 a', 'm_1 c')
    const first = pipelineOver(store)
    await first.process(records)
    await first.flush('now')
    const again = pipelineOver(store)
    await again.process(records)
    await again.flush('now')
    expect(await storedIn(store)).toEqual(['m_1 a: 1', 'm_1 c: 1'])
  })
})
