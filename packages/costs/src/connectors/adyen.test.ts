import { describe, expect, test } from '@jest/globals'
import { fitRows } from '../fit/sample-fit.fixture.ts'
import { parseIsoDay } from '../reports/day.ts'
import { DAY } from '../statistics/sample-rows.fixture.ts'
import { adyen } from './adyen.ts'
import { fileOf, readRecords, rowsOf } from './sample-report.fixture.ts'

const line = {
  'Record Type': 'Settled',
  'Psp Reference': 'PSP1',
  'Payment Method Variant': 'VisaStandardDebit',
  'Global Card Brand': 'VISA',
  'Issuer Country': 'NL',
  'Settlement Currency': 'EUR',
  'Payable (SC)': '98.50',
  'Commission (SC)': '0.10',
  'Markup (SC)': '0.60',
  'Scheme Fees (SC)': '0.30',
  'Interchange (SC)': '0.50',
  'ICSF details': '[{"t":"sf","n":"x"},{"t":"ic","n":" Consumer Debit ","bps":20.4}]',
  'Booking Date': '2026-03-01 11:59:58',
  'Unique Terminal ID': '',
  'Card Number': '411111******1111',
}

describe('Adyen (cost.md 5.1)', () => {
  test('what was paid out and the fees make the value of the payment', () => {
    expect(rowsOf(adyen, line)).toEqual([
      {
        type: 'payment',
        reference: 'PSP1',
        cardNetwork: 'visa',
        variant: 'visastandarddebit',
        funding: 'debit',
        issuerCountry: 'NL',
        currency: 'EUR',
        interchangeCategory: 'Consumer Debit',
        interchangeRate: '20',
        day: parseIsoDay('2026-03-01'),
        channel: 'ecom',
        gross: 100,
        totalFee: 1.5,
        interchange: 0.5,
        schemeFee: 0.3,
        markup: 0.6,
        commission: 0.1,
        bin: '411111',
      },
    ])
  })

  test('a payment whose fees make its payout up to zero has no value, and spoils the price of no others', () => {
    const paid = Array.from({ length: 300 }, (_, index) => ({ ...line, 'Payable (SC)': String(20 + index), 'Markup (SC)': '0.30' }))
    const fees = { 'Commission (SC)': '', 'Scheme Fees (SC)': '', 'Markup (SC)': '0.10', 'Interchange (SC)': '0.20' }
    const rows = rowsOf(adyen, ...paid, { ...line, ...fees, 'Payable (SC)': '-0.30' }).filter((row) => row.type === 'payment')
    expect(rows.at(-1)).toMatchObject({ gross: 0 })
    expect(fitRows(rows.map((row) => ({ ...row, day: DAY })))).toMatchObject([{ n: 300, verdict: 'GOOD' }])
  })

  test.each(['SentForSettle', 'Refunded', 'settled', ''])('a line of type %j repeats money and is left out', (type) => {
    expect(rowsOf(adyen, { ...line, 'Record Type': type })).toEqual([])
  })

  test('a terminal makes it a payment at a point of sale', () => {
    expect(rowsOf(adyen, { ...line, 'Unique Terminal ID': 'V400m-1' })).toMatchObject([{ channel: 'pos' }])
  })

  test.each([
    ['visapremiumcredit', 20, 'credit'],
    ['mc_applepay', 20, 'debit'],
    ['mc_applepay', 25, 'debit'],
    ['mc_applepay', 30, 'credit'],
    ['mc_applepay', 60, 'credit'],
    ['mc_applepay', 150, 'commercial'],
    ['mc_applepay', 0, ''],
  ])('variant %s with a rate of %d bps is %j', (variant, bps, funding) => {
    const details = JSON.stringify([{ t: 'ic', n: 'c', bps }])
    expect(rowsOf(adyen, { ...line, 'Payment Method Variant': variant, 'ICSF details': details })).toMatchObject([{ funding }])
  })

  test('without details there is no category and no rate', () => {
    const bare = { ...line, 'ICSF details': '', 'Card Number': '', 'Booking Date': '' }
    expect(rowsOf(adyen, bare)).toMatchObject([{ interchangeCategory: '', interchangeRate: '', bin: '', day: null }])
  })

  test.each([
    ['Payable (SC)', '1,234.50', 'is no plain decimal number such as -1234.50'],
    ['Payable (SC)', '', 'is empty'],
    ['Markup (SC)', 'free', 'is no plain decimal number such as -1234.50'],
    ['Booking Date', '31.12.2026', 'is no date in the form of this report'],
    ['ICSF details', '[{', 'is no JSON array'],
    ['ICSF details', '[{"t":"ic","bps":"many"}]', 'holds an interchange rate that is no number'],
  ])('%s with %j is told by line and column, and never quoted', (column, cell, detail) => {
    const { rows, result } = readRecords(adyen, fileOf(adyen, { ...line, [column]: cell }))
    expect(rows).toEqual([])
    expect(result).toEqual({
      outcome: 'unreadable',
      tally: { recordCount: 1, rowCount: 0, unreadableCount: 1, problems: [{ line: 2, column, detail }] },
    })
  })
})
