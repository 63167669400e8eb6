import { describe, expect, test } from '@jest/globals'
import { createMemoryStore } from '@switchyard/store-memory'
import { analyticsCollections } from '../collections.ts'
import type { OutcomeEffect } from '../recorded-payment.ts'
import { decided, dimensions, effectOf, inLog, MERCHANT, outcome, projected, recorded, writesOf } from '../sample-records.fixture.ts'
import { clusterTraffic } from './cluster-traffic.ts'
import { differenceOfRates } from './difference-of-rates.ts'
import { readClusterTraffic, readComparisons } from './read-traffic.ts'

const MINUTE = 60_000

const decision = (paymentId: string, at: number, change: Parameters<typeof decided>[2] = {}) => recorded(decided(paymentId, at, change))
const reported = (paymentId: string, decidedAt: number, at: number, change: Partial<OutcomeEffect> = {}) => {
  const report = outcome(paymentId, at)
  return recorded(report, [effectOf(report, { payment: { ...dimensions, decidedAt }, ...change })])
}

const viewsOf = (records: Parameters<typeof inLog>[0]) => projected(clusterTraffic, inLog(records)).map(({ view }) => view)
const stored = async (records: Parameters<typeof inLog>[0]) => {
  const store = createMemoryStore({ collections: analyticsCollections })
  await store.write(writesOf(clusterTraffic, inLog(records)))
  return store
}

describe('traffic as the self-tuning sees it', () => {
  test('an outcome belongs to the minute of its decision, whenever it comes', () => {
    const [view, ...others] = viewsOf([decision('a', 1_000), decision('b', 2_000), reported('a', 1_000, 10 * MINUTE)])
    expect(others).toEqual([])
    expect(view?.clusters).toMatchObject([
      {
        paymentMethod: 'CREDIT',
        cardNetwork: 'VISA',
        paymentCount: 2,
        candidateCount: 2,
        gateways: [{ gateway: 'adyen', decidedCount: 2, approvedCount: 1, declinedCount: 0 }],
      },
    ])
  })

  test('a corrected decline is an approval; what does not count is left out', () => {
    const [view] = viewsOf([
      decision('a', 1_000),
      reported('a', 1_000, 2_000, { success: false }),
      reported('a', 1_000, 3_000, { disposition: 'corrected', success: true }),
      reported('a', 1_000, 4_000, { disposition: 'repeated', success: null }),
      reported('a', 1_000, 5_000, { disposition: 'late', success: null }),
    ])
    expect(view?.clusters[0]?.gateways).toEqual([{ gateway: 'adyen', decidedCount: 1, approvedCount: 1, declinedCount: 0 }])
  })

  test.each([
    ['of a single candidate', { candidates: ['adyen'] }],
    ['by priority', { approach: 'PRIORITY_LOGIC', rankingAlgorithm: 'PL_BASED_ROUTING' as const }],
  ])('a decision %s is none that knobs had a part in', (_, change) => {
    expect(viewsOf([decision('a', 1_000, change)])).toEqual([])
  })

  test('its outcome is left out too, though its group has others: the self-tuning took them for its own', () => {
    const [view, ...others] = viewsOf([
      decision('a', 1_000),
      decision('b', 1_500, { candidates: ['adyen'] }),
      reported('b', 1_500, 2_000, { success: false, payment: { ...dimensions, decidedAt: 1_500, bySuccessRate: false } }),
      reported('a', 1_000, 2_500),
    ])
    expect(others).toEqual([])
    expect(view?.clusters).toMatchObject([
      { paymentCount: 1, gateways: [{ gateway: 'adyen', decidedCount: 1, approvedCount: 1, declinedCount: 0 }] },
    ])
  })

  test('groups are told apart by the dimensions asked for, and no others', async () => {
    const store = await stored([
      decision('a', 1_000),
      decision('b', MINUTE, { currency: 'USD' }),
      decision('c', MINUTE, { gateway: 'stripe', cardNetwork: null }),
      decision('d', MINUTE, { paymentMethod: '' }),
    ])
    const span = { startMs: 0, endMs: 2 * MINUTE }
    const [all, ...rest] = await readClusterTraffic(store, MERCHANT, { ...span, dimensions: [] })
    expect(rest).toEqual([])
    expect(all).toMatchObject({ paymentMethodType: 'CARD', currency: null, cardNetwork: null, paymentCount: 3, gatewayCount: 2 })
    const byCurrency = await readClusterTraffic(store, MERCHANT, { ...span, dimensions: ['currency'] })
    expect(byCurrency.map(({ currency, paymentCount }) => [currency, paymentCount])).toEqual(
      expect.arrayContaining([
        ['EUR', 2],
        ['USD', 1],
      ]),
    )
    expect(await readClusterTraffic(store, MERCHANT, { startMs: 0, endMs: MINUTE, dimensions: [] })).toMatchObject([{ paymentCount: 1 }])
  })

  describe('of a minute with more groups than it tells apart', () => {
    const countries = Array.from({ length: 150 }, (_, index) => `country ${index}`)
    const records = countries.flatMap((country, at) => [
      decision(`p${at}`, at, { country, gateway: 'stripe' }),
      reported(`p${at}`, at, 1_000 + at, { gateway: 'stripe', payment: { ...dimensions, country, decidedAt: at } }),
    ])
    const span = { startMs: 0, endMs: MINUTE }

    test('all payments count for their method: the self-tuning took a busy merchant for a small one', async () => {
      const found = await readClusterTraffic(await stored(records), MERCHANT, { ...span, dimensions: [] })
      const gateways = [{ gateway: 'stripe', decidedCount: 150, approvedCount: 150, declinedCount: 0 }]
      expect(found).toMatchObject([{ paymentMethod: 'CREDIT', country: null, paymentCount: 150, gatewayCount: 2, gateways }])
    })

    test('those without a group of their own are in none by another dimension', async () => {
      const found = await readClusterTraffic(await stored(records), MERCHANT, { ...span, dimensions: ['country'] })
      expect(found.map(({ country }) => country)).toEqual(countries.slice(0, 128))
      expect(await readClusterTraffic(await stored(records), MERCHANT, { ...span, dimensions: ['currency'] })).toMatchObject([
        { currency: 'EUR', paymentCount: 128 },
      ])
    })

    test('it stays bounded whatever is sent, and says how much is missing', () => {
      const methods = Array.from({ length: 400 }, (_, at) => decision(`p${at}`, at, { paymentMethod: `method ${at}` }))
      const [view] = viewsOf(methods)
      expect(view?.clusters).toHaveLength(160)
      expect(view?.lostCount).toBe(240)
    })
  })

  test('before and behind a moment, without the minute that it falls into', async () => {
    const at = 2 * MINUTE + 5
    const store = await stored([
      decision('a', MINUTE),
      reported('a', MINUTE, MINUTE + 1, { success: false }),
      decision('b', 2 * MINUTE + 1),
      decision('c', 3 * MINUTE),
      reported('c', 3 * MINUTE, 3 * MINUTE + 1),
      decision('d', 9 * MINUTE),
    ])
    const cluster = { ...dimensions, cardNetwork: null, currency: null, country: null, authType: null }
    const [found] = await readComparisons(store, MERCHANT, [{ cluster, fromMs: 0, atMs: at, toMs: 5 * MINUTE }])
    expect(found).toEqual({
      before: { paymentCount: 1, approvedCount: 0, outcomeCount: 1 },
      after: { paymentCount: 1, approvedCount: 1, outcomeCount: 1 },
    })
  })
})

describe('the difference of two shares', () => {
  test("Newcombe's worked example: 48 of 80 and 56 of 70", () => {
    const counts = (approvedCount: number, outcomeCount: number) => ({ approvedCount, outcomeCount, paymentCount: outcomeCount })
    const difference = differenceOfRates(counts(48, 80), counts(56, 70))
    expect(difference?.deltaPp).toBeCloseTo(20, 6)
    expect(difference?.intervalPp[0]).toBeCloseTo(5.24, 1)
    expect(difference?.intervalPp[1]).toBeCloseTo(33.39, 1)
    expect(differenceOfRates(counts(0, 0), counts(1, 1))).toBeNull()
  })
})
