import { describe, expect, test } from '@jest/globals'
import { createMemoryStore } from '@switchyard/store-memory'
import fc from 'fast-check'
import { analyticsCollections } from '../collections.ts'
import { createAnalyticsQueries } from '../queries/analytics-queries.ts'
import type { ExperimentEffect, PaymentEffect, RecordedPayment } from '../recorded-payment.ts'
import { decided, inLog, MERCHANT, outcome, projected, writesOf } from '../sample-records.fixture.ts'
import { experimentPayments } from './experiment-payments.ts'
import { type ExperimentTally, experimentTallies } from './experiment-tallies.ts'
import { experimentResults } from './results.ts'

const MINUTE = 60_000
const segment = { paymentMethodType: 'CARD', paymentMethod: 'CREDIT', cardNetwork: 'VISA', currency: 'EUR', country: 'DE' }
const effect = (paymentId: string, change: Partial<ExperimentEffect> = {}): ExperimentEffect => ({
  merchantId: MERCHANT,
  paymentId,
  experimentId: 'e_1',
  arm: 'CONTROL',
  assignedAt: 1_000,
  at: 1_000,
  gateway: 'adyen',
  amount: 10,
  costBps: null,
  savedBps: null,
  segment,
  before: null,
  standing: 'open',
  gatewayLatencyMs: null,
  ...change,
})
const record = (paymentId: string, ...effects: readonly PaymentEffect[]): Omit<RecordedPayment, 'position' | 'eventId'> => ({
  event: effects.some((one) => 'before' in one && one.before !== null) ? outcome(paymentId, 2_000) : decided(paymentId, 1_000),
  effects,
})
const assigned = (paymentId: string, change: Partial<ExperimentEffect> = {}) => record(paymentId, effect(paymentId, change))
const succeeded = (paymentId: string, change: Partial<ExperimentEffect> = {}) =>
  record(paymentId, effect(paymentId, { before: 'open', standing: 'succeeded', at: 2_000, ...change }))
const failed = (paymentId: string, change: Partial<ExperimentEffect> = {}) =>
  record(paymentId, effect(paymentId, { before: 'open', standing: 'failed', at: 2_000, ...change }))
const recovered = (paymentId: string, change: Partial<ExperimentEffect> = {}) =>
  record(paymentId, effect(paymentId, { before: 'failed', standing: 'succeeded', at: 3_000, ...change }))

const history = inLog([
  assigned('p_1'),
  assigned('p_2', { arm: 'VARIANT', segment: { ...segment, currency: 'USD', cardNetwork: null } }),
  assigned('p_3', { assignedAt: MINUTE, at: MINUTE }),
  assigned('p_4', { assignedAt: MINUTE, at: MINUTE }),
  succeeded('p_1', { gatewayLatencyMs: 100 }),
  failed('p_2', { arm: 'VARIANT', segment: { ...segment, currency: 'USD', cardNetwork: null } }),
  recovered('p_2', { arm: 'VARIANT', amount: 7.5, segment: { ...segment, currency: 'USD', cardNetwork: null } }),
  failed('p_3', { assignedAt: MINUTE, at: 9 * MINUTE, gatewayLatencyMs: 300 }),
])

const storeWith = async (records: readonly RecordedPayment[]) => {
  const store = createMemoryStore({ collections: analyticsCollections })
  await store.write([...writesOf(experimentTallies, records), ...writesOf(experimentPayments, records)])
  return createAnalyticsQueries({ store, now: () => 10 * MINUTE })
}
const query = { experimentId: 'e_1', startMs: undefined, endMs: undefined, historySince: 0 }
const rules = { minSampleSize: 1, guardrailThresholdPp: 3, evaluationMargin: 1, variantShare: 0.2, detectableEffectPp: 3 }

describe('figures of an experiment', () => {
  test('each payment counts once, those without an end apart', async () => {
    const { tally } = await (await storeWith(history)).experimentFigures(MERCHANT, query)
    const { control, variant, deltaPp } = experimentResults(tally, rules)
    expect(control).toMatchObject({
      tally: { assigned: 3, resolved: 2, successes: 1, firstSuccesses: 1 },
      pendingCount: 1,
      failureCount: 1,
      authRate: 0.5,
      firstAttemptAuthRate: 0.5,
      averageLatencyMs: 200,
      netExpectedValueBps: 5_000,
    })
    expect(variant).toMatchObject({ pendingCount: 0, failureCount: 0, authRate: 1, firstAttemptAuthRate: 0, averageLatencyMs: null })
    expect(deltaPp).toBe(50)
  })

  describe('with costs', () => {
    const usd = { ...segment, currency: 'USD' }
    const variant = { arm: 'VARIANT', assignedAt: MINUTE } as const
    const priced = inLog([
      ...['p_1', 'p_2', 'p_3'].map((paymentId) => assigned(paymentId)),
      ...['p_4', 'p_5'].map((paymentId) => assigned(paymentId, variant)),
      succeeded('p_1', { costBps: 100 }),
      failed('p_2', { costBps: 300 }),
      succeeded('p_3', { segment: usd }),
      succeeded('p_4', { ...variant, costBps: 150, savedBps: 50, amount: 200 }),
      failed('p_5', { ...variant, costBps: 250, savedBps: 10 }),
      recovered('p_5', { ...variant, costBps: 250, savedBps: 10 }),
    ])
    const figures = async (asked: Partial<typeof query> & { readonly endMs?: undefined } = {}) =>
      (await (await storeWith(priced)).experimentFigures(MERCHANT, { ...query, ...asked })).tally

    test('means are over payments whose cost is known, savings over those that were weighed', async () => {
      const results = experimentResults(await figures(), rules)
      expect(results.control.costs).toEqual({ pricedCount: 2, averageCostBps: 200, averageSavedBps: null, saved: null })
      expect(results.variant.costs).toEqual({ pricedCount: 2, averageCostBps: 200, averageSavedBps: 30, saved: 1.01 })
      expect(results.variant.netExpectedValueBps).toBe(10_000 + 60 / 2)
      expect(results.netDeltaBps).toBeCloseTo(10_030 - 20_000 / 3, 9)
    })

    test('what approvals cost is told by currency', async () => {
      const { currencies } = await figures()
      expect(currencies).toEqual([
        {
          currency: 'EUR',
          control: { successes: 1, amount: 10, costs: { pricedCount: 1, pricedAmount: 10, cost: 0.1, weighedCount: 0, saving: 0 } },
          variant: {
            successes: 2,
            amount: 210,
            costs: { pricedCount: 2, pricedAmount: 210, cost: expect.closeTo(3.25, 9), weighedCount: 2, saving: expect.closeTo(1.01, 9) },
          },
        },
        { currency: 'USD', control: { successes: 1, amount: 10 }, variant: { successes: 0, amount: 0 } },
      ])
    })

    test('savings in several currencies are not added up', () => {
      const paid = { pricedCount: 1, pricedAmount: 1, cost: 1, weighedCount: 1, saving: 1 }
      const none = { successes: 0, amount: 0 }
      const inCurrency = (currency: string) => ({ currency, control: none, variant: { successes: 1, amount: 1, costs: paid } })
      const empty = experimentTallies.initialView([MERCHANT, 'e_1', 'whole'])
      const savedIn = (...currencies: readonly string[]) =>
        experimentResults({ ...empty, currencies: currencies.map(inCurrency) }, rules).variant.costs.saved
      expect([savedIn('EUR'), savedIn('EUR', 'USD')]).toEqual([1, null])
    })

    test('an arm whose cost was weighed and of which nothing was approved has saved nothing', async () => {
      const declined = inLog([assigned('p_9', variant), failed('p_9', { ...variant, costBps: 250, savedBps: 10 })])
      const { tally } = await (await storeWith(declined)).experimentFigures(MERCHANT, query)
      expect(experimentResults(tally, rules).variant.costs).toEqual({
        pricedCount: 1,
        averageCostBps: 250,
        averageSavedBps: 10,
        saved: 0,
      })
    })

    test('minutes add up to the whole', async () => {
      const whole = await figures()
      const minutes = await figures({ startMs: 1 } as never)
      expect(minutes.control.costs).toEqual(whole.control.costs)
      expect(minutes.variant.costs).toEqual(whole.variant.costs)
      expect(minutes.currencies).toEqual(whole.currencies)
    })

    test('known costs alone make no experiment about costs: the interval stays one of approvals', () => {
      const counts = { assigned: 500, resolved: 500, firstSuccesses: 400, latencyCount: 0, latencySumMs: 0 }
      const costs = {
        pricedCount: 500,
        costBpsSum: 5,
        weighedCount: 0,
        savedBpsSum: 0,
        approvedSavedBpsSum: 0,
        approvedSavedBpsSquareSum: 0,
      }
      const empty = experimentTallies.initialView([MERCHANT, 'e_1', 'whole'])
      const tally = { ...empty, control: { ...counts, successes: 400, costs }, variant: { ...counts, successes: 450, costs } }
      const results = experimentResults(tally, rules)
      expect(results.netDeltaBps).toBeNull()
      expect(results.test?.interval).toEqual(results.authIntervalPp)
    })
  })

  test('by segment, and approved amounts by currency', async () => {
    const { tally } = await (await storeWith(history)).experimentFigures(MERCHANT, query)
    const { segments } = experimentResults(tally, rules)
    expect(segments.find(({ dimension, value }) => dimension === 'cardNetwork' && value === 'VISA')).toMatchObject({
      control: { assigned: 3, resolved: 2, successes: 1 },
      variant: { assigned: 0, resolved: 0, successes: 0 },
      intervalPp: null,
    })
    expect(tally.currencies).toEqual([
      { currency: 'EUR', control: { successes: 1, amount: 10 }, variant: { successes: 0, amount: 0 } },
      { currency: 'USD', control: { successes: 0, amount: 0 }, variant: { successes: 1, amount: 7.5 } },
    ])
  })

  test('of a window: by the minute in which payments fell into the experiment', async () => {
    const queries = await storeWith(history)
    const of = async (change: object) => (await queries.experimentFigures(MERCHANT, { ...query, ...change })).tally
    expect(await of({ startMs: MINUTE })).toMatchObject({ control: { assigned: 2, resolved: 1, successes: 0 }, variant: { assigned: 0 } })
    expect(await of({ endMs: MINUTE - 1 })).toMatchObject({ control: { assigned: 1, successes: 1 }, variant: { assigned: 1 } })
    expect(await of({ endMs: MINUTE + 1 })).toMatchObject({ control: { assigned: 3 }, variant: { assigned: 1 } })
    expect(await of({ historySince: 2 * MINUTE })).toMatchObject({ control: { assigned: 0 }, firstAssignedMs: null })
    expect(await of({ endMs: MINUTE, historySince: MINUTE })).toMatchObject({ control: { assigned: 0 }, firstAssignedMs: null })
    expect(await of({ experimentId: 'unknown' })).toMatchObject({ control: { assigned: 0 }, variant: { assigned: 0 } })
  })

  test('of a past window that ends on a full minute leave that minute to the window that begins with it', async () => {
    const queries = await storeWith(history)
    const assignedIn = async (startMs: number, endMs: number) =>
      (await queries.experimentFigures(MERCHANT, { ...query, startMs, endMs })).tally.control.assigned
    expect([await assignedIn(0, MINUTE), await assignedIn(MINUTE, 2 * MINUTE), await assignedIn(0, 2 * MINUTE)]).toEqual([1, 2, 3])
  })

  test('of an experiment with the id of one that was deleted: a minute with payments of both is left out', async () => {
    const records = inLog([
      assigned('p_old', { assignedAt: 1_000 }),
      failed('p_old', { assignedAt: 1_000 }),
      assigned('p_new', { assignedAt: 30_000 }),
      assigned('p_later', { assignedAt: MINUTE + 1 }),
    ])
    const queries = await storeWith(records)
    const ofHistory = async (historySince: number) => (await queries.experimentFigures(MERCHANT, { ...query, historySince })).tally
    expect(await ofHistory(20_000)).toMatchObject({ control: { assigned: 1, resolved: 0 }, firstAssignedMs: MINUTE + 1 })
    expect(await ofHistory(1_000)).toMatchObject({ control: { assigned: 3, resolved: 1 }, firstAssignedMs: 1_000 })
  })

  test('values beyond the first twenty are one group', () => {
    const records = inLog(
      Array.from({ length: 25 }, (_, index) => assigned(`p_${index}`, { segment: { ...segment, country: `C${index}` } })),
    )
    const whole = projected(experimentTallies, records).find(({ view }) => view.minuteMs === null)?.view
    const countries = whole?.segments.filter(({ dimension }) => dimension === 'country') ?? []
    expect(countries).toHaveLength(21)
    expect(countries.find(({ value }) => value === null)?.control.assigned).toBe(5)
  })

  test('decisions that were left out are counted by their reason', () => {
    const experiment = { experimentId: 'e_1', arm: 'VARIANT', algorithmId: 'a_1', overrides: null, exclusion: 'NO_CANDIDATE' } as const
    const records = inLog([{ event: decided('p_1', 1_000, { experiment }), effects: [] }])
    expect(projected(experimentTallies, records).map(({ view }) => view.exclusions)).toEqual([{ NO_CANDIDATE: 1 }, { NO_CANDIDATE: 1 }])
  })

  const anyHistory = fc
    .array(
      fc.record({
        payment: fc.nat(30),
        arm: fc.constantFrom('CONTROL', 'VARIANT'),
        minute: fc.nat(5),
        end: fc.constantFrom('open', 'failed', 'succeeded', 'recovered'),
        country: fc.constantFrom('DE', 'FR', null),
      }),
      { maxLength: 40 },
    )
    .map((payments) =>
      inLog(
        payments.flatMap(({ arm, minute, end, country }, index) => {
          const paymentId = `p_${index}`
          const change = { arm, assignedAt: minute * MINUTE, segment: { ...segment, country } } as const
          const steps = [assigned(paymentId, change)]
          if (end === 'succeeded') steps.push(succeeded(paymentId, change))
          if (end === 'failed' || end === 'recovered') steps.push(failed(paymentId, change))
          if (end === 'recovered') steps.push(recovered(paymentId, change))
          return steps
        }),
      ),
    )

  test('the minutes add up to the whole', async () => {
    await fc.assert(
      fc.asyncProperty(anyHistory, async (records) => {
        const queries = await storeWith(records)
        const { tally: whole } = await queries.experimentFigures(MERCHANT, query)
        const { tally: added } = await queries.experimentFigures(MERCHANT, { ...query, endMs: 10 * MINUTE })
        const byName = (one: ExperimentTally) => [...one.segments].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))
        expect([added.control, added.variant, added.firstAssignedMs, byName(added)]).toEqual([
          whole.control,
          whole.variant,
          whole.firstAssignedMs,
          byName(whole),
        ])
      }),
      { numRuns: 50 },
    )
  })
})

describe('payments of an experiment', () => {
  test('one line each, the newest first, with what became of it', async () => {
    const queries = await storeWith(history)
    const page = { ...query, arm: undefined, standing: undefined, page: 1, pageSize: 3 }
    const { total, payments } = await queries.experimentPayments(MERCHANT, page)
    expect([total, payments.map(({ paymentId, standing }) => [paymentId, standing])]).toEqual([
      4,
      [
        ['p_3', 'failed'],
        ['p_4', 'open'],
        ['p_2', 'succeeded'],
      ],
    ])
    const listed = async (change: object) => {
      const found = await queries.experimentPayments(MERCHANT, { ...page, ...change })
      return [found.total, ...found.payments.map(({ paymentId }) => paymentId)]
    }
    expect(await listed({ page: 2 })).toEqual([4, 'p_1'])
    expect(await listed({ pageSize: 0 })).toEqual([4])
    expect(await listed({ arm: 'VARIANT' })).toEqual([1, 'p_2'])
    expect(await listed({ standing: 'failed' })).toEqual([1, 'p_3'])
    expect(await listed({ startMs: MINUTE, endMs: 2 * MINUTE })).toEqual([1, 'p_4'])
    // The others fell into their arm before, whenever their end came.
    expect(await listed({ historySince: 2_000 })).toEqual([2, 'p_3', 'p_4'])
  })
})
