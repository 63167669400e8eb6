import { expect, test } from '@jest/globals'
import type { ReadStore } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { analyticsCollections } from '../collections.ts'
import { MERCHANT } from '../sample-records.fixture.ts'
import { createAnalyticsQueries } from './analytics-queries.ts'
import { decisions, NOW } from './sample-queries.fixture.ts'

test.each(['decisions', 'routingStats'] as const)(
  '%s without filters read the counts of the window twice, for sums and for totals',
  async (name) => {
    const store = createMemoryStore({ collections: analyticsCollections })
    const asked: string[] = []
    const range: ReadStore['range'] = (query) => {
      asked.push(JSON.stringify(query))
      return store.range(query)
    }
    await createAnalyticsQueries({ store: { ...store, range }, now: () => NOW })[name](MERCHANT, decisions())
    expect(asked).toEqual([...new Set(asked)])
  },
)
