import { expect, test } from '@jest/globals'
import { createRetention } from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'
import { createManualTimers, turn } from '@switchyard/testing'

const HOUR_MS = 3_600_000
const collection = 'minutes-v1'

const given = async () => {
  const store = createMemoryStore({ collections: [{ name: collection, indexes: [{ name: 'by-minute', fields: ['minuteMs'] }] }] })
  const documents = [0, 100, 200].map((minuteMs, offset) => ({
    collection,
    key: ['m_1', minuteMs],
    position: { partition: 0, offset },
    body: { minuteMs },
  }))
  await store.write(documents)
  const timers = createManualTimers()
  const stored = new Map([[0, 5]])
  const retention = createRetention({
    rule: { collections: [collection], index: 'by-minute', ageMsMax: 1_000 },
    store,
    now: () => 1_100 + timers.now(),
    report: { info: () => {}, failed: () => {} },
    positions: async () => stored,
    timers,
  })
  const left = async () => (await store.range({ collection, prefix: ['m_1'], order: 'ascending', limit: 10 })).map(({ key }) => key[1])
  return { retention, left, timers, stored, store }
}

test('what is past its age goes, what is younger stays', async () => {
  const { retention, left } = await given()
  expect(await retention.forgetOld()).toBe(2)
  expect(await left()).toEqual([200])
})

test('it is looked for every hour', async () => {
  const { retention, left, timers } = await given()
  retention.start()
  await turn()
  expect(await left()).toEqual([200])
  timers.advance(HOUR_MS)
  await turn()
  expect(await left()).toEqual([])
  await retention.stop()
})

test('a document whose next event is not stored yet waits', async () => {
  const { retention, left, stored } = await given()
  stored.set(0, 0)
  expect(await retention.forgetOld()).toBe(0)
  expect(await left()).toEqual([0, 100, 200])
})

test('a document that has to wait holds up none behind it, however many there are', async () => {
  const { retention, store } = await given()
  const old = Array.from({ length: 1_200 }, (_, offset) => ({
    collection,
    key: ['m_2', offset],
    // Every other one is in a partition that somebody else projects.
    position: { partition: offset % 2, offset: 0 },
    body: { minuteMs: 50 },
  }))
  await store.write(old)
  expect(await retention.forgetOld()).toBe(602)
  const others = await store.range({ collection, prefix: ['m_2'], order: 'ascending', limit: 1_000 })
  expect(others.map(({ position }) => position.partition)).toEqual(Array.from({ length: 600 }, () => 1))
})
