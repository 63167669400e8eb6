import { expect, test } from '@jest/globals'
import {
  contributionChunks,
  contributionOf,
  costIngestions,
  type FitHeads,
  fitHeads,
  fitReports,
  type Ingestion,
  KeptTexts,
  pieceOf,
  RollUp,
  readFit,
} from '@switchyard/costs'
import { type CostJournal, INGESTION } from '../journal.ts'
import { UNFITTED_LOOK_COUNT } from '../limits.ts'
import { createSampleJournal } from '../sample-journal.fixture.ts'
import { createFitter } from './fitter.ts'
import type { FitReports } from './fitting.ts'

const PLACE = { merchantId: 'm1', life: 1, connector: 'adyen', account: 'A' }
const DAY = 20_500
const PAYMENTS = 40

const fitHere: FitReports = async ({ identity, parts, previous, newIds }) => {
  const contributions = []
  for await (const { head, chunk } of parts) contributions.push(contributionOf(head, [pieceOf(chunk, new KeptTexts())]))
  return fitReports(identity, contributions, previous, newIds)
}

const createWorld = () => {
  const journal = createSampleJournal()
  const { store, must: decide } = journal
  let idCount = 0
  const newId = (): string => `fit_${++idCount}`
  return {
    fitterOf: (fit: FitReports) => createFitter({ journal, store, fitReports: fit, now: () => 1, newId }),
    /** Of a process that dies once it has recorded a fit. */
    dyingFitterOf: (fit: FitReports) => {
      let isRecorded = false
      const record: CostJournal['record'] = async (...recording) => {
        const position = await journal.record(...recording)
        isRecorded = true
        return position
      }
      const readIndex = async (): Promise<void> => {
        if (isRecorded) throw new Error('the process is dead')
      }
      return createFitter({ journal: { record, readIndex }, store, fitReports: fit, now: () => 1, newId })
    },
    /** Takes a report of a day in, without learning from it. */
    ingest: async (ingestionId: string, day: number): Promise<void> => {
      const asked = { connector: 'adyen', account: 'A', source: 'MANUAL', coversWholeDays: true, reference: null, byteCount: 1 } as const
      await decide(ingestionId, { type: 'AcceptReport', ...asked, at: 1 })
      await decide(ingestionId, { type: 'StartIngestion', claimId: 'c', takesOver: false, at: 1 })
      const rollUp = new RollUp(() => undefined, DAY)
      for (let at = 1; at <= PAYMENTS; at++) rollUp.take(paymentOf(at, day))
      const chunks = [...contributionChunks(rollUp.finish())]
      const data = { merchantId: 'm1', ingestionId, claimId: 'c', merchantRegistrationCount: 1, at: 1 }
      const taken = chunks.map((chunk, chunkSlot) => ({ type: 'ReportContributionTaken' as const, data: { ...data, chunkSlot, ...chunk } }))
      await journal.record(taken, INGESTION)
      const report = { skippedCount: 0, unreadableCount: 0, firstDate: null, lastDate: null, grossByCurrency: {}, countries: [] }
      const told = { rowCount: PAYMENTS, report: { ...report, chunkCount: chunks.length }, problems: [] }
      await decide(ingestionId, { type: 'FinishIngestion', claimId: 'c', ...told, at: 1 })
    },
    /** A process that was stopped, and whose claim is over by now, tells a chunk of what it had read. */
    tellLate: (ingestionId: string) => {
      const data = { merchantId: 'm1', ingestionId, claimId: 'over', chunkSlot: 0, merchantRegistrationCount: 1, at: 1 }
      const chunk = { clusters: [], buckets: [], totals: [], binRates: [] }
      return journal.record([{ type: 'ReportContributionTaken', data: { ...data, ...chunk } }], INGESTION)
    },
    /** Reports of another merchant that nobody has learned from yet. */
    leaveUnfitted: async (count: number): Promise<void> => {
      const position = { partition: 0, offset: 0 }
      const documents = Array.from({ length: count }, (_, index) => {
        const key = ['m2', 1, `other_${index}`]
        const body: Ingestion = { ...costIngestions.initialView(key), status: 'INGESTED', unfittedSince: 0 }
        return { collection: costIngestions.name, key, position, body }
      })
      await store.write(documents)
    },
    statusOf: async (ingestionId: string) => (await journal.find({ merchantId: 'm1', life: 1, ingestionId })).status,
    remove: (ingestionId: string) => decide(ingestionId, { type: 'DeleteIngestion', at: 1 }),
    /** Payments that the latest fit was learned from. */
    learnedCount: async (): Promise<number | undefined> => {
      const [head] = (await store.get<FitHeads>(fitHeads.name, ['m1', 1]))?.body.heads ?? []
      const fit = head && (await readFit(store, 'm1', head))
      return fit?.clusters.reduce((sum, { paymentCount }) => sum + paymentCount, 0)
    },
  }
}

const paymentOf = (gross: number, day: number) =>
  ({
    type: 'payment',
    reference: '',
    cardNetwork: 'visa',
    variant: 'visa',
    funding: 'debit',
    issuerCountry: 'NL',
    currency: 'EUR',
    interchangeCategory: '',
    interchangeRate: '',
    day,
    channel: 'ecom',
    gross,
    totalFee: 0.1 + gross / 100,
    interchange: 0,
    schemeFee: 0,
    markup: 0,
    commission: 0,
    bin: '',
  }) as const

/** Fits that are made at once, and given when they are let go. */
const heldBack = () => {
  let letGo = (): void => {}
  let isMade = (): void => {}
  const made = new Promise<void>((resolve) => (isMade = resolve))
  const go = new Promise<void>((resolve) => (letGo = resolve))
  const fit: FitReports = async (request) => {
    const result = await fitHere(request)
    isMade()
    await go
    return result
  }
  return { fit, made, letGo: () => letGo() }
}

test('two processes that learn from one account at the same time forget no report, and none that is deleted stays', async () => {
  const world = createWorld()
  const other = world.fitterOf(fitHere)
  await world.ingest('first', DAY - 1)
  const slow = heldBack()
  const learning = world.fitterOf(slow.fit).learn(PLACE)
  await slow.made
  await world.ingest('second', DAY)
  await other.learn(PLACE)
  slow.letGo()
  await learning
  expect(await world.learnedCount()).toBe(2 * PAYMENTS)

  const slowAgain = heldBack()
  const learningAgain = world.fitterOf(slowAgain.fit).learn(PLACE)
  await slowAgain.made
  await world.remove('first')
  await other.learn(PLACE)
  slowAgain.letGo()
  await learningAgain
  expect(await world.learnedCount()).toBe(PAYMENTS)
})

test('a report is learned from as whoever finished it has read it, though another one tells of it behind that', async () => {
  const world = createWorld()
  await world.ingest('first', DAY)
  await world.tellLate('first')
  await world.fitterOf(fitHere).learn(PLACE)
  expect(await world.learnedCount()).toBe(PAYMENTS)
})

test('a report that was deleted while it was learned from stayed in the fit when the process ended right behind it', async () => {
  const world = createWorld()
  await world.ingest('first', DAY)
  const slow = heldBack()
  const learning = world.dyingFitterOf(slow.fit).learn(PLACE)
  await slow.made
  await world.remove('first')
  slow.letGo()
  await expect(learning).rejects.toThrow('the process is dead')
  const next = world.fitterOf(fitHere)
  for (const place of await next.unfitted(0)) await next.learn(place)
  expect(await world.learnedCount()).toBe(0)
})

test('a report was shown as being read for ever while a thousand others could not be learned from', async () => {
  const world = createWorld()
  await world.leaveUnfitted(UNFITTED_LOOK_COUNT)
  await world.ingest('first', DAY)
  await world.fitterOf(fitHere).learn(PLACE)
  expect(await world.statusOf('first')).toBe('COMPLETED')
})
