import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { FittedCluster } from '../fit/fitted-cluster.ts'
import { NOT_FOUND, placeOf, TupleBuilder, UNKNOWN } from '../tuple-index.ts'
import type { AddOn, PricedPayment } from './cost-model.ts'
import type { GatewayCost } from './cost-table.ts'
import { Names } from './names.ts'
import { blend, curveOfTiers, effectiveBps, feeAt, flatCurve, raise } from './price-curve.ts'
import { type CostModel, counted, fitted, key, LADDER, learned, model, payment, tableOf, tier } from './sample-model.fixture.ts'

const FEE = { pctBps: 140, fixed: 0.11 }
const adyen = (clusters: readonly FittedCluster[], addOn: AddOn | null = null) => learned('adyen', clusters, addOn)
const costOf = (of: CostModel, changes: Partial<PricedPayment> = {}, gateway = 'Adyen'): GatewayCost | undefined =>
  tableOf(of).price(payment(changes)).costOn(gateway)

describe('numbers for texts', () => {
  test('an index finds what was put in, and nothing else', () => {
    const part = fc.integer({ min: 0, max: 6 })
    const tuple = fc.tuple(part, part, part)
    fc.assert(
      fc.property(fc.array(tuple, { maxLength: 60 }), fc.array(tuple, { maxLength: 20 }), (keys, asked) => {
        const builder = new TupleBuilder(3)
        const places = new Map(keys.map((parts) => [parts.join(), builder.add(parts)]))
        expect(builder.count).toBe(places.size)
        const table = builder.finish()
        for (const parts of [...asked, ...keys]) expect(placeOf(table, parts)).toBe(places.get(parts.join()) ?? NOT_FOUND)
      }),
    )
  })
  test('a text keeps its number', () => {
    const names = new Names()
    expect([names.add('a'), names.add('b'), names.add('a'), names.of('b'), names.of('c')]).toEqual([1, 2, 1, 2, UNKNOWN])
    expect(names.textOf(2)).toBe('b')
  })
})

describe('curves', () => {
  const bpsAt = (amount: number) => effectiveBps(feeAt(curveOfTiers(LADDER) ?? flatCurve(FEE), amount), amount)
  test.each([
    [120, 179.17],
    [6000, 118.67],
    [10, 150 + 350],
    [50_000, 55 + 7.64],
    [3981.07, 55 + (38.2 / 3981.07) * 10_000],
  ])('tiers at %d: %d bps (cost.md 17.4)', (amount, bps) => {
    expect(bpsAt(amount)).toBeCloseTo(bps, 2)
  })
  test('a piece that is not good costs the mean of the good ones, a gap what the last piece does', () => {
    const curve = curveOfTiers([
      tier(1, 10, { pctBps: 100, fixed: 0 }, { gross: 100 }),
      tier(10, 100, { pctBps: 900, fixed: 9 }, { verdict: 'THIN' }),
      tier(100, 1000, null),
      tier(1000, 10_000, { pctBps: 40, fixed: 2 }, { gross: 300 }),
    ])
    expect(curve).toEqual({
      starts: [10, 100, 1000],
      fees: [
        { pctBps: 100, fixed: 0 },
        { pctBps: 55, fixed: 1.5 },
        { pctBps: 40, fixed: 2 },
        { pctBps: 40, fixed: 2 },
      ],
    })
    expect(curveOfTiers([tier(1, 10, FEE, { verdict: 'THIN' })])).toBeUndefined()
  })
  test('a blend is the mean of its members at every amount', () => {
    const fee = fc.record({ pctBps: fc.integer({ min: 0, max: 300 }), fixed: fc.integer({ min: 0, max: 100 }) })
    const curve = fc
      .tuple(fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), { maxLength: 4 }), fc.array(fee, { minLength: 5, maxLength: 5 }))
      .map(([starts, fees]) => ({ starts: starts.sort((a, b) => a - b), fees: fees.slice(0, starts.length + 1) }))
    const members = fc.array(fc.record({ curve, weight: fc.integer({ min: 1, max: 100 }) }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(members, fc.integer({ min: 1, max: 1100 }), (all, amount) => {
        const total = all.reduce((sum, { weight }) => sum + weight, 0)
        const mean = all.reduce((sum, member) => sum + effectiveBps(feeAt(member.curve, amount), amount) * member.weight, 0) / total
        expect(effectiveBps(feeAt(blend(all), amount), amount)).toBeCloseTo(mean, 6)
      }),
    )
  })
  test.each([
    [{ pctBps: -10, fixed: 0 }, 100, 0],
    [{ pctBps: 10, fixed: -1 }, 10, 0],
    [{ pctBps: 10, fixed: 1 }, 0, 10],
    [{ pctBps: 194, fixed: 0.24 }, 60, 234],
  ])('%j on %d costs %d bps', (fee, amount, bps) => {
    expect(effectiveBps(fee, amount)).toBeCloseTo(bps, 9)
  })
  test('an addition is on every fee', () => {
    expect(raise(flatCurve(FEE), { pctBps: 1, fixed: 1 }).fees).toEqual([{ pctBps: 141, fixed: 1.11 }])
  })
})

describe('learned costs (cost.md 14)', () => {
  test('the cluster of the payment', () => {
    expect(costOf(model({ accounts: [adyen([fitted(FEE)])] }))).toEqual({
      bps: 151,
      fee: FEE,
      rung: 'exact',
      interchangeCategory: 'consumer',
    })
  })
  test('accounts count by their value', () => {
    const accounts = [adyen([fitted({ pctBps: 170, fixed: 0 }, {}, 400_000)]), adyen([fitted({ pctBps: 190, fixed: 0 }, {}, 100_000)])]
    expect(costOf(model({ accounts }))?.bps).toBeCloseTo(174, 9)
  })
  test.each([
    [65, 166.128],
    [20, 221.513],
    [400, 145.513],
  ])('an invoice on %d: %d bps (cost.md 17.3)', (amount, bps) => {
    const addOn = { pctBps: 1.51282, fixed: 0.05, currency: 'EUR' }
    const categoryCounts = [10, 13, 18, 20, 26].map((band) => counted({ band }))
    expect(costOf(model({ accounts: [adyen([fitted(FEE)], addOn)], categoryCounts }), { amount })?.bps).toBeCloseTo(bps, 2)
    const other = adyen([fitted(FEE)], { ...addOn, currency: 'USD' })
    expect(costOf(model({ accounts: [other] }), { amount })?.fee).toEqual({ pctBps: 140 + 1.51282, fixed: 0.11 })
  })
  test('tiers of a cluster that no line fits', () => {
    const tiered: FittedCluster = { ...fitted(FEE), verdict: 'NON_LINEAR', tiers: LADDER }
    expect(costOf(model({ accounts: [adyen([tiered])] }), { amount: 6000 })).toMatchObject({ rung: 'exact', fee: { pctBps: 55 } })
    expect(costOf(model({ accounts: [adyen([{ ...tiered, tiers: [] }])] }))).toBeUndefined()
  })
  test('the product of the card, or a blend of all', () => {
    const accounts = [
      adyen([fitted({ pctBps: 20, fixed: 0 }, { cardProduct: '20' }), fitted({ pctBps: 80, fixed: 0 }, { cardProduct: '80' }, 3000)]),
    ]
    const productByBin = new Map([['411111', '20']])
    expect(costOf(model({ accounts, productByBin }), { bin: '41111122' })).toMatchObject({ bps: 20, rung: 'exact' })
    expect(costOf(model({ accounts, productByBin }), { bin: '511111' })).toMatchObject({ bps: 65, rung: 'products' })
  })
  test('another variant, another country, and what nothing is known of', () => {
    const accounts = [adyen([fitted(FEE), fitted({ pctBps: 200, fixed: 0 }, { issuerCountry: 'US' })])]
    expect(costOf(model({ accounts }), { program: 'GOLD' })).toMatchObject({ rung: 'variants', bps: 151 })
    expect(costOf(model({ accounts }), { issuerCountry: 'FR' })).toMatchObject({ rung: 'region', bps: 151, interchangeCategory: null })
    expect(costOf(model({ accounts }), { issuerCountry: 'US' })).toMatchObject({ bps: 200 })
    expect(costOf(model({ accounts }), { issuerCountry: 'JP' })).toBeUndefined()
    expect(costOf(model({ accounts }), { issuerCountry: '' })).toBeUndefined()
    expect(costOf(model({ accounts }), { currency: 'USD' })).toBeUndefined()
    expect(costOf(model({ accounts }), { network: '' })).toBeUndefined()
    expect(costOf(model({ accounts }), {}, 'stripe')).toBeUndefined()
  })
  test('a report that tells no issuer and no category prices cards from everywhere', () => {
    const totals = fitted(FEE, { issuerCountry: '', interchangeCategory: '', variant: 'visa' })
    const accounts = [learned('stripe', [totals])]
    for (const issuerCountry of ['NL', 'BR', '']) expect(costOf(model({ accounts }), { issuerCountry }, 'stripe')?.bps).toBe(151)
  })
  test('names in other spellings', () => {
    const accounts = [adyen([fitted(FEE, { cardNetwork: 'mc', variant: 'mc_applepay', issuerCountry: 'NLD', currency: 'eur' })])]
    const categoryCounts = [counted({ cardNetwork: 'mc', variant: 'mc_applepay' })]
    const changes = { network: 'Master Card', paymentMethod: 'APPLE_PAY', issuerCountry: 'nl' }
    expect(costOf(model({ accounts, categoryCounts }), changes)).toMatchObject({ rung: 'exact' })
  })
})

describe('the guess of a category', () => {
  const two = [
    adyen([fitted({ pctBps: 10, fixed: 0 }, { interchangeCategory: 'a' }), fitted({ pctBps: 30, fixed: 0 }, { interchangeCategory: 'b' })]),
  ]
  const guessed = (...categoryCounts: readonly ReturnType<typeof counted>[]) =>
    costOf(model({ accounts: two, categoryCounts }))?.interchangeCategory
  test('the most frequent, the smaller name of two, by connector, from 20 payments on', () => {
    expect(guessed(counted({ interchangeCategory: 'a' }), counted({ interchangeCategory: 'b', count: 101 }))).toBe('b')
    expect(guessed(counted({ interchangeCategory: 'b' }), counted({ interchangeCategory: 'a' }))).toBe('a')
    expect(guessed(counted({ interchangeCategory: 'a' }), counted({ interchangeCategory: 'b', count: 500, connector: 'chase' }))).toBe('a')
    expect(guessed(counted({ interchangeCategory: 'a', count: 19 }))).toBeNull()
    expect(guessed(counted({ interchangeCategory: 'a', count: 20 }))).toBe('a')
  })
  test.each([
    ['its band', { band: 20 }],
    ['any band', { band: 3 }],
    ['any issuer', { issuerCountry: 'DE' }],
    ['any channel', { channel: 'pos' as const }],
    ['any variant', { variant: 'other' }],
    ['funding and band', { variant: 'other', issuerCountry: 'DE', channel: 'pos' as const }],
    ['funding alone', { variant: 'other', issuerCountry: 'DE', channel: 'pos' as const, band: 1 }],
  ])('%s', (_name, changes) => {
    expect(guessed(counted({ interchangeCategory: 'b', ...changes }))).toBe('b')
  })
  test('is one of payments with the same funding, also where a wallet names debit and credit alike', () => {
    const [debit, credit] = [
      { variant: 'visa_applepay', interchangeCategory: 'debit' },
      { variant: 'visa_applepay', interchangeCategory: 'credit', funding: 'credit' },
    ] as const
    const accounts = [adyen([fitted({ pctBps: 60, fixed: 0 }, debit), fitted({ pctBps: 90, fixed: 0 }, credit)])]
    const categoryCounts = [counted({ ...debit, count: 600 }), counted({ ...credit, count: 300 })]
    const costWith = (funding: string) => costOf(model({ accounts, categoryCounts }), { funding, program: '', paymentMethod: 'APPLE_PAY' })
    expect(costWith('DEBIT')).toMatchObject({ bps: 60, rung: 'exact', interchangeCategory: 'debit' })
    expect(costWith('CREDIT')).toMatchObject({ bps: 90, rung: 'exact', interchangeCategory: 'credit' })
  })
})

describe('overrides (cost.md 12)', () => {
  const fee = { pctBps: 77, fixed: 0 }
  const override = { key: key(), fee }
  test('of the cluster, before that of the connector, before what is learned; invoices are not added', () => {
    const addOn = { pctBps: 5, fixed: 5, currency: 'EUR' }
    const all = model({
      accounts: [adyen([fitted(FEE)], addOn)],
      clusterOverrides: [override],
      connectorOverrides: new Map([['ADYEN', FEE]]),
    })
    expect(costOf(all)).toMatchObject({ rung: 'cluster-override', bps: 77 })
    expect(costOf({ ...all, clusterOverrides: [] })).toMatchObject({ rung: 'connector-override', bps: 151 })
    expect(costOf({ ...all, clusterOverrides: [] }, { currency: 'JPY', network: '' })).toMatchObject({ rung: 'connector-override' })
  })
  test('without any report the category and the variant need not be known', () => {
    const bare = model({ clusterOverrides: [override], categoryCounts: [] })
    expect(costOf(bare)).toMatchObject({ rung: 'cluster-override' })
    expect(costOf(bare, { program: '' })).toMatchObject({ rung: 'cluster-override' })
    expect(costOf(bare, { issuerCountry: 'DE' })).toBeUndefined()
  })
  test('it is never guessed between two that differ', () => {
    const gold = { key: key({ variant: 'visagolddebit' }), fee: { pctBps: 99, fixed: 0 } }
    const two = model({ clusterOverrides: [override, gold] })
    expect(costOf(two)).toMatchObject({ bps: 77 })
    expect(costOf(two, { program: 'GOLD' })).toMatchObject({ bps: 99 })
    expect(costOf(two, { program: 'PLATINUM' })).toBeUndefined()
  })
  test('it does not reach a cluster that is learned by itself', () => {
    const gold = { key: key({ variant: 'visagolddebit' }), fee }
    expect(costOf(model({ accounts: [adyen([fitted(FEE)])], clusterOverrides: [gold] }))).toMatchObject({ rung: 'exact' })
  })
  test('it does not reach a cluster that is learned by itself, of which only the card product is not known', () => {
    const gold = { key: key({ variant: 'visagolddebit' }), fee }
    const accounts = [adyen([fitted(FEE, { cardProduct: '20' })])]
    expect(costOf(model({ accounts, clusterOverrides: [gold] }))).toMatchObject({ rung: 'products', bps: 151 })
    expect(costOf(model({ accounts, clusterOverrides: [override] }))).toMatchObject({ rung: 'cluster-override', bps: 77 })
  })
  test('it prices cards from everywhere where reports tell no issuer and no category, as their cluster does', () => {
    const told = { variant: 'visadebit', issuerCountry: '', interchangeCategory: '' }
    const clusterOverrides = [{ key: key({ connector: 'stripe', ...told }), fee }]
    const all = model({ accounts: [learned('stripe', [fitted(FEE, told)])], clusterOverrides })
    for (const issuerCountry of ['NL', 'BR', ''])
      for (const program of ['', 'STANDARD'])
        expect(costOf(all, { issuerCountry, program }, 'stripe')).toMatchObject({ rung: 'cluster-override', bps: 77 })
    expect(costOf(model({ clusterOverrides }), { program: '' }, 'stripe')).toMatchObject({ rung: 'cluster-override' })
  })
  test('one of cards without an issuer does not reach an issuer that is learned, or overridden, by itself', () => {
    const [own, none] = [{ variant: 'visadebit' }, { variant: 'visadebit', issuerCountry: '' }]
    const accounts = [adyen([fitted(FEE, own), fitted({ pctBps: 200, fixed: 0 }, none)])]
    const ofNone = { key: key(none), fee }
    const asked = (...clusterOverrides: readonly (typeof ofNone)[]) => model({ accounts, clusterOverrides })
    for (const program of ['', 'STANDARD']) expect(costOf(asked(ofNone), { program })?.bps).toBe(151)
    expect(costOf(asked(ofNone), { issuerCountry: 'FR', program: '' })).toMatchObject({ rung: 'cluster-override', bps: 77 })
    const ofFrance = { key: key({ ...own, issuerCountry: 'FR' }), fee: { pctBps: 9, fixed: 0 } }
    expect(costOf(asked(ofNone, ofFrance), { issuerCountry: 'FR', program: '' })).toMatchObject({ rung: 'cluster-override', bps: 9 })
  })
  test('an override for another category is not for this payment', () => {
    expect(costOf(model({ clusterOverrides: [{ key: key({ interchangeCategory: 'Other' }), fee }] }))).toBeUndefined()
  })
})

test('a candidate with the id of an account costs what its connector does, unless something is set for just this one', () => {
  const costWith = (changes: Partial<CostModel>) => costOf(model(changes), {}, 'Adyen:ShopEU')
  const [plain, own] = [
    { pctBps: 77, fixed: 0 },
    { pctBps: 9, fixed: 0 },
  ]
  expect(costWith({ accounts: [adyen([fitted(FEE)])] })).toMatchObject({ rung: 'exact', bps: 151 })
  expect(costWith({ clusterOverrides: [{ key: key(), fee: plain }] })).toMatchObject({ rung: 'cluster-override', bps: 77 })
  expect(costWith({ connectorOverrides: new Map([['adyen', plain]]) })).toMatchObject({ rung: 'connector-override', bps: 77 })
  expect(costWith({ connectorOverrides: new Map(Object.entries({ adyen: plain, 'adyen:shopeu': own })) })?.bps).toBe(9)
  expect(costOf(model({ connectorOverrides: new Map([['adyen', plain]]) }), {}, 'adyenx:1')).toBeUndefined()
})

describe('contract rates (cost.md 13)', () => {
  const any = { gateway: 'Stripe', network: null, funding: null, program: null, currency: null, issuer: null }
  const rate = (changes: object) => ({ ...any, interchangeBps: 100, schemeBps: 10, markupBps: 20, fixed: 0, ...changes })
  const priced = (changes: Partial<PricedPayment>, ...contractRates: readonly ReturnType<typeof rate>[]) =>
    costOf(model({ contractRates }), changes, 'stripe')
  test('parts add up', () => {
    expect(priced({}, rate({ fixed: 0.5 }))).toEqual({
      bps: 180,
      fee: { pctBps: 130, fixed: 0.5 },
      rung: 'contract',
      interchangeCategory: null,
    })
  })
  test('more named dimensions win, then the country, the later of two; what is not named is not priced', () => {
    expect(priced({}, rate({ issuer: 'EU', markupBps: 1 }), rate({ network: 'visa', funding: 'debit', markupBps: 2 }))?.bps).toBe(112)
    expect(priced({}, rate({ currency: 'eur', markupBps: 3 }), rate({ issuer: 'nl', markupBps: 1 }), rate({}))?.bps).toBe(111)
    expect(priced({}, rate({ markupBps: 1 }), rate({ markupBps: 2 }))?.bps).toBe(112)
    expect(priced({}, rate({ program: 'gold' }))).toBeUndefined()
    expect(priced({ network: 'mc' }, rate({ network: 'MasterCard' }))?.bps).toBe(130)
  })
  test('what is learned comes first', () => {
    expect(costOf(model({ accounts: [adyen([fitted(FEE)])], contractRates: [rate({ gateway: 'adyen' })] }))).toMatchObject({
      rung: 'exact',
    })
  })
})
