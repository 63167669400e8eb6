import { expect, test } from '@jest/globals'
import { costIngestions, type Ingestion } from '@switchyard/costs'
import { PAGE_COUNT } from '../limits.ts'
import { createSampleJournal } from '../sample-journal.fixture.ts'
import { openIngestions } from './open-ingestions.ts'

const COUNT = 2 * PAGE_COUNT

const worldOf = async (dueAtOf: (index: number) => number) => {
  const { store } = createSampleJournal()
  let offset = 0
  const put = async (index: number, due: Pick<Ingestion, 'status'> & { readonly dueAt?: number }): Promise<void> => {
    const key = ['m1', 1, `i${index}`]
    const body: Ingestion = { ...costIngestions.initialView(key), ...due }
    await store.write([{ collection: costIngestions.name, key, position: { partition: 0, offset: offset++ }, body }])
  }
  for (let index = 0; index < COUNT; index++) await put(index, { status: 'PENDING', dueAt: dueAtOf(index) })
  return { store, finish: (index: number) => put(index, { status: 'INGESTED' }) }
}

test.each([
  ['each at a time of its own', (index: number) => index],
  ['all at the same time', () => 1],
  ['many at the same time', (index: number) => Math.floor(index / (PAGE_COUNT / 3))],
])('all that are open are found, %s', async (_name, dueAtOf) => {
  const { store } = await worldOf(dueAtOf)
  expect((await openIngestions(store)).size).toBe(COUNT)
})

test('an upload that waited longer than an hour behind 500 others lost its file when a process started as another one finished some', async () => {
  const { store, finish } = await worldOf((index) => index)
  let pageCount = 0
  const range: typeof store.range = async (query) => {
    const page = await store.range<never>(query)
    if (pageCount++ === 0) for (let index = 0; index < 10; index++) await finish(index)
    return page
  }
  const found = await openIngestions({ ...store, range })
  const lost = Array.from({ length: COUNT }, (_, index) => `i${index}`).filter((id) => !found.has(id))
  expect(lost).toEqual([])
})
