import { expect, test } from '@jest/globals'
import { paymentRow, rolledUp } from '../statistics/sample-rows.fixture.ts'
import { categoryCountsOf } from './category-counts.ts'

test('payments of a kind are counted over days, products and currencies, by channel and band', () => {
  const rows = [
    paymentRow(100, 1),
    paymentRow(101, 1, { day: 20_000, interchangeRate: '20' }),
    paymentRow(100, 1, { currency: 'USD' }),
    paymentRow(100, 1, { channel: 'pos' }),
    paymentRow(5, 1),
  ]
  expect(categoryCountsOf('adyen', rolledUp(rows).buckets)).toMatchObject([
    { connector: 'adyen', channel: 'ecom', band: 20, count: 3, interchangeCategory: 'Consumer Debit' },
    { channel: 'pos', band: 20, count: 1 },
    { channel: 'ecom', band: 6, count: 1 },
  ])
})
