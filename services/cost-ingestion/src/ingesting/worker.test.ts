import { expect, test } from '@jest/globals'
import { LEASE_MS, reportColumns } from '@switchyard/costs'
import { createManualTimers, turn } from '@switchyard/testing'
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
