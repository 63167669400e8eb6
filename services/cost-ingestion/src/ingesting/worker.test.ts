import { expect, test } from '@jest/globals'
import { fitEvents, LEASE_MS, latestFits, reportColumns, statisticsOf } from '@switchyard/costs'
import { createManualTimers, turn } from '@switchyard/testing'
import { INGESTION } from '../journal.ts'
import { DUE_CHECK_INTERVAL_MS, FIT_GRACE_MS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { createSampleJournal, type SampleJournal } from '../sample-journal.fixture.ts'
import { createIngestionWorker } from './worker.ts'

const NOW = 1_000_000
const TURNS_MAX = 1_000
const ASKED = { connector: 'adyen', account: 'A', source: 'MANUAL', coversWholeDays: true, reference: null, byteCount: 1 } as const

/** A process that is alone, and reads every file as one that is no report. */
const partsOver = (journal: SampleJournal): Parts => {
  let idCount = 0
  const never = (): never => {
    throw new Error('is not asked')
  }
  return {
    journal,
    store: journal.store,
    states: { stateOf: () => reportColumns.initialState as never, readIndex: async () => {}, readIndexOfAll: async () => {} },
    spool: { keep: never, pathOf: (id) => id, has: async () => true, remove: async () => {}, sweep: never },
    readReport: async () => ({ kind: 'refused', message: 'no report', problems: [] }),
    fitReports: never,
    cipher: { open: never, seal: never },
    sourceOf: never,
    isAlone: true,
    now: () => NOW,
    newId: () => `claim_${++idCount}`,
    report: { info: () => {}, failed: (_text, error) => never.call(error) },
  }
}

test('all that a process had in hand which is gone is taken over at once, also what there is no room for at first', async () => {
  const journal = createSampleJournal()
  const ids = ['i1', 'i2', 'i3', 'i4', 'i5']
  for (const id of ids) {
    await journal.must(id, { type: 'AcceptReport', ...ASKED, at: NOW - LEASE_MS / 2 })
    await journal.must(id, { type: 'StartIngestion', claimId: 'gone', takesOver: false, at: NOW - LEASE_MS / 2 })
  }
  // These wait for their next attempt, and take no places.
  for (const id of ['later1', 'later2']) {
    const failed = { message: 'away', problems: [], fails: 'now' } as const
    await journal.must(id, { type: 'AcceptReport', ...ASKED, at: NOW - LEASE_MS })
    await journal.must(id, { type: 'StartIngestion', claimId: 'gone', takesOver: false, at: NOW - LEASE_MS })
    await journal.must(id, { type: 'FailIngestion', claimId: 'gone', ...failed, at: NOW - 1_000 })
  }
  const fitter = { learn: async () => {}, unfitted: async () => [] }
  const worker = createIngestionWorker(partsOver(journal), fitter, createManualTimers())
  worker.start()
  const statuses = async () =>
    await Promise.all(ids.map(async (ingestionId) => (await journal.find({ merchantId: 'm1', life: 1, ingestionId })).status))
  for (let turn = 0; turn < TURNS_MAX && (await statuses()).includes('PROCESSING'); turn++)
    await new Promise((resolve) => setImmediate(resolve))
  await worker.stop()
  expect(await statuses()).toEqual(ids.map(() => 'FAILED'))
})

test('what was read and not learned from is looked for also when the clock was set back', async () => {
  let nowMs = NOW
  let lookCount = 0
  const fitter = {
    learn: async () => {},
    unfitted: async () => {
      lookCount++
      return []
    },
  }
  const timers = createManualTimers()
  const worker = createIngestionWorker({ ...partsOver(createSampleJournal()), isAlone: false, now: () => nowMs }, fitter, timers)
  worker.start()
  nowMs -= 2 * 3_600_000
  for (let passedMs = 0; passedMs < FIT_GRACE_MS; passedMs += DUE_CHECK_INTERVAL_MS) {
    timers.advance(DUE_CHECK_INTERVAL_MS)
    await turn()
  }
  await worker.stop()
  expect(lookCount).toBe(1)
})

test('a report was begun with all fits of its merchant in memory, to find what its cards are', async () => {
  const journal = createSampleJournal()
  const cluster = {
    cardNetwork: 'visa',
    funding: '',
    issuerCountry: '',
    currency: 'EUR',
    interchangeCategory: '',
    cardProduct: '',
  } as const
  const learned = {
    basis: 'payments',
    n: 1,
    gross: 1,
    errorBps: 1,
    slopeErrorBps: 1,
    explainedShare: 1,
    verdict: 'GOOD',
    tiers: [],
  } as const
  const clusters = Array.from({ length: 5_000 }, (_, index) => ({
    ...learned,
    cluster: { ...cluster, variant: `v${index}` },
    fee: { pctBps: 1, fixed: 0 },
  }))
  for (const [index, account] of ['A', 'B', 'C'].entries()) {
    const identity = { merchantId: 'm1', merchantRegistrationCount: 1, connector: 'adyen', account, fitId: account, fitCount: 1, at: 1 }
    const seen = { bin: `40000${index}`, day: 1, rate: `${index}`, count: 1 }
    const binRates = Array.from({ length: 3 }, () => seen)
    await journal.record(fitEvents(identity, { ...statisticsOf([]), binRates }, clusters), INGESTION)
  }
  await journal.must('i1', { type: 'AcceptReport', ...ASKED, at: NOW })

  let atOnceCount = 0
  let heldCount = 0
  const held = async <Found extends readonly unknown[]>(collection: string, read: Promise<Found>): Promise<Found> => {
    const found = await read
    if (collection !== latestFits.name) return found
    heldCount += found.length
    atOnceCount = Math.max(atOnceCount, heldCount)
    await turn()
    heldCount -= found.length
    return found
  }
  const store: Parts['store'] = {
    ...journal.store,
    range: (query) => held(query.collection, journal.store.range(query)),
    getMany: (collection, keys) => held(collection, journal.store.getMany(collection, keys)),
  }
  let products: unknown
  const readReport: Parts['readReport'] = async ({ productByBin }) => {
    products = [...productByBin]
    return { kind: 'refused', message: 'no report', problems: [] }
  }
  const fitter = { learn: async () => {}, unfitted: async () => [] }
  const worker = createIngestionWorker({ ...partsOver(journal), store, readReport }, fitter, createManualTimers())
  worker.start()
  for (let turns = 0; turns < TURNS_MAX && products === undefined; turns++) await turn()
  await worker.stop()
  expect(products).toEqual(['A', 'B', 'C'].map((_, index) => [`40000${index}`, `${index}`]))
  expect(atOnceCount).toBeLessThanOrEqual(4)
})
