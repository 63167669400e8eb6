import { expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import type { LogRecord, ReadStore } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { SNAPSHOTS_COLLECTION } from './payment-snapshots.ts'
import { createPaymentTopicFold } from './payment-topic-fold.ts'
import { systemTimers } from './timers.ts'
import type { PersistWhen } from './topic-fold.ts'

const EVENT_COUNT_MAX = 3
const SAVE_MS = 1_000

/** A fold whose snapshots take a second each, and how far the last one reaches. */
const stage = () => {
  const store = createMemoryStore({ collections: [{ name: SNAPSHOTS_COLLECTION, indexes: [] }] })
  let nowMs = 0
  const write: ReadStore['write'] = async (writes) => {
    nowMs += SAVE_MS
    return await store.write(writes)
  }
  const fold = createPaymentTopicFold<never>({
    store: { ...store, write },
    codec: createEventCodec(publishedSchemaIds(), { strict: true }),
    fold: { apply: () => [], merchantIds: () => [], exportMerchant: () => new Uint8Array(), importMerchant: () => {} },
    limits: { eventCountMax: EVENT_COUNT_MAX, intervalMs: 60_000 },
    timers: { ...systemTimers, now: () => nowMs },
  })
  let offset = -1
  const applied = (count: number): void => {
    for (let i = 0; i < count; i++) {
      offset += 1
      const record: LogRecord = {
        key: 'm_1',
        position: { partition: 0, offset },
        value: new Uint8Array(),
        headers: { id: `e_${offset}`, type: '' },
      }
      fold.apply(record, { type: 'PaymentsSettled' } as never)
    }
  }
  const storedUpTo = async (when: PersistWhen): Promise<number | undefined> => {
    await fold.persist(new Map([[0, offset]]), when)
    return (await store.get(SNAPSHOTS_COLLECTION, ['head', 0]))?.position.offset
  }
  return { applied, storedUpTo }
}

test('a snapshot that is put off, because the last one took long, is stored at the end of the log', async () => {
  const { applied, storedUpTo } = stage()
  applied(EVENT_COUNT_MAX)
  expect(await storedUpTo('if-due')).toBe(2)
  applied(EVENT_COUNT_MAX)
  expect(await storedUpTo('if-due')).toBe(2)
  expect(await storedUpTo('caught-up')).toBe(5)
})

test('at the end of the log few events wait for more; before the process ends they do not', async () => {
  const { applied, storedUpTo } = stage()
  applied(EVENT_COUNT_MAX - 1)
  expect(await storedUpTo('caught-up')).toBeUndefined()
  expect(await storedUpTo('now')).toBe(1)
})
