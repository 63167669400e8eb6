import { describe, expect, test } from '@jest/globals'
import type { ReadStore } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { CREATED_INDEX, webhookChains, webhookCollections } from '@switchyard/webhooks'
import { SCAN_PAGE_COUNT } from '../limits.ts'
import { chainPages } from './list-events.ts'

/** Two pages and a half: the newest is alone, the others were created by the hundreds in the same millisecond. */
const COUNT = 2.5 * SCAN_PAGE_COUNT
const SAME_COUNT = 0.7 * SCAN_PAGE_COUNT
const idOf = (number: number): string => `evt_${String(number).padStart(4, '0')}`
const NEWEST = idOf(COUNT)
const NEWEST_AT = COUNT

interface Shelf {
  readonly store: ReadStore
  /** Stores a chain; one that is not listed was taken back. */
  readonly put: (chainId: string, listedAt: number | undefined) => Promise<unknown>
}

const shelf = async (): Promise<Shelf> => {
  const store = createMemoryStore({ collections: webhookCollections })
  let offset = 0
  const put: Shelf['put'] = (chainId, listedAt) => {
    const body = { merchantId: 'm1', chainId, ...(listedAt !== undefined && { listedAt }) }
    offset += 1
    return store.write([{ collection: webhookChains.name, key: ['m1', chainId], position: { partition: 0, offset }, body }])
  }
  for (let number = 1; number < COUNT; number++) await put(idOf(number), Math.floor(number / SAME_COUNT))
  await put(NEWEST, NEWEST_AT)
  return { store, put }
}

const idsIn = async ({ store }: Shelf, meanwhile: () => Promise<unknown>): Promise<readonly string[]> => {
  const ids: string[] = []
  const all = { index: CREATED_INDEX, prefix: ['m1'], from: 0, to: Number.MAX_SAFE_INTEGER }
  for await (const chains of chainPages({ store }, all)) {
    if (ids.length === 0) await meanwhile()
    ids.push(...chains.map(({ chainId }) => chainId))
  }
  return ids
}

const newestFirst = Array.from({ length: COUNT }, (_, index) => idOf(COUNT - index))

describe('pages of events', () => {
  test('have each once, newest first, however many are as old', async () => {
    expect(await idsIn(await shelf(), async () => {})).toEqual(newestFirst)
  })

  test('had some twice when others came meanwhile', async () => {
    const some = await shelf()
    expect(await idsIn(some, () => some.put('evt_new', NEWEST_AT + 1))).toEqual(newestFirst)
  })

  test('passed one by when a repeated one was taken back meanwhile', async () => {
    const some = await shelf()
    expect(await idsIn(some, () => some.put(NEWEST, undefined))).toEqual(newestFirst)
  })
})

test('lists of many events at the same time left what else the thread has to do no turn until they had ended', async () => {
  const page = Array.from({ length: SCAN_PAGE_COUNT }, () => ({ body: { listedAt: 1 } }))
  let turnCount = 0
  const pagesByTurn = new Map<number, number>()
  const read = (): Promise<typeof page> => {
    const count = (pagesByTurn.get(turnCount) ?? 0) + 1
    pagesByTurn.set(turnCount, count)
    return Promise.resolve(turnCount > 12 ? [] : page)
  }
  const store = { ...createMemoryStore({ collections: webhookCollections }), range: read as unknown as ReadStore['range'] }
  let isOver = false
  const tick = (): void => {
    turnCount += 1
    if (!isOver) setImmediate(tick)
  }
  tick()
  const scan = async (): Promise<void> => {
    const all = { index: CREATED_INDEX, prefix: ['m1'], from: 0, to: Number.MAX_SAFE_INTEGER }
    for await (const _chains of chainPages({ store }, all)) if (turnCount > 20) return
  }
  await Promise.all([scan(), scan(), scan()])
  isOver = true
  expect([Math.max(...pagesByTurn.values()), pagesByTurn.size > 12]).toEqual([1, true])
})
