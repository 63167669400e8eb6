import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Fee } from '../fit/fitted-cluster.ts'
import { fitted, LADDER } from '../serving/sample-model.fixture.ts'
import { connectorFee } from './connector-fees.ts'
import { coverageOf } from './coverage.ts'
import { isPriceChange, largestChanges, PRICE_CHANGE_COUNT_MAX, unchangedPrice } from './price-changes.ts'
import { CURRENCY_COUNT_MAX, savingsOf, type WeighedDecision } from './savings.ts'

const FEE = { pctBps: 100, fixed: 0.1 }

describe('coverage (cost.md 10.2)', () => {
  test('classes, shares and errors', () => {
    const clusters = [
      { ...fitted(FEE, {}, 600), n: 300, errorBps: 2 },
      { ...fitted(FEE, { variant: 'x' }, 200), n: 300, errorBps: 4 },
      { ...fitted(FEE, { variant: 'y' }, 100), n: 300, verdict: 'NON_LINEAR' as const, tiers: LADDER },
      { ...fitted(FEE, { variant: 'z' }, 100), n: 100, verdict: 'THIN' as const },
      { ...fitted(FEE, { currency: 'USD' }, 5), n: 1000, verdict: 'NON_LINEAR' as const },
    ]
    expect(coverageOf(clusters)).toEqual({
      total: { clusters: 5, txns: 2000 },
      good: { clusters: 2, txns: 600 },
      tiered: { clusters: 1, txns: 300 },
      thin: { clusters: 1, txns: 100 },
      nonLinear: { clusters: 2, txns: 1300 },
      currencies: [
        { currency: 'EUR', txns: 1000, gross: 1000, goodGross: 800, tieredGross: 100, thinGross: 100, nonLinearGross: 100 },
        { currency: 'USD', txns: 1000, gross: 5, goodGross: 0, tieredGross: 0, thinGross: 0, nonLinearGross: 5 },
      ],
      goodTxnPct: 30,
      pricedTxnPct: 45,
      goodGrossPct: 40,
      pricedGrossPct: 45,
      errorBpsP50: 3,
      errorBpsP90: 3.8,
    })
  })
  test('nothing covers nothing', () => {
    expect(coverageOf([])).toMatchObject({
      total: { clusters: 0, txns: 0 },
      goodTxnPct: 0,
      goodGrossPct: 0,
      errorBpsP50: 0,
      currencies: [],
    })
  })
})

describe('price changes (cost.md 10.3, 17.4)', () => {
  const priceOf = (fee: Fee, error = 0) => ({ fee, pctErrorBps: error, fixedError: error / 1_000, lookedAtEpochDay: 1 })
  test.each([
    [182, 184.9, 0.1, 0.1, false],
    [182, 185.1, 0.1, 0.1, true],
    [185.1, 182, 0.1, 0.1, true],
    [182, 182, 0.1, 0.11, false],
    [182, 182, 0.1, 0.12, true],
  ])('from %d to %d bps and from %d to %d: %s', (pctBefore, pctAfter, fixedBefore, fixedAfter, isTold) => {
    const before = priceOf({ pctBps: pctBefore, fixed: fixedBefore })
    const after = priceOf({ pctBps: pctAfter, fixed: fixedAfter })
    expect(isPriceChange(before, after)).toBe(isTold)
  })
  test('what chance explains is none, and what is known more exactly stays', () => {
    const [rough, exact] = [priceOf(FEE, 2), priceOf({ pctBps: 110, fixed: 0.11 }, 0.1)]
    expect(isPriceChange(rough, exact)).toBe(false)
    expect(isPriceChange(priceOf(FEE, 0.1), exact)).toBe(true)
    expect(unchangedPrice(rough, exact).fee).toEqual(exact.fee)
    expect(unchangedPrice(exact, { ...rough, lookedAtEpochDay: 9 })).toEqual({ ...exact, lookedAtEpochDay: 9 })
  })
  test('the largest first, up to a bound', () => {
    const all = Array.from({ length: 300 }, (_, index) => ({
      cluster: fitted(FEE, { variant: `v${index}` }).cluster,
      before: FEE,
      after: { ...FEE, pctBps: FEE.pctBps + index },
    }))
    const changes = largestChanges(all)
    expect(changes).toHaveLength(PRICE_CHANGE_COUNT_MAX)
    expect(changes[0]).toMatchObject({ cluster: { variant: 'v299' } })
  })
})

describe('savings (cost.md 16)', () => {
  const won = (changes: Partial<WeighedDecision> = {}): WeighedDecision => ({
    atMs: 1000,
    currency: 'EUR',
    amount: 200,
    outcome: 'COST_WON',
    costSavedBps: 50,
    margin: 0.2,
    authGivenUp: 0.01,
    isApproved: true,
    ...changes,
  })
  const lost = won({ outcome: 'AUTH_WON', costSavedBps: null, authGivenUp: 0 })

  test('in the currency that cost won most in', () => {
    const decisions = [
      won(),
      won({ isApproved: false, atMs: 1999 }),
      won({ atMs: 5000, isApproved: null }),
      lost,
      won({ currency: 'USD', amount: 9999 }),
    ]
    const { trend, ...savings } = savingsOf(decisions, null, 1000)
    expect(savings).toEqual({
      currency: 'EUR',
      availableCurrencies: [
        { currency: 'EUR', decisionCount: 3 },
        { currency: 'USD', decisionCount: 1 },
      ],
      savedValue: 3,
      costWonCount: 3,
      totalDecisions: 4,
      realisedValue: 1,
      authValueGivenUp: expect.closeTo(1.2, 9),
    })
    expect(trend).toEqual([
      { bucketMs: 1000, savedValue: 2 },
      { bucketMs: 5000, savedValue: 1 },
    ])
  })
  test('a currency that is asked for, none, and blank ones', () => {
    expect(savingsOf([won()], 'GBP', 1000)).toMatchObject({ currency: 'GBP', savedValue: 0, totalDecisions: 0, trend: [] })
    expect(savingsOf([lost, won({ currency: ' ' })], null, 1000)).toMatchObject({
      currency: null,
      availableCurrencies: [],
      totalDecisions: 0,
    })
    const many = Array.from({ length: 30 }, (_, index) => won({ currency: `C${index}` }))
    expect(savingsOf(many, null, 1000).availableCurrencies).toHaveLength(CURRENCY_COUNT_MAX)
  })
  test('the trend adds up to the value, and nothing of another currency is in it', () => {
    const decision = fc
      .record({
        atMs: fc.nat(100_000),
        currency: fc.constantFrom('EUR', 'USD'),
        amount: fc.nat(1000),
        bps: fc.integer({ min: 1, max: 500 }),
      })
      .map(({ bps, ...rest }) => won({ ...rest, costSavedBps: bps }))
    fc.assert(
      fc.property(fc.array(decision), (all) => {
        const { trend, savedValue } = savingsOf(all, 'EUR', 1000)
        expect(trend.reduce((sum, bucket) => sum + bucket.savedValue, 0)).toBeCloseTo(savedValue, 6)
        const own = all.filter(({ currency }) => currency === 'EUR')
        expect(savingsOf(own, 'EUR', 1000)).toMatchObject({ trend, savedValue })
      }),
    )
  })
})

describe('fees of connectors (cost.md 12)', () => {
  test('the mean by value of GOOD clusters in the currency of most payments', () => {
    const clusters = [
      fitted({ pctBps: 170, fixed: 0 }, {}, 400_000),
      fitted({ pctBps: 190, fixed: 0 }, { variant: 'x' }, 100_000),
      { ...fitted({ pctBps: 999, fixed: 9 }), verdict: 'THIN' as const },
      { ...fitted({ pctBps: 10, fixed: 100 }, { currency: 'JPY' }, 9e9), n: 400 },
    ]
    expect(connectorFee(clusters, null, { pctBps: 1, fixed: 0.05 })).toMatchObject({
      learned: { currency: 'EUR', pctBps: 174, fixed: 0, goodGross: 500_000 },
      learnedByCurrency: [{ currency: 'EUR' }, { currency: 'JPY', fixed: 100 }],
      effective: { pctBps: 175, fixed: 0.05 },
      source: 'model',
    })
    expect(connectorFee(clusters, FEE, null)).toMatchObject({ effective: FEE, source: 'override' })
    expect(connectorFee([], null, null)).toEqual({ learned: null, learnedByCurrency: [], effective: null, source: 'none' })
  })
})
