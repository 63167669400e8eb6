import { expect, test } from '@jest/globals'
import { createCostTable, type FitChunk, type FittedCluster, fitEvents, LearnedIndex, latestFits, statisticsOf } from '@switchyard/costs'
import fc from 'fast-check'
import { LearnedModels } from './learned-models.ts'

const CLUSTER = {
  cardNetwork: 'visa',
  variant: 'visadebit',
  funding: 'debit',
  issuerCountry: 'NL',
  currency: 'EUR',
  interchangeCategory: '',
  cardProduct: '',
} as const

const PAYMENT = {
  amount: 100,
  currency: 'EUR',
  network: 'visa',
  funding: 'debit',
  program: '',
  issuerCountry: 'NL',
  bin: '',
  channel: '',
  paymentMethod: '',
}

interface MadeFit {
  readonly fitCount: number
  readonly life: number
}

/** The chunk of a fit by which payments cost so many bps. */
const chunkOf = ({ fitCount, life }: MadeFit, pctBps: number): FitChunk => {
  const learned = { basis: 'payments', n: 500, gross: 1_000, errorBps: 1, slopeErrorBps: 1, explainedShare: 1, verdict: 'GOOD' } as const
  const fitted: FittedCluster = { cluster: CLUSTER, fee: { pctBps, fixed: 0 }, tiers: [], ...learned }
  const identity = {
    merchantId: 'm',
    merchantRegistrationCount: life,
    connector: 'adyen',
    account: 'A',
    fitId: `fit_${pctBps}`,
    fitCount,
    at: 1,
  }
  const [event] = fitEvents(identity, statisticsOf([]), [fitted])
  if (event === undefined) throw new Error('a fit has an event')
  return event.data
}

const costBpsOf = (models: LearnedModels): number | undefined => {
  const [news] = models.compiled()
  if (news === undefined) return undefined
  const table = createCostTable(new LearnedIndex(news.costs), { clusterOverrides: [], connectorOverrides: new Map(), contractRates: [] })
  return table.price(PAYMENT).costOn('adyen')?.bps
}

/** What a process reckons with that has followed the log. */
const followed = (chunks: readonly FitChunk[]): number | undefined => {
  const models = new LearnedModels()
  for (const [offset, chunk] of chunks.entries()) models.add({ chunk, position: { partition: 0, offset } })
  return costBpsOf(models)
}

/** And one that was started behind the last fit. */
const loaded = (chunks: readonly FitChunk[]): number | undefined => {
  const stored = new Map<string, { readonly chunk: FitChunk | null }>()
  for (const [offset, data] of chunks.entries()) {
    const recorded = {
      event: { type: 'CostModelFitted' as const, data },
      position: { partition: 0, offset },
      eventId: '',
      effects: { expectedVersion: undefined },
    }
    for (const key of latestFits.keysOf(recorded)) {
      const text = JSON.stringify(key)
      stored.set(text, latestFits.project(stored.get(text) ?? latestFits.initialView(key), recorded, key))
    }
  }
  const models = new LearnedModels()
  const inOrder = [...stored].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [, { chunk }] of inOrder) if (chunk !== null) models.add({ chunk, position: { partition: 0, offset: 0 } })
  return costBpsOf(models)
}

const fits = fc.array(fc.record({ fitCount: fc.integer({ min: 1, max: 4 }), life: fc.integer({ min: 1, max: 2 }) }), {
  minLength: 1,
  maxLength: 6,
})

test('whoever has followed the log reckons with the same fit as whoever starts behind it, also when two processes learned at the same time', () => {
  fc.assert(
    fc.property(fits, (made) => {
      const chunks = made.map((fit, index) => chunkOf(fit, index + 1))
      expect(followed(chunks)).toBe(loaded(chunks))
    }),
  )
})

test('a fit of an earlier merchant of the id that comes between the chunks of one of the next takes none of them away', () => {
  const half = (chunkSlot: number): FitChunk => ({ ...chunkOf({ fitCount: 1, life: 2 }, 20), chunkSlot, chunkCount: 2 })
  expect(followed([half(0), chunkOf({ fitCount: 9, life: 1 }, 10), { ...half(1), clusters: [] }])).toBe(20)
})
