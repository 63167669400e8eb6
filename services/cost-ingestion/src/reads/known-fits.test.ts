import { describe, expect, test } from '@jest/globals'
import {
  costCollections,
  datedFitHeads,
  datedFits,
  fitEvents,
  fitHeads,
  latestFits,
  type RecordedCost,
  statisticsOf,
} from '@switchyard/costs'
import type { CostModelFitted } from '@switchyard/events'
import type { DocumentProjection, ReadStore } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { createKnownFits } from './known-fits.ts'

const OWNER = { merchantId: 'm1', life: 1 }

const fitOn = (day: string, fitCount: number, account = 'A'): readonly CostModelFitted[] =>
  fitEvents(
    {
      merchantId: 'm1',
      merchantRegistrationCount: 1,
      connector: 'adyen',
      account,
      fitId: `${account}${fitCount}`,
      fitCount,
      at: Date.parse(`${day}T12:00:00Z`),
    },
    statisticsOf([]),
    [],
  )

const recorded = (events: readonly CostModelFitted[]) =>
  events.map((event, offset) => ({
    event,
    effects: { expectedVersion: undefined },
    position: { partition: 0, offset },
    eventId: `e${offset}`,
  }))

const project = async <View extends object>(
  store: ReadStore,
  { name: collection, keysOf, initialView, project: next }: DocumentProjection<View, RecordedCost>,
  records: ReturnType<typeof recorded>,
): Promise<void> => {
  for (const record of records)
    for (const key of keysOf(record)) {
      const known = await store.get<View>(collection, key)
      await store.write([{ collection, key, position: record.position, body: next(known?.body ?? initialView(key), record, key) }])
    }
}

/** The read models of these events. */
const storeOf = async (events: readonly CostModelFitted[]): Promise<ReadStore> => {
  const store = createMemoryStore({ collections: costCollections })
  for (const chunks of [latestFits, datedFits]) await project(store, chunks, recorded(events))
  for (const heads of [fitHeads, datedFitHeads]) await project(store, heads, recorded(events))
  return store
}

describe('fits by day', () => {
  test('the last fit of an earlier day is there as it was, whatever came later', async () => {
    const store = await storeOf([
      ...fitOn('2026-03-01', 1),
      ...fitOn('2026-03-01', 2),
      ...fitOn('2026-03-01', 1, 'B'),
      ...fitOn('2026-03-02', 3),
      ...fitOn('2026-03-04', 4),
      ...fitOn('2026-03-04', 5),
    ])
    const known = createKnownFits(store)
    const idsOf = async (day?: string): Promise<readonly string[]> => (await known.of(OWNER, day)).map(({ head }) => head.fitId).sort()
    expect(await idsOf()).toEqual(['A5', 'B1'])
    expect(await idsOf('2026-03-01')).toEqual(['A2', 'B1'])
    expect(await idsOf('2026-03-02')).toEqual(['A3'])
    expect(await idsOf('2026-03-04')).toEqual(['A5'])
    expect(await idsOf('2026-03-03')).toEqual([])
    expect(await idsOf(`2026-03-02${'0'.repeat(5_000)}`)).toEqual([])
    expect(await known.of({ ...OWNER, life: 2 }, '2026-03-02')).toEqual([])
  })
})
