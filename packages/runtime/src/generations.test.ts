import { describe, expect, test } from '@jest/globals'
import type { ReadStore } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { changeGenerations, GENERATIONS_COLLECTION, inGeneration, loadedWhole, readGenerations } from './generations.ts'

const emptyStore = (): ReadStore => createMemoryStore({ collections: [{ name: GENERATIONS_COLLECTION, indexes: [] }] })

const beginNext = (store: ReadStore, topic: 'payments' | 'config') =>
  changeGenerations(store, topic, ({ current, latest }) => ({ current, building: latest + 1, stored: [current, latest + 1] }))

describe('the generations of read models', () => {
  test('a rebuild is not overtaken by the rebuild of another topic that changed them in between', async () => {
    const store = emptyStore()
    let isDisturbed = false
    const disturbed: ReadStore = {
      ...store,
      write: async (writes) => {
        if (!isDisturbed) {
          isDisturbed = true
          await beginNext(store, 'config')
        }
        return await store.write(writes)
      },
    }
    expect(await beginNext(disturbed, 'payments')).toMatchObject({ current: 1, building: 3 })
    expect(await readGenerations(store, 'config')).toMatchObject({ current: 1, building: 2, stored: [1, 2], latest: 3 })
    expect(await readGenerations(store, 'payments')).toMatchObject({ current: 1, building: 3, stored: [1, 3], latest: 3 })
  })

  test('many at once are given different numbers', async () => {
    const store = emptyStore()
    const begun = await Promise.all((['payments', 'config', 'payments', 'config'] as const).map((topic) => beginNext(store, topic)))
    expect(new Set(begun.map(({ building }) => building)).size).toBe(4)
  })

  test('what `change` refuses changes nothing', async () => {
    const store = emptyStore()
    const refuse = (): never => {
      throw new Error('not as expected')
    }
    await expect(changeGenerations(store, 'payments', refuse)).rejects.toThrow('not as expected')
    expect(await readGenerations(store, 'payments')).toEqual({ current: 1, building: null, stored: [1], latest: 1 })
  })
})

test('what is loaded once was loaded from a generation that was dropped meanwhile', async () => {
  const store = createMemoryStore({ collections: [GENERATIONS_COLLECTION, 'figures'].map((name) => ({ name, indexes: [] })) })
  const position = { partition: 0, offset: 7 }
  await inGeneration(store, () => 2).write([{ collection: 'figures', key: ['m_1'], position, body: { count: 1 } }])
  let callCount = 0
  const loaded = await loadedWhole(store, 'costs', async (documents) => {
    callCount += 1
    if (callCount === 1) await changeGenerations(store, 'costs', () => ({ current: 2, building: null, stored: [2] }))
    return await documents.get('figures', ['m_1'])
  })
  expect([callCount, loaded]).toEqual([2, { key: ['m_1'], position, body: { count: 1 } }])
})
