import { describe, expect, test } from '@jest/globals'
import {
  costCollections,
  datedFitHeads,
  datedFits,
  type FittedCluster,
  fitEvents,
  fitHeads,
  latestFits,
  type RecordedCost,
  statisticsOf,
} from '@switchyard/costs'
import type { CostModelFitted } from '@switchyard/events'
import type { DocumentProjection, RangeQuery, ReadStore } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { KNOWN_CLUSTER_COUNT_MAX } from '../limits.ts'
import { createKnownFits } from './known-fits.ts'

const OWNER = { merchantId: 'm1', life: 1 }

const CLUSTER: FittedCluster = {
  cluster: {
    cardNetwork: 'visa',
    variant: 'visa',
    funding: '',
    issuerCountry: 'NL',
    currency: 'EUR',
    interchangeCategory: '',
    cardProduct: '',
  },
  basis: 'payments',
  fee: null,
  n: 1,
  gross: 10,
  errorBps: 0,
  slopeErrorBps: 0,
  explainedShare: null,
  verdict: 'THIN',
  tiers: [],
}

const fitOn = (day: string, fitCount: number, account = 'A', clusters: readonly FittedCluster[] = []): readonly CostModelFitted[] =>
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
    clusters,
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

/** A store whose fit of account A has more than half of the clusters that are kept at hand, and the accounts that were read of it. */
const storeWithLargeFit = async (): Promise<{ readonly store: ReadStore; readonly accountsRead: readonly string[] }> => {
  const store = await storeOf([...fitOn('2026-03-01', 1, 'A', [CLUSTER]), ...fitOn('2026-03-01', 1, 'B', [CLUSTER])])
  const accountsRead: string[] = []
  const enlarge = (cluster: unknown): readonly unknown[] => Array.from({ length: 0.6 * KNOWN_CLUSTER_COUNT_MAX }, () => cluster)
  const range = async (query: RangeQuery) => {
    accountsRead.push(String(query.prefix[2]))
    const [first] = await store.range<{ readonly chunk: CostModelFitted['data'] }>(query)
    if (first === undefined || query.prefix[2] !== 'A') return [first]
    const { chunk } = first.body
    return [{ ...first, body: { chunk: { ...chunk, clusters: chunk.clusters.flatMap(enlarge) } } }]
  }
  return { store: { ...store, range: range as ReadStore['range'] }, accountsRead }
}

describe('fits at hand', () => {
  test('a fit that two ask for at once counts once, and stays as long as there is room', async () => {
    const { store, accountsRead } = await storeWithLargeFit()
    const known = createKnownFits(store)
    await Promise.all([known.of(OWNER), known.of(OWNER)])
    await known.of(OWNER)
    expect(accountsRead).toEqual(['A', 'A', 'B', 'B'])
  })
})
