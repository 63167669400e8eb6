import { describe, expect, test } from '@jest/globals'
import type { CostModelFitted } from '@switchyard/events'
import { createMemoryStore } from '@switchyard/store-memory'
import fc from 'fast-check'
import { fitAccount } from '../fit/fit-account.ts'
import { FIVE, rowsOfPairs, times } from '../fit/sample-fit.fixture.ts'
import { FIT_CHUNK_CLUSTER_COUNT } from '../limits.ts'
import { fitted } from '../serving/sample-model.fixture.ts'
import { contributionOf } from '../statistics/sample-rows.fixture.ts'
import { statisticsOf } from '../statistics/statistics.ts'
import { fitEvents } from './fit-events.ts'
import { latestFits, latestFitsCollection, readStoredFitChunks } from './latest-fits.ts'
import { type FitChunk, fittedClusterOf, type LearnedFit, wholeFit } from './learned-fit.ts'

const identity = (fitCount = 1, account = 'ShopEU') => ({
  merchantId: 'm1',
  merchantRegistrationCount: 1,
  connector: 'adyen',
  account,
  fitId: `fit_${account}_${fitCount}`,
  fitCount,
  at: Date.UTC(2026, 2, 1),
})
const nothing = statisticsOf([])
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => fitted({ pctBps: 100, fixed: 0.1 }, { variant: `v${String(index).padStart(5, '0')}` }))

describe('the events of a fit', () => {
  test('tell what was fitted, and what categories are guessed by', () => {
    const statistics = statisticsOf([contributionOf(1, rowsOfPairs(times(40, FIVE)))])
    const clusters = fitAccount(statistics)
    const fit = wholeFit(fitEvents(identity(), statistics, clusters).map(({ data }) => data))
    expect(fit?.clusters.map(fittedClusterOf)).toEqual(clusters)
    expect(fit?.clusters).toMatchObject([
      {
        cardNetwork: 'visa',
        interchangeCategory: 'Consumer Debit',
        seen: [13, 16, 20, 23, 29].map((bandSlot) => ({ bandSlot, channel: 'ECOM', paymentCount: 40 })),
      },
    ])
    expect(fit?.reportDate).toBe('2026-03-01')
  })

  test('a fit of nothing is one event', () => {
    expect(fitEvents(identity(), nothing, [])).toMatchObject([{ data: { chunkCount: 1, clusters: [], latestDate: null } }])
  })

  test('are whole in any order, and never before the last one', () => {
    const events = fitEvents(identity(), nothing, many(2 * FIT_CHUNK_CLUSTER_COUNT + 1))
    expect(events).toHaveLength(3)
    fc.assert(
      fc.property(fc.shuffledSubarray(events.map(({ data }) => data)), (chunks) => {
        expect(wholeFit(chunks)?.clusters.length).toBe(chunks.length < 3 ? undefined : 2 * FIT_CHUNK_CLUSTER_COUNT + 1)
      }),
    )
  })
})

/** The newest whole fit among the chunks of an account, as who loads them finds it. */
const newestWhole = (chunks: readonly FitChunk[]): LearnedFit | undefined =>
  [...new Set(chunks.map(({ fitId }) => fitId))]
    .flatMap((fitId) => wholeFit(chunks.filter((chunk) => chunk.fitId === fitId)) ?? [])
    .sort((one, other) => other.fitCount - one.fitCount)[0]

describe('the latest fits as they are stored', () => {
  const stored = async (events: readonly CostModelFitted[]): Promise<readonly LearnedFit[]> => {
    const store = createMemoryStore({ collections: [latestFitsCollection] })
    for (const [offset, event] of events.entries()) {
      const record = { event, effects: { expectedVersion: undefined }, position: { partition: 0, offset }, eventId: `e${offset}` }
      for (const key of latestFits.keysOf(record)) {
        const known = await store.get<ReturnType<typeof latestFits.initialView>>(latestFits.name, key)
        const body = latestFits.project(known?.body ?? latestFits.initialView(key), record, key)
        await store.write([{ collection: latestFits.name, key, position: record.position, body }])
      }
    }
    const chunks: FitChunk[] = []
    for await (const page of readStoredFitChunks(store)) chunks.push(...page.map(({ chunk }) => chunk))
    const accounts = [...new Set(chunks.map(({ account }) => account))]
    return accounts.flatMap((account) => newestWhole(chunks.filter((chunk) => chunk.account === account)) ?? [])
  }

  test('the one before counts until the next one is whole', async () => {
    const first = fitEvents(identity(1), nothing, many(3))
    const second = fitEvents(identity(2), nothing, many(FIT_CHUNK_CLUSTER_COUNT + 1))
    const other = fitEvents(identity(1, 'ShopUS'), nothing, many(1))
    expect((await stored([...first, ...other])).map(({ fitId }) => fitId)).toEqual(['fit_ShopEU_1', 'fit_ShopUS_1'])
    expect((await stored([...first, ...second.slice(0, 1)])).map(({ fitId }) => fitId)).toEqual(['fit_ShopEU_1'])
    expect((await stored([...first, ...second])).map(({ clusters }) => clusters.length)).toEqual([FIT_CHUNK_CLUSTER_COUNT + 1])
  })

  test('a smaller fit leaves nothing of a larger one', async () => {
    const events = [many(FIT_CHUNK_CLUSTER_COUNT + 1), many(2), many(1)].flatMap((clusters, index) =>
      fitEvents(identity(index + 1), nothing, clusters),
    )
    expect((await stored(events)).map(({ clusters }) => clusters.length)).toEqual([1])
  })
})
