import { describe, expect, test } from '@jest/globals'
import type { AddOn } from '../serving/cost-model.ts'
import { fitted, key, LADDER, tier } from '../serving/sample-model.fixture.ts'
import { type ClusterFilter, clusterFacets, clusterKeyText, listClusters, parseClusterKey } from './cluster-list.ts'

const ALL: ClusterFilter = { columns: {}, verdicts: [], text: '' }
const FEE = { pctBps: 100, fixed: 0 }
const NO_OVERRIDES = { clusters: [], connectors: [] }
const of = (one: ReturnType<typeof fitted>, addOn: AddOn | null = null) => ({ connector: 'adyen', fitted: one, addOn })
const CLUSTERS = [
  of(fitted(FEE, { cardProduct: '20' }, 100)),
  of(fitted({ pctBps: 200, fixed: 1 }, { cardProduct: '80' }, 300)),
  of({ ...fitted(FEE, { currency: 'USD', issuerCountry: 'US' }, 900), n: 50, fee: null, verdict: 'NON_LINEAR', tiers: LADDER }),
  of(fitted(FEE, { currency: 'JPY' }, 0)),
]
const list = (filter: Partial<ClusterFilter> = {}, order: 'gross' | 'txns' = 'gross') =>
  listClusters(CLUSTERS, NO_OVERRIDES, { ...ALL, ...filter }, order)

describe('the list of clusters (cost.md 10.4)', () => {
  test('card products are one row, with the verdict of the one with most value', () => {
    expect(list()[1]).toEqual({
      key: key(),
      n: 1000,
      gross: 400,
      learned: { pctBps: 175, fixed: 0.75 },
      override: null,
      effective: { pctBps: 175, fixed: 0.75 },
      source: 'model',
      verdict: 'GOOD',
      cardProduct: '80',
      tiers: [],
    })
    expect(list()[0]).toMatchObject({ key: { currency: 'USD' }, learned: null, source: 'model', tiers: LADDER })
  })
  test('what counts is what decisions reckon with: the pieces of a price, invoices on top', () => {
    const effectiveOf = (one: ReturnType<typeof fitted>, addOn: AddOn | null) =>
      listClusters([of(one, addOn)], NO_OVERRIDES, ALL, 'gross')[0]?.effective
    const invoiced = { pctBps: 1.5, fixed: 0.05, currency: 'EUR' }
    const tiered = { ...fitted(FEE), verdict: 'NON_LINEAR' as const, tiers: LADDER }
    expect(effectiveOf(tiered, null)).toEqual({ pctBps: 102.5, fixed: 19.275 })
    expect(effectiveOf(fitted(FEE), invoiced)).toEqual({ pctBps: 101.5, fixed: 0.05 })
    expect(effectiveOf(fitted(FEE, { currency: 'USD' }), invoiced)).toEqual({ pctBps: 101.5, fixed: 0 })
    const accounts = [of(fitted(FEE, {}, 100), invoiced), of(fitted(FEE, {}, 300))]
    expect(listClusters(accounts, NO_OVERRIDES, ALL, 'gross')[0]).toMatchObject({
      learned: FEE,
      effective: { pctBps: 100.375, fixed: 0.0125 },
    })
    const overridden = listClusters(accounts, { ...NO_OVERRIDES, clusters: [{ key: key(), fee: { pctBps: 7, fixed: 0 } }] }, ALL, 'gross')
    expect(overridden[0]?.effective).toEqual({ pctBps: 7, fixed: 0 })
  })
  test('a card product that is too thin to be reckoned with does not move what counts', () => {
    const thin = { ...fitted({ pctBps: 4_000, fixed: -9 }, { cardProduct: '80' }, 100), n: 5, verdict: 'THIN' as const }
    const found = listClusters([of(fitted(FEE, { cardProduct: '20' }, 300)), of(thin)], NO_OVERRIDES, ALL, 'gross')
    expect(found).toMatchObject([{ learned: { pctBps: 1_075 }, effective: FEE, source: 'model', verdict: 'GOOD' }])
    expect(listClusters([of(thin)], NO_OVERRIDES, ALL, 'gross')).toMatchObject([{ effective: { pctBps: 4_000 }, verdict: 'THIN' }])
  })
  test('of a card product in pieces decisions use the pieces with most value alone: other accounts moved what counts', () => {
    const pieces = (gross: number) => ({ ...fitted({ pctBps: 900, fixed: 0 }, {}, gross), verdict: 'NON_LINEAR' as const, tiers: LADDER })
    const other = { ...pieces(200), tiers: [tier(1, 10, { pctBps: 500, fixed: 9 })] }
    const line = of(fitted({ pctBps: 300, fixed: 0.2 }, {}, 5_000))
    const effectiveOf = (clusters: readonly ReturnType<typeof of>[]) => listClusters(clusters, NO_OVERRIDES, ALL, 'gross')[0]?.effective
    const mean = { pctBps: 102.5, fixed: 19.275 }
    expect(effectiveOf([line, of(other), of(pieces(1_000))])).toEqual(mean)
    // Other cards than these have a price of their own.
    const ofOtherCards = of(fitted(FEE, { cardProduct: '20' }, 1_000))
    expect(effectiveOf([line, of(pieces(1_000)), ofOtherCards])).toEqual({ pctBps: (mean.pctBps + 100) / 2, fixed: mean.fixed / 2 })
  })
  test('by payments', () => {
    expect(list({}, 'txns').map(({ n }) => n)).toEqual([1000, 50])
  })
  test.each<[Partial<ClusterFilter>, number]>([
    [{ columns: { currency: ['eur', 'usd'] } }, 2],
    [{ columns: { currency: ['eur'], issuerCountry: ['us'] } }, 0],
    [{ columns: { currency: [''] } }, 2],
    [{ verdicts: ['TIERED'] }, 1],
    [{ verdicts: ['NON_LINEAR'] }, 0],
    [{ text: 'ADYEN|' }, 2],
    [{ text: 'usd' }, 1],
  ])('%j finds %d', (filter, count) => {
    expect(list(filter)).toHaveLength(count)
  })
  test('an override, of a cluster that is learned and of one that is not', () => {
    const overrides = [
      { key: key({ connector: 'ADYEN' }), fee: { pctBps: 7, fixed: 0 } },
      { key: key({ variant: 'other' }), fee: { pctBps: 8, fixed: 0 } },
    ]
    const found = listClusters(CLUSTERS, { ...NO_OVERRIDES, clusters: overrides }, ALL, 'gross')
    expect(found.map(({ source }) => source)).toEqual(['model', 'override', 'override'])
    expect(found[1]).toMatchObject({ n: 1000, effective: { pctBps: 7 } })
    expect(found[2]).toMatchObject({ n: 0, gross: 0, verdict: null, learned: null, effective: { pctBps: 8 } })
  })
  test('an override of the connector counts for its clusters, behind their own', () => {
    const connectors = [
      { connector: 'adyen', fee: { pctBps: 5, fixed: 0 } },
      { connector: 'stripe', fee: { pctBps: 6, fixed: 0 } },
    ]
    const found = listClusters(CLUSTERS, { connectors, clusters: [{ key: key(), fee: { pctBps: 7, fixed: 0 } }] }, ALL, 'gross')
    expect(found[0]).toMatchObject({ override: null, effective: { pctBps: 5, fixed: 0 }, source: 'override' })
    expect(found[1]).toMatchObject({ override: { pctBps: 7 }, effective: { pctBps: 7, fixed: 0 }, source: 'override' })
  })
  test('its values by column', () => {
    const facets = clusterFacets(list())
    expect(facets.filter(({ column }) => column === 'currency')).toEqual([
      { column: 'currency', value: 'EUR', txns: 1000 },
      { column: 'currency', value: 'USD', txns: 50 },
    ])
    expect(facets.filter(({ column }) => column === 'verdict').map(({ value }) => value)).toEqual(['GOOD', 'TIERED'])
  })
  test('a currency that reports spell differently was two values, each of which then found the clusters of both', () => {
    const spelled = [...CLUSTERS, of(fitted(FEE, { currency: 'eur', issuerCountry: 'DE' }, 50))]
    const facets = clusterFacets(listClusters(spelled, NO_OVERRIDES, ALL, 'gross'))
    expect(facets.filter(({ column }) => column === 'currency')).toEqual([
      { column: 'currency', value: 'EUR', txns: 1500 },
      { column: 'currency', value: 'USD', txns: 50 },
    ])
  })
  test('a key is seven fields in lower case', () => {
    const text = 'adyen|visa|visastandarddebit|debit|nl|eur|consumer'
    expect(clusterKeyText(key())).toBe(text)
    expect(clusterKeyText(parseClusterKey(text.toUpperCase()) ?? key({ connector: '' }))).toBe(text)
    expect(parseClusterKey('a|b|c|d|e|f|')).toMatchObject({ interchangeCategory: '' })
    expect(parseClusterKey('a|b|c|d|e|f')).toBeUndefined()
    expect(parseClusterKey('a|b|c|d|e|f|g|h')).toBeUndefined()
  })
  test('a field with a bar in it has a key that names it, and no other cluster', () => {
    const barred = key({ variant: 'a|b', interchangeCategory: 'consumer | eea\\' })
    expect(clusterKeyText(barred)).toBe('adyen|visa|a\\|b|debit|nl|eur|consumer \\| eea\\\\')
    expect(parseClusterKey(clusterKeyText(barred))).toEqual({ ...barred, issuerCountry: 'nl', currency: 'eur' })
    const override = { clusters: [{ key: barred, fee: FEE }], connectors: [] }
    for (const text of ['consumer | eea', 'consumer \\| eea'])
      expect(listClusters([], override, { ...ALL, text }, 'gross')).toMatchObject([{ key: barred, override: FEE }])
    const [one, other] = [key({ variant: 'a\\', funding: 'b|c' }), key({ variant: 'a\\|b', funding: 'c' })]
    expect(clusterKeyText(one)).not.toBe(clusterKeyText(other))
    for (const each of [one, other])
      expect(parseClusterKey(clusterKeyText(each))).toMatchObject({ variant: each.variant, funding: each.funding })
    expect(parseClusterKey('a|b|c\\d|e|f|g|h')).toMatchObject({ variant: 'c\\d' })
  })
})
