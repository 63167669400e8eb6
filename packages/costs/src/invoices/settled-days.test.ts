import { describe, expect, test } from '@jest/globals'
import { contributionOf, DAY, paymentRow, totalRow } from '../statistics/sample-rows.fixture.ts'
import { statisticsOf } from '../statistics/statistics.ts'
import { settledDaysOf, settledIn } from './settled-days.ts'

const days = settledDaysOf(
  statisticsOf([
    contributionOf(1, [
      paymentRow(10, 1),
      paymentRow(300, 2, { currency: 'eur' }),
      paymentRow(5, 1, { day: DAY - 3 }),
      paymentRow(7, 1, { currency: 'USD' }),
      totalRow({ day: DAY - 40, count: null }),
    ]),
  ]),
)

describe('what was settled, for invoices', () => {
  test('by day and currency, whatever it is spelled like', () => {
    expect(days).toEqual([
      { epochDay: DAY - 40, currency: 'EUR', gross: 10_000, paymentCount: 0, fees: 150 },
      { epochDay: DAY - 3, currency: 'EUR', gross: 5, paymentCount: 1, fees: 1 },
      { epochDay: DAY, currency: 'EUR', gross: 310, paymentCount: 2, fees: 3 },
      { epochDay: DAY, currency: 'USD', gross: 7, paymentCount: 1, fees: 1 },
    ])
  })

  test.each([
    ['EUR', { first: DAY - 3, last: DAY }, { gross: 315, count: 3, fees: 4 }],
    ['eur', null, { gross: 10_315, count: 3, fees: 154 }],
    ['USD', { first: DAY - 3, last: DAY - 1 }, null],
    ['GBP', null, null],
    ['', null, null],
  ])('in %s and %j: %j', (currency, period, expected) => {
    expect(settledIn(days, currency, period)).toEqual(expected)
  })

  test('of reports with ever other currencies grew beyond what a record has room for', () => {
    const rows = Array.from({ length: 300 }, (_, index) => paymentRow(10, 1, { currency: `${'X'.repeat(200)}${index}` }))
    const others = Array.from({ length: 60 }, (_, day) => rows.map((row) => ({ ...row, day: DAY - day })))
    const euro = [paymentRow(10, 1), paymentRow(10, 1, { day: DAY - 1 })]
    const all = settledDaysOf(statisticsOf([contributionOf(1, [...others.flat(), ...others.flat(), ...euro, ...euro])]))
    expect(Buffer.byteLength(JSON.stringify(all))).toBeLessThan(4 * 1024 * 1024)
    expect(all.length).toBeGreaterThan(1_000)
    const ofCurrencies = new Map(all.map(({ currency }) => [currency, all.filter((day) => day.currency === currency).length]))
    expect(new Set(ofCurrencies.values())).toEqual(new Set([60]))
  })

  test('an invoice that tells no currency means the only one there is', () => {
    const only = days.filter(({ currency }) => currency === 'USD')
    expect(settledIn(only, '', null)).toEqual({ gross: 7, count: 1, fees: 1 })
  })
})
