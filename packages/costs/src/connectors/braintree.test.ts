import { describe, expect, test } from '@jest/globals'
import { parseIsoDay } from '../reports/day.ts'
import { braintree } from './braintree.ts'
import { rowsOf } from './sample-report.fixture.ts'

const line = {
  'Transaction ID': 'bt1',
  'Transaction Type': 'Sale',
  'Settlement Currency': 'USD',
  'Settlement Amount': '250.00',
  'Card Brand': 'Master Card',
  'Card Type': 'Credit',
  'Payment Instrument': 'credit_card',
  'Interchange Total Amount': '4.00',
  'Braintree Total Amount': '0.59',
  'Total Scheme Fees': '0.15',
  'Interchange Description': 'MC World',
  'Card Issuing Country': 'USA',
  'Settlement Date': '3/7/26',
}

describe('Braintree (cost.md 5.2)', () => {
  test('a sale', () => {
    expect(rowsOf(braintree, line)).toEqual([
      {
        type: 'payment',
        reference: 'bt1',
        cardNetwork: 'mc',
        variant: 'mccredit',
        funding: 'credit',
        issuerCountry: 'USA',
        currency: 'USD',
        interchangeCategory: 'MC World',
        interchangeRate: '',
        day: parseIsoDay('2026-03-07'),
        channel: 'ecom',
        gross: 250,
        totalFee: 4 + 0.15 + 0.59,
        interchange: 4,
        schemeFee: 0.15,
        markup: 0,
        commission: 0.59,
        bin: '',
      },
    ])
  })

  test('other types of transaction are left out', () => {
    expect(rowsOf(braintree, { ...line, 'Transaction Type': 'credit' })).toEqual([])
  })

  test.each([
    [{ 'Card Brand': '', 'Payment Network': 'Visa' }, 'visa', 'visacredit'],
    [{ 'Card Brand': '', 'Card Type': '', 'Payment Instrument': 'PayPal_Account' }, 'paypal_account', 'paypalaccount'],
    [{ 'Card Brand': '', 'Card Type': '' }, 'credit_card', 'creditcard'],
    [{ 'Card Type': 'unknown' }, 'mc', 'mc'],
    [{ 'Card Brand': 'American Express' }, 'amex', 'amexcredit'],
    [{ 'Card Brand': 'Union Pay' }, 'unionpay', 'unionpaycredit'],
  ])('%j is network %s, variant %s', (changes, cardNetwork, variant) => {
    expect(rowsOf(braintree, { ...line, ...changes })).toMatchObject([{ cardNetwork, variant }])
  })
})
