import { expect, test } from '@jest/globals'
import { domainCollections } from '@switchyard/composition'
import { publishedSchemaIds } from '@switchyard/events'
import type { ReadStore, SchemaIds } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { changeGenerations, DEAD_LETTERS_COLLECTION, inGeneration, readGenerations } from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'
import { paymentRecords, project } from '../../../test/operator/stored-payments.ts'
import { READ_MODELS } from './read-models.ts'
import { rebuild } from './rebuild.ts'

const console = { print: async () => {}, note: () => {}, progress: () => {} }
const collection = 'cost-ingestions-v1'

const documentsOfCurrent = async (store: ReadStore): Promise<number> => {
  const { current } = await readGenerations(store, 'costs')
  const own = inGeneration(store, () => current)
  return (await own.range({ collection, prefix: [], order: 'ascending', limit: 10 })).length
}

test('a rebuild that begins anew does not drop what somebody else goes over to meanwhile', async () => {
  const memory = createMemoryStore({ collections: domainCollections })
  await changeGenerations(memory, 'costs', () => ({ current: 1, building: 2, stored: [1, 2] }))
  const ofAnother = inGeneration(memory, () => 2)
  await ofAnother.write([{ collection, key: ['m_1', 'i_1'], position: { partition: 0, offset: 0 }, body: {} }])

  /** The other one comes to its end just now. */
  const swapOfAnother = async (): Promise<void> => {
    await changeGenerations(memory, 'costs', (known) => {
      if (known.building !== 2) throw new Error('overtaken')
      return { current: 2, building: null, stored: known.stored }
    })
  }
  let swapped: Promise<boolean> | undefined
  const store: ReadStore = {
    ...memory,
    drop: async (name) => {
      swapped ??= swapOfAnother().then(
        () => true,
        () => false,
      )
      await swapped
      await memory.drop(name)
    },
  }
  const log = createMemoryLog({ partitionCount: 1 })
  const engines = { log, schemaIds: publishedSchemaIds(), learn: async () => {}, store }
  await rebuild(READ_MODELS.costs, { ...engines, console, now: Date.now }, true).catch(() => {})

  const isRead = await swapped
  expect({ isRead, documentCount: isRead === true ? await documentsOfCurrent(memory) : undefined }).toEqual({ isRead: false })
  expect(await readGenerations(memory, 'costs')).toMatchObject({ current: 3, building: null, stored: [1, 3] })
})

test('a rebuild from a log without its first events is refused before anything is dropped', async () => {
  const log = createMemoryLog({ partitionCount: 2 })
  await log.append('payments', paymentRecords(0, 20))
  for (const [partition, offset] of await log.endPositions('payments')) await log.truncate('payments', new Map([[partition, offset]]))
  await log.append('payments', paymentRecords(20, 20))
  const store = createMemoryStore({ collections: domainCollections })
  const before = { current: 2, building: null, stored: [1, 2] }
  await changeGenerations(store, 'payments', () => before)
  const engines = { log, schemaIds: publishedSchemaIds(), learn: async () => {}, store, console, now: Date.now }
  await expect(rebuild(READ_MODELS.payments, engines, false)).rejects.toMatchObject({ code: 'LOG_TRUNCATED' })
  expect(await readGenerations(store, 'payments')).toMatchObject(before)
})

test('a rebuild asks the registry whether what was begun has passed by records that can be read now', async () => {
  const published = publishedSchemaIds()
  const late = published.idOf('switchyard.payments.OutcomeRecorded')
  let isLearnt = false
  const schemaIds: SchemaIds = { ...published, schemaOf: (id) => (id === late && !isLearnt ? undefined : published.schemaOf(id)) }
  const log = createMemoryLog({ partitionCount: 1 })
  await log.append('payments', paymentRecords(0, 20))
  const store = createMemoryStore({ collections: domainCollections })
  await changeGenerations(store, 'payments', () => ({ current: 1, building: 2, stored: [1, 2] }))
  await project(
    log,
    inGeneration(store, () => 2),
    schemaIds,
  )

  const learn = async (ids: Iterable<number>): Promise<void> => {
    isLearnt ||= [...ids].includes(late)
  }
  await rebuild(READ_MODELS.payments, { log, schemaIds, learn, store, console, now: Date.now }, false)
  const letters = await store.range({ collection: DEAD_LETTERS_COLLECTION, prefix: [], order: 'ascending', limit: 10 })
  expect({ letterCount: letters.length, generations: await readGenerations(store, 'payments') }).toMatchObject({
    letterCount: 0,
    generations: { current: 3, stored: [1, 3] },
  })
})
