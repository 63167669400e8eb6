import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { sampleRequest } from '../decide/sample-request.fixture.ts'
import type { CoBadgedCard, DebitDetails } from './co-badged-card.ts'
import { type NetworkFeeTable, networkFeeOf } from './network-fees.ts'
import { createRouteByNetwork, type NetworkResult, type NetworkRouting, type RouteByNetwork } from './route-by-network.ts'
import { sampleCard, sampleFees, sampleRouting } from './sample-debit.fixture.ts'

const CATEGORY = 'merchant_category_code_0001'
const FRAUD = 'GOVERNMENT NON-EXEMPT INTERCHANGE FEE (WITH FRAUD)'

interface Asked {
  readonly details?: Partial<DebitDetails>
  readonly candidates?: readonly string[]
  readonly cardIsIn?: string | null
  readonly route?: RouteByNetwork
}

const resultOf = (card: CoBadgedCard | null, amount: number, asked: Asked = {}): NetworkResult => {
  const { details = {}, candidates = ['alpha', 'beta'], cardIsIn = null, route = sampleRouting() } = asked
  const debit = { details: { merchantCategoryCode: CATEGORY, acquirerCountry: 'US', card, ...details } }
  return route(sampleRequest({ candidates, debit }, { amount, cardIsIn }))
}
const routingOf = (card: CoBadgedCard | null, amount: number, asked: Asked = {}): NetworkRouting => {
  const { routing, problem } = resultOf(card, amount, asked)
  if (routing === undefined) throw new Error(problem)
  return routing
}
const namesOf = ({ options }: NetworkRouting): readonly string[] => options.map(({ network }) => network)
const savingsOf = ({ options }: NetworkRouting): readonly number[] => options.map(({ savingPercent }) => savingPercent)

const REGULATED = { isRegulated: true }
const WITH_FRAUD = { isRegulated: true, regulatedName: FRAUD }
const PLAIN = {}

describe('the worked examples of network.md 6.1', () => {
  test.each<[number, string, number, Partial<CoBadgedCard>, string, readonly number[], readonly number[]]>([
    [1, 'VISA NYCE PULSE STAR', 1000, PLAIN, 'STAR VISA PULSE NYCE', [33.8, 34.875, 35, 36.8125], [0.11, 0, 0, 0]],
    [2, 'VISA NYCE PULSE STAR', 4200, PLAIN, 'NYCE STAR PULSE VISA', [81.6125, 89.16, 89.4, 92.075], [0.25, 0.07, 0.06, 0]],
    [3, 'VISA NYCE PULSE STAR', 1000, REGULATED, 'NYCE STAR VISA PULSE', [3.21, 3.21, 4.085, 4.71], [0.09, 0.09, 0, 0]],
    [4, 'VISA NYCE PULSE STAR', 1000, WITH_FRAUD, 'NYCE STAR VISA PULSE', [4.21, 4.21, 5.085, 5.71], [0.09, 0.09, 0, 0]],
    [5, 'STAR NYCE VISA', 800, REGULATED, 'STAR NYCE VISA', [2.91, 2.91, 3.71], [0.1, 0.1, 0]],
    [6, 'MASTERCARD ACCEL', 60, PLAIN, 'ACCEL MASTERCARD', [8.93, 20.08], [18.58, 0]],
    [7, 'MASTERCARD ACCEL NYCE', 2500, PLAIN, 'ACCEL NYCE MASTERCARD', [46.75, 57.8125, 64], [0.69, 0.25, 0]],
    [8, 'VISA MASTERCARD PULSE', 5000, PLAIN, 'PULSE VISA MASTERCARD', [103, 106.375, 109], [0.07, 0, 0]],
    [9, 'VISA ACCEL', 1000, REGULATED, 'VISA ACCEL', [4.085, 4.71], [0, 0]],
    [10, 'VISA ACCEL', 6000, REGULATED, 'ACCEL VISA', [7.21, 13.46], [0.1, 0]],
    [11, 'PULSE STAR', 250, PLAIN, 'STAR PULSE', [20.825, 22.25], [0, 0]],
    [12, 'VISA NYCE', 1500, PLAIN, 'VISA NYCE', [43.8125, 43.8125], [0, 0]],
    [14, 'VISA NYCE PULSE', 0, PLAIN, 'VISA PULSE NYCE', [17, 18, 22.8125], [0, 0, 0]],
  ])('#%i: %s, %d', (_number, networks, amount, card, order, fees, savings) => {
    const routing = routingOf(sampleCard(networks.split(' '), card), amount)
    expect(namesOf(routing)).toEqual(order.split(' '))
    for (const [index, { fee }] of routing.options.entries()) expect(fee).toBeCloseTo(fees[index] ?? Number.NaN, 10)
    expect(savingsOf(routing)).toEqual(savings)
  })

  test('#13: an unpriced network is skipped and told; an error only when none is left (contract/README.md 12)', () => {
    const routing = routingOf(sampleCard(['VISA', 'AMEX']), 100)
    expect(namesOf(routing)).toEqual(['VISA'])
    expect(routing.skipped).toEqual(['AMEX'])
    expect(resultOf(sampleCard(['AMEX', 'DINERS', 'RUPAY']), 100)).toEqual({
      problem: 'no network of the card is known, priced and supported: AMEX, DINERS, RUPAY',
    })
    expect(resultOf(sampleCard([`x${'😀'.repeat(120)}`]), 100)).toEqual({
      problem: `no network of the card is known, priced and supported: x${'😀'.repeat(99)}\uFFFD`,
    })
  })

  test.each([
    ['VISA', 1.7875, 17, 0.1875, 2.21],
    ['MASTERCARD', 1.8, 19, 0.2, 4.21],
    ['ACCEL', 1.55, 8, 0.05, 4.21],
    ['NYCE', 1.4, 22.8125, 0.15, 1.71],
    ['PULSE', 1.7, 18, 0.15, 3.21],
    ['STAR', 1.73, 16.5, 0.15, 1.71],
  ] as const)('the totals of %s (network.md 5.1)', (network, percent, fixed, regulatedPercent, regulatedFixed) => {
    for (const amount of [0, 1, 100.5, 12_345.67]) {
      const feeOf = (isRegulated: boolean, regulatedName: string | null) =>
        networkFeeOf(sampleFees(), network, { amount, category: CATEGORY, isRegulated, regulatedName })
      expect(feeOf(false, null)).toBeCloseTo((amount * percent) / 100 + fixed, 8)
      expect(feeOf(true, null)).toBeCloseTo((amount * regulatedPercent) / 100 + regulatedFixed, 8)
      expect(feeOf(true, FRAUD)).toBeCloseTo((amount * regulatedPercent) / 100 + regulatedFixed + 1, 8)
      expect(feeOf(true, FRAUD.toLowerCase())).toBe(feeOf(true, null))
      expect(feeOf(false, FRAUD)).toBe(feeOf(false, null))
    }
  })

  test.each([
    ['PULSE', 1142.857, false, 'VISA'],
    ['NYCE', 1500, false, 'VISA'],
    ['NYCE', 1912.88, false, 'STAR'],
    ['NYCE', 9875, false, 'ACCEL'],
    ['ACCEL', 1454.545, true, 'VISA'],
    ['ACCEL', 2500, true, 'NYCE'],
    ['PULSE', 2666.667, true, 'VISA'],
  ] as const)('%s breaks even above %d (regulated: %s) against %s', (network, amount, isRegulated, other) => {
    const card = sampleCard([other, network], { isRegulated })
    expect(namesOf(routingOf(card, amount - 0.01))).toEqual([other, network])
    expect(namesOf(routingOf(card, amount + 0.01))).toEqual([network, other])
  })
})

describe('networks of a card', () => {
  test.each([
    ['VISA', 'VISA visa Visa viSA'],
    ['MASTERCARD', 'MASTERCARD mastercard Mastercard'],
    ['STAR', 'STAR star Star'],
    ['PULSE', 'PULSE pulse Pulse'],
    ['ACCEL', 'ACCEL accel Accel'],
    ['NYCE', 'NYCE nyce Nyce'],
  ])('%s in all its spellings; repetitions are kept', (network, spellings) => {
    expect(new Set(namesOf(routingOf(sampleCard(spellings.split(' ')), 10)))).toEqual(new Set([network]))
    expect(namesOf(routingOf(sampleCard(spellings.split(' ')), 10))).toHaveLength(spellings.split(' ').length)
  })

  test.each([
    ['AMEX', 'AMEX amex Amex'],
    ['DINERS', 'DINERS dinersclub DinersClub'],
    ['RUPAY', 'RUPAY rupay RuPay'],
  ] as const)('%s in all its spellings, where a deployment prices it', (network, spellings) => {
    const fees = { networkFees: new Map([[network, { percent: 1, fixed: 1 }]]) }
    const card = sampleCard(spellings.split(' '), REGULATED)
    expect(new Set(namesOf(routingOf(card, 10, { route: sampleRouting(fees) })))).toEqual(new Set([network]))
  })

  test('unknown names are skipped and told', () => {
    const routing = routingOf(sampleCard(['DISCOVER', 'VISA', 'MAESTRO', 'JCB', 'Star Network', 'STAR']), 1000)
    expect(namesOf(routing)).toEqual(['STAR', 'VISA'])
    expect(routing.skipped).toEqual(['DISCOVER', 'MAESTRO', 'JCB', 'Star Network'])
  })

  test('an empty list has no cheapest network', () => {
    expect(resultOf(sampleCard([]), 1)).toEqual({ problem: 'the list of the card names no network' })
  })

  test('what the order follows from is told', () => {
    const card = sampleCard(['VISA'], { issuerCountry: 'DE', regulatedName: 'any', cardType: 'credit' })
    expect(routingOf(card, 5)).toMatchObject({
      issuerCountry: 'DE',
      acquirerCountry: 'US',
      isRegulated: false,
      regulatedName: 'any',
      cardType: 'credit',
      source: 'METADATA',
      category: CATEGORY,
      feeTableVersion: 'v1',
      gateways: null,
    })
  })
})

describe('what metadata leave open', () => {
  const route = createRouteByNetwork({
    fees: sampleFees(),
    binTable: { cardOf: (bin) => (bin === '400000' ? { card: sampleCard(['VISA'], { source: 'BIN_TABLE' }) } : { problem: 'unknown' }) },
    defaultsOf: (merchantId) => (merchantId === 'm_1' ? { merchantCategoryCode: 'other', acquirerCountry: 'CA' } : null),
  })

  test('category and country come from the merchant; a category that the table knows not from the table', () => {
    const details = { merchantCategoryCode: null, acquirerCountry: null }
    expect(routingOf(sampleCard(['VISA']), 5, { details, route })).toMatchObject({ acquirerCountry: 'CA', category: CATEGORY })
  })

  test.each([
    [{ merchantCategoryCode: null }, 'metadata: missing field `merchant_category_code`, and the merchant has no default'],
    [{ acquirerCountry: null }, 'metadata: missing field `acquirer_country`, and the merchant has no default'],
  ])('without defaults %j is a problem', (details, problem) => {
    expect(resultOf(sampleCard(['VISA']), 5, { details })).toEqual({ problem })
  })

  test('the card comes from the BIN table', () => {
    expect(routingOf(null, 5, { cardIsIn: '400000', route })).toMatchObject({ source: 'BIN_TABLE' })
    expect(resultOf(null, 5, { cardIsIn: '5', route })).toEqual({ problem: 'unknown' })
    expect(resultOf(null, 5, { route })).toMatchObject({ problem: expect.stringContaining('cardIsin') })
  })

  test('no metadata, or bad ones', () => {
    expect(sampleRouting()(sampleRequest())).toHaveProperty('problem')
    expect(sampleRouting()(sampleRequest({ debit: { problem: 'no JSON' } }))).toEqual({ problem: 'no JSON' })
  })

  test('a deployment may price categories, and grant no savings across borders', () => {
    const grocers = new Map([['VISA', { percent: 0, fixed: 1 }] as const])
    const interchangeByCategory: NetworkFeeTable['interchangeByCategory'] = new Map([
      ...sampleFees().interchangeByCategory,
      ['grocers', grocers],
    ])
    const asked = { details: { merchantCategoryCode: 'grocers' }, route: sampleRouting({ interchangeByCategory }) }
    expect(routingOf(sampleCard(['VISA', 'STAR']), 0, asked)).toMatchObject({
      options: [{ fee: 3 }],
      skipped: ['STAR'],
      category: 'grocers',
    })
    const abroad = sampleCard(['VISA', 'STAR'], { issuerCountry: 'CA' })
    expect(savingsOf(routingOf(abroad, 1000))).toEqual([0.11, 0])
    const domesticOnly = { route: sampleRouting({ crossBorderSavings: false }) }
    expect(savingsOf(routingOf(abroad, 1000, domesticOnly))).toEqual([0, 0])
    expect(savingsOf(routingOf(sampleCard(['VISA', 'STAR']), 1000, domesticOnly))).toEqual([0.11, 0])
  })

  test('a deployment may say what connectors support: networks without a candidate are skipped', () => {
    const connectorNetworks = new Map([
      ['alpha', new Set(['VISA', 'NYCE'] as const)],
      ['beta', new Set(['VISA'] as const)],
    ])
    const asked = { candidates: ['beta', 'alpha:mca_1', 'beta'], route: sampleRouting({ connectorNetworks }) }
    expect(routingOf(sampleCard(['VISA', 'NYCE', 'STAR']), 4200, asked)).toMatchObject({
      options: [{ network: 'NYCE' }, { network: 'VISA' }],
      skipped: ['STAR'],
      gateways: [['alpha:mca_1'], ['beta', 'alpha:mca_1']],
    })
    expect(namesOf(routingOf(sampleCard(['STAR', 'VISA']), 1000, { ...asked, candidates: ['beta', 'other'] }))).toEqual(['STAR', 'VISA'])
  })

  test('a candidate written in capitals supports what its connector does, not all networks', () => {
    const route = sampleRouting({ connectorNetworks: new Map([['alpha', new Set(['VISA'] as const)]]) })
    expect(routingOf(sampleCard(['VISA', 'STAR']), 1000, { candidates: ['Alpha', 'ALPHA:mca_1'], route })).toMatchObject({
      options: [{ network: 'VISA' }],
      skipped: ['STAR'],
      gateways: [['Alpha', 'ALPHA:mca_1']],
    })
  })
})

describe('laws of the order', () => {
  const name = fc.constantFrom('VISA', 'MASTERCARD', 'ACCEL', 'NYCE', 'PULSE', 'STAR', 'AMEX', 'DINERS', 'JCB', '')
  const networks = fc.array(name, { minLength: 1, maxLength: 12 })
  const cards = fc.record({ networks, isRegulated: fc.boolean(), regulatedName: fc.constantFrom(null, FRAUD, 'x') })
  const amounts = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -10, max: 20_000 }))
  const optionsOf = (
    { networks: listed, ...card }: { readonly networks: readonly string[] } & Partial<CoBadgedCard>,
    amount: number,
    asked: Asked = {},
  ) => resultOf(sampleCard(listed, card), amount, asked).routing?.options ?? []

  test('cheapest first; savings are finite, never negative, fall along the list, and are zero for the baseline', () => {
    fc.assert(
      fc.property(cards, amounts, (card, amount) => {
        const options = optionsOf(card, amount)
        for (const [index, { fee, savingPercent }] of options.entries()) {
          const next = options[index + 1]
          expect(Number.isFinite(savingPercent) && savingPercent >= 0).toBe(true)
          if (next !== undefined && Number.isFinite(amount * 10_000)) expect(next.fee).toBeGreaterThanOrEqual(fee)
          if (next !== undefined && Math.abs(amount) > 1e-3) expect(next.savingPercent).toBeLessThanOrEqual(savingPercent)
        }
        const baseline = options.find(({ network }) => network === 'VISA' || network === 'MASTERCARD')
        expect(baseline?.savingPercent ?? 0).toBe(0)
      }),
      { numRuns: 1_000 },
    )
  })

  test('never a network that is unknown or unpriced, and every other one', () => {
    fc.assert(
      fc.property(cards, amounts, (card, amount) => {
        const priced = card.networks.filter((network) => sampleFees().networkFees.has(network as never))
        expect(
          optionsOf(card, amount)
            .map(({ network }) => network)
            .toSorted(),
        ).toEqual(priced.toSorted())
      }),
    )
  })

  test('the order of the candidates changes nothing; that of the networks only equal fees', () => {
    fc.assert(
      fc.property(cards, fc.integer({ min: 0, max: 20_000 }), fc.infiniteStream(fc.nat()), (card, amount, random) => {
        const options = optionsOf(card, amount)
        expect(optionsOf(card, amount, { candidates: ['beta', 'alpha'] })).toEqual(options)
        const shuffled = card.networks.map((network) => ({ network, key: random.next().value })).toSorted((a, b) => a.key - b.key)
        const again = optionsOf({ ...card, networks: shuffled.map(({ network }) => network) }, amount)
        const byName = (list: typeof options) => list.toSorted((a, b) => a.fee - b.fee || (a.network < b.network ? -1 : 1))
        expect(byName(again)).toEqual(byName(options))
      }),
    )
  })

  test('equal fees keep the order of the request', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(['NYCE', 'STAR'], { minLength: 2 }), amounts, (pair, amount) => {
        expect(optionsOf({ networks: pair, ...REGULATED }, amount).map(({ network }) => network)).toEqual(pair)
      }),
    )
  })
})
