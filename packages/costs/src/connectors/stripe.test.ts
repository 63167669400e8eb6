import { describe, expect, test } from '@jest/globals'
import { parseIsoDay } from '../reports/day.ts'
import { fileOf, readRecords, rowsOf } from './sample-report.fixture.ts'
import { stripe } from './stripe.ts'

const line = {
  'Card Brand': 'Mastercard',
  'Shopper Interaction': 'Ecommerce',
  'Funding Source': 'Prepaid',
  'Payment Method Variant': 'MC',
  'Gross Qty': '10000.00',
  'Cost Qty': '150.00',
  'Refund Flag': 'Settle',
  'Gross Ccy': 'EUR',
  'Cost Ccy': 'eur',
  Month: '2026/04',
  'Fee Name': 'network fee',
  'Variable Fee': '120.00',
  'Fixed Fee': '30.00',
  'Transaction Count': '300',
}

describe('Stripe (cost.md 5.5)', () => {
  test('a line is a fee of all payments of a kind in a month', () => {
    expect(rowsOf(stripe, line)).toEqual([
      {
        type: 'total',
        cardNetwork: 'mc',
        variant: 'mc',
        funding: 'prepaid',
        issuerCountry: '',
        currency: 'EUR',
        interchangeCategory: '',
        day: parseIsoDay('2026-04-01'),
        channel: 'ecom',
        feeName: 'network fee',
        turnover: 10_000,
        cost: 150,
        fixedCost: 30,
        count: 300,
      },
    ])
  })

  test.each([
    [{ 'Fixed Fee': '' }, { fixedCost: 30 }],
    [{ 'Fixed Fee': '', 'Variable Fee': '' }, { fixedCost: null }],
    [{ 'Transaction Count': '' }, { count: null }],
    [{ 'Gross Ccy': '', 'Cost Ccy': 'USD' }, { currency: 'USD' }],
    [{ 'Shopper Interaction': 'POS' }, { channel: 'pos' }],
    [{ 'Shopper Interaction': 'CardPresent' }, { channel: 'pos' }],
    [{ 'Shopper Interaction': 'card present' }, { channel: 'pos' }],
  ])('%j gives %j', (changes, expected) => {
    expect(rowsOf(stripe, { ...line, ...changes })).toMatchObject([expected])
  })

  test('refunds are left out', () => {
    expect(rowsOf(stripe, { ...line, 'Refund Flag': 'refund' })).toEqual([])
  })

  test.each([
    ['Cost Ccy', 'USD'],
    ['Transaction Count', '1.5'],
    ['Month', '2026/13'],
  ])('%s %j is refused', (column, cell) => {
    const { result } = readRecords(stripe, fileOf(stripe, { ...line, [column]: cell }))
    expect(result).toMatchObject({ outcome: 'unreadable', tally: { problems: [{ line: 2, column }] } })
  })
})
