import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type BinRow, type BinRowFacts, cardOfRows } from './bin-rows.ts'
import { BIN_ROWS_PER_RANGE_MAX, type BinTable, createBinTable } from './bin-table.ts'
import type { DebitNetwork } from './debit-networks.ts'

const facts = (network: DebitNetwork, changes: Partial<BinRowFacts> = {}): BinRowFacts => ({
  network,
  issuerCountry: 'US',
  cardType: 'debit',
  isRegulated: true,
  regulatedName: null,
  isPrepaid: false,
  isPan: true,
  ...changes,
})
const row = (first: number, last: number, network: DebitNetwork = 'VISA', changes: Partial<BinRowFacts> = {}): BinRow => ({
  first,
  last,
  facts: facts(network, changes),
})
const tableOf = (...rows: readonly BinRow[]): BinTable => {
  const table = createBinTable(rows)
  if ('detail' in table) throw new Error(table.detail)
  return table
}

describe('the BIN table (network.md 4.2)', () => {
  test('a BIN is filled up with zeros: 457173 lies in the range that begins with it', () => {
    const table = tableOf(row(45717300, 45717399), row(45717300, 45717399, 'STAR'))
    expect(table.cardOf('457173')).toEqual({
      card: {
        networks: ['VISA', 'STAR'],
        issuerCountry: 'US',
        isRegulated: true,
        regulatedName: null,
        cardType: 'debit',
        source: 'BIN_TABLE',
      },
    })
    expect(table.rowCount).toBe(2)
    expect(table.cardOf('45717399')).toHaveProperty('card')
    expect(table.cardOf('45717400')).toEqual({ problem: 'no row of the BIN table covers cardIsin' })
  })

  test('eight digits that no row covers are looked up by their first six; others are not', () => {
    const table = tableOf(row(45717300, 45717300), row(50000000, 50000000))
    expect(table.cardOf('45717377')).toHaveProperty('card')
    expect(table.cardOf('4571737')).toHaveProperty('problem')
    expect(table.cardOf('5')).toHaveProperty('card')
  })

  test('high BINs do not overflow', () => {
    expect(tableOf(row(99999999, 99999999)).cardOf('99999999')).toHaveProperty('card')
    expect(tableOf(row(92233800, 92233899)).cardOf('922338')).toHaveProperty('card')
  })

  test.each(['', '4571a3', ' 45717', '-1', '４５７１７３'])('%j is no BIN', (bin) => {
    expect(tableOf(row(0, 99999999)).cardOf(bin)).toEqual({ problem: 'cardIsin is not a number of up to 8 digits' })
  })

  test('an empty table covers nothing', () => {
    expect(tableOf().cardOf('457173')).toEqual({ problem: 'no row of the BIN table covers cardIsin' })
  })

  test.each<[string, readonly BinRowFacts[], object]>([
    ['one network is enough', [facts('VISA')], { card: { networks: ['VISA'] } }],
    ['without a global network the others tell the issuer', [facts('STAR'), facts('NYCE')], { card: { networks: ['STAR', 'NYCE'] } }],
    ['two global networks', [facts('VISA'), facts('MASTERCARD'), facts('STAR')], { card: { networks: ['VISA', 'MASTERCARD', 'STAR'] } }],
    [
      'rows of credit, tokens and prepaid cards say nothing',
      [facts('VISA', { cardType: 'credit' }), facts('STAR', { isPan: false }), facts('NYCE', { isPrepaid: true }), facts('PULSE')],
      { card: { networks: ['PULSE'] } },
    ],
    ['nothing usable', [facts('VISA', { cardType: 'credit' })], { problem: expect.stringContaining('no debit card') }],
    [
      'what local networks leave open does not matter beside a global one',
      [facts('STAR', { issuerCountry: null, isRegulated: null }), facts('VISA', { regulatedName: 'x' })],
      { card: { networks: ['STAR', 'VISA'], issuerCountry: 'US', isRegulated: true, regulatedName: 'x' } },
    ],
    ['no country', [facts('VISA', { issuerCountry: null })], { problem: expect.stringContaining('country and regulation') }],
    ['no regulation', [facts('VISA', { isRegulated: null })], { problem: expect.stringContaining('country and regulation') }],
    ['a contradiction', [facts('VISA'), facts('MASTERCARD', { issuerCountry: 'CA' })], { problem: expect.stringContaining('contradict') }],
    ['another', [facts('STAR'), facts('NYCE', { isRegulated: false })], { problem: expect.stringContaining('contradict') }],
  ])('%s', (_name, rows, expected) => {
    expect(cardOfRows(rows)).toMatchObject(expected)
  })

  test('more rows over one BIN than any card has are refused, with one of them', () => {
    const rows = Array.from({ length: BIN_ROWS_PER_RANGE_MAX + 1 }, () => row(5, 9))
    expect(createBinTable(rows)).toEqual({ row: BIN_ROWS_PER_RANGE_MAX, detail: expect.stringContaining('cover the BIN 5') })
  })

  test('finds what looking through all rows finds, in their order', () => {
    const networks = ['VISA', 'STAR', 'NYCE', 'PULSE'] as const
    const shared = networks.map((network) => facts(network))
    const ranges = fc.tuple(fc.nat(40), fc.nat(12), fc.nat(3)).map(([first, length, network]) => ({ first, last: first + length, network }))
    fc.assert(
      fc.property(fc.array(ranges, { maxLength: 30 }), (drawn) => {
        const rows = drawn.map(({ first, last, network }): BinRow => ({ first, last, facts: shared[network] ?? facts('VISA') }))
        const table = tableOf(...rows)
        for (let bin = 0; bin < 56; bin++) {
          const covering = rows.filter(({ first, last }) => first <= bin && bin <= last).map((known) => known.facts)
          const byFallback = rows.filter(({ first }) => first === 0).map((known) => known.facts)
          const found = covering.length > 0 ? covering : byFallback
          const expected = found.length === 0 ? { problem: 'no row of the BIN table covers cardIsin' } : cardOfRows(found)
          expect(table.cardOf(String(bin).padStart(8, '0'))).toEqual(expected)
        }
      }),
      { numRuns: 300 },
    )
  })
})
