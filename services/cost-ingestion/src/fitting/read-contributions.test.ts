import { expect, test } from '@jest/globals'
import { costIngestions, type Ingestion } from '@switchyard/costs'
import { PAGE_COUNT } from '../limits.ts'
import { createSampleJournal } from '../sample-journal.fixture.ts'
import { countedReports } from './read-contributions.ts'

const PLACE = { merchantId: 'm1', life: 1, connector: 'adyen', account: 'A' }

test('a report counted twice when another one of its account was finished between two pages of them', async () => {
  const { store } = createSampleJournal()
  const count = async (sequence: number): Promise<void> => {
    const key = ['m1', 1, `i${sequence}`]
    const body: Ingestion = { ...costIngestions.initialView(key), connector: 'adyen', account: 'A', status: 'COMPLETED', sequence }
    await store.write([{ collection: costIngestions.name, key, position: { partition: 0, offset: sequence }, body }])
  }
  for (let sequence = 1; sequence <= PAGE_COUNT + 1; sequence++) await count(sequence)
  const range: typeof store.range = async (query) => {
    const page = await store.range<never>(query)
    if (query.to === undefined) await count(PAGE_COUNT + 2)
    return page
  }
  const found = (await countedReports({ ...store, range }, PLACE)).map(({ ingestionId }) => ingestionId)
  expect(found).toEqual(Array.from({ length: PAGE_COUNT + 1 }, (_, index) => `i${index + 1}`))
})
