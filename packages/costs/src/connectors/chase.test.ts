import { describe, expect, test } from '@jest/globals'
import { parseIsoDay } from '../reports/day.ts'
import { chase } from './chase.ts'
import { fileOf, readRecords, rowsOf } from './sample-report.fixture.ts'

const line = {
  'Merchant Order Number': 'o1',
  'Action Type Code Text': 'Sale',
  'Payment Method Code': 'VI',
  'Card Usage Type': '1',
  'Country of Issuance': 'US',
  'Settlement Currency Code': 'USD',
  'Interchange Qualification Code': 'XYZ',
  'Transaction Amount in Presentment Currency': '80.00',
  'Total Interchange Amount': '-1.20',
  'Total Assessment Amount': '-0.11',
  'Other Debit Passthrough Fees': '-0.02',
  'Submission Date': '12/31/2026',
}

describe('Chase (cost.md 5.3)', () => {
  test('costs are negative in the report and positive in the row', () => {
    expect(rowsOf(chase, line)).toEqual([
      {
        type: 'payment',
        reference: 'o1',
        cardNetwork: 'visa',
        variant: 'visadebit',
        funding: 'debit',
        issuerCountry: 'US',
        currency: 'USD',
        interchangeCategory: 'XYZ',
        interchangeRate: '',
        day: parseIsoDay('2026-12-31'),
        channel: 'ecom',
        gross: 80,
        totalFee: 1.2 + 0.11 + 0.02,
        interchange: 1.2,
        schemeFee: 0.11,
        markup: 0.02,
        commission: 0,
        bin: '',
      },
    ])
  })

  test('the frame and a byte order mark are dropped', () => {
    const frame = [['\uFEFFBEGIN', 'x'], ['EntityId=7'], ...fileOf(chase, line), ['END', '1']]
    const { rows, result } = readRecords(chase, frame)
    expect(rows).toHaveLength(1)
    expect(result).toMatchObject({ outcome: 'read', tally: { recordCount: 1, rowCount: 1 } })
  })

  test.each([
    [{ 'Interchange Qualification Code': 'V148' }, 'credit', 'visacredit'],
    [{ 'Interchange Qualification Code': 'VSDD', 'Card Usage Type': '3' }, 'debit', 'visadebit'],
    [{ 'Card Usage Type': '2' }, 'debit', 'visadebit'],
    [{ 'Card Usage Type': '3' }, 'credit', 'visacredit'],
    [{ 'Card Usage Type': '9' }, '', 'visa'],
    [{ 'Digital Wallet Brand': 'Apple Pay' }, 'debit', 'visa_applepay'],
    [{ 'Digital Wallet Brand': 'GooglePay' }, 'debit', 'visa_googlepay'],
  ])('%j: funding %j, variant %s', (changes, funding, variant) => {
    expect(rowsOf(chase, { ...line, ...changes })).toMatchObject([{ funding, variant }])
  })

  test.each([
    ['MC', 'mc'],
    ['AX', 'amex'],
    ['DI', 'discover'],
    ['JC', 'jcb'],
    ['DC', 'diners'],
    ['ZZ', 'zz'],
  ])('%s is %s', (code, cardNetwork) => {
    expect(rowsOf(chase, { ...line, 'Payment Method Code': code })).toMatchObject([{ cardNetwork }])
  })

  test('other actions are left out, and payments whose value is in another currency than their fees', () => {
    expect(rowsOf(chase, { ...line, 'Action Type Code Text': 'REFUND' })).toEqual([])
    expect(rowsOf(chase, { ...line, 'Presentment Currency Code': 'CAD' })).toEqual([])
    expect(rowsOf(chase, { ...line, 'Presentment Currency Code': 'usd', 'Terminal Identifier': 'T1' })).toMatchObject([{ channel: 'pos' }])
  })
})
