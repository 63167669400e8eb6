import { expect, test } from '@jest/globals'
import type { ReadStore } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { analyticsCollections } from '../collections.ts'
import { decided, inLog, MERCHANT, outcome, recorded, writesOf } from '../sample-records.fixture.ts'
import { paymentTimelines } from '../timelines/payment-timelines.ts'
import { createAnalyticsQueries } from './analytics-queries.ts'
import { audit, NOW } from './sample-queries.fixture.ts'

test('a payment of which something was reported while a search read was found in neither part of it, or in both', async () => {
  const store = createMemoryStore({ collections: analyticsCollections })
  const reports = [1, 2, 3].map((behindMs) => recorded(outcome('p', NOW + behindMs, { requestId: `update-${behindMs}` })))
  const records = inLog([recorded(decided('p', NOW - 1_000)), recorded(decided('q', NOW - 2_000)), ...reports])
  const writeUpTo = (count: number) => store.write(writesOf(paymentTimelines, records.slice(0, count)))
  let count = 2
  await writeUpTo(count)
  const moving: ReadStore = {
    ...store,
    range: async (query) => {
      const page = await store.range<never>(query)
      count += 1
      await writeUpTo(count)
      return page
    },
  }
  const { results, totals } = await createAnalyticsQueries({ store: moving, now: () => NOW }).paymentAudit(MERCHANT, audit())
  expect(results.map(({ lookupKey }) => lookupKey)).toEqual(['p', 'q'])
  expect(totals).toMatchObject({ results: 2, success: 1 })
})
