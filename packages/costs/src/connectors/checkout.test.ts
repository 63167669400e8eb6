import { describe, expect, test } from '@jest/globals'
import { parseIsoDay } from '../reports/day.ts'
import { checkout, createCheckoutParser } from './checkout.ts'
import { fileOf, readRecords, rowsOf } from './sample-report.fixture.ts'

const part = (id: string, breakdown: string, amount: string, changes: Readonly<Record<string, string>> = {}) => ({
  'Payment ID': id,
  'Action Type': 'Capture',
  'Breakdown Type': breakdown,
  'Holding Currency': 'EUR',
  'Holding Currency Amount': amount,
  'Payment Method': 'MASTERCARD',
  'Card Type': 'Debit',
  'Issuer Country': 'FR',
  'Processed On': '2026-02-03T04:05:06.789',
  'Card Category': 'CONSUMER',
  ...changes,
})
const payment = (id: string) => [part(id, 'Capture', '50.00'), part(id, 'Interchange Fee', '-0.10'), part(id, 'Scheme Fixed Fee', '-0.03')]

describe('Checkout (cost.md 5.4)', () => {
  test('the records of a payment make one row, once the file has ended', () => {
    const records = [
      part('p1', 'Interchange Fee', '-0.20'),
      part('p1', 'Capture', '60.00'),
      part('p1', 'Partial Capture', '40.00'),
      part('p1', 'Scheme Variable Fee', '-0.05'),
      part('p1', 'Gateway Fee', '-0.08'),
    ]
    expect(rowsOf(checkout, ...records)).toEqual([
      {
        type: 'payment',
        reference: 'p1',
        cardNetwork: 'mc',
        variant: 'mcdebit',
        funding: 'debit',
        issuerCountry: 'FR',
        currency: 'EUR',
        interchangeCategory: 'Consumer',
        interchangeRate: '',
        day: parseIsoDay('2026-02-03'),
        channel: 'ecom',
        gross: 100,
        totalFee: 0.2 + 0.05 + 0.08,
        interchange: 0.2,
        schemeFee: 0.05,
        markup: 0,
        commission: 0.08,
        bin: '',
      },
    ])
  })

  test('refunds, voids, lines without a payment, and what is no fee are left out', () => {
    const others = [
      part('p1', 'Interchange Fee', '9', { 'Action Type': 'Refund' }),
      part('p1', 'Gateway Fee', '-9', { 'Action Type': 'Void' }),
      part('', 'Capture', '9'),
      part('p1', 'Chargeback', '-50.00'),
      part('p1', 'Scheme', '-9'),
    ]
    expect(rowsOf(checkout, ...payment('p1'), ...others)).toMatchObject([{ gross: 50, interchange: 0.1, schemeFee: 0.03, commission: 0 }])
  })

  test('a payment whose interchange is still to come is left out when others of its network have it', () => {
    expect(rowsOf(checkout, ...payment('p1'), part('p2', 'Capture', '70')).map((row) => 'reference' in row && row.reference)).toEqual([
      'p1',
    ])
    const otherNetwork = part('p2', 'Capture', '70', { 'Payment Method': 'AMEX' })
    expect(rowsOf(checkout, ...payment('p1'), otherNetwork)).toHaveLength(2)
    expect(rowsOf(checkout, part('p1', 'Capture', '50'), part('p1', 'Processing Fee', '-1'))).toHaveLength(1)
  })

  test('payments with long texts ended the whole process: what a file may keep until its end is bounded', () => {
    const short = { ...checkout, createParser: () => createCheckoutParser(60) }
    const long = 'x'.repeat(40)
    const lines = [...payment('p1'), part('p2', 'Capture', '1', { 'Card Category': long }), part(long, 'Capture', '1'), ...payment('p3')]
    const { rows, result } = readRecords(short, fileOf(checkout, ...lines))
    expect(rows.map((row) => row.type === 'payment' && row.reference)).toEqual(['p1', 'p3'])
    const refused = { column: 'Payment ID', detail: 'is too much: payments of a file may hold 60 characters together' }
    expect(result).toMatchObject({ outcome: 'unreadable', tally: { problems: expect.arrayContaining([expect.objectContaining(refused)]) } })
  })

  test('the rows of a million payments stood in memory beside what they were made of, and ended their reading', () => {
    const finished = createCheckoutParser().finish()
    expect(Array.isArray(finished)).toBe(false)
    expect([...finished]).toEqual([])
  })

  test('a payment without a capture is no row', () => {
    expect(rowsOf(checkout, part('p1', 'Interchange Fee', '-0.10'))).toEqual([])
  })

  test.each([
    ['Holding Currency Amount', 'x'],
    ['Holding Currency', 'USD'],
    ['Processed On', 'yesterday'],
  ])('one record with a bad %s makes its payment unusable, no other', (column, cell) => {
    const bad = part('p1', 'Capture', '1', { [column]: cell })
    const { rows, result } = readRecords(checkout, fileOf(checkout, ...payment('p1'), ...payment('p2'), bad))
    expect(rows).toMatchObject([{ reference: 'p2' }])
    expect(result).toMatchObject({ outcome: 'unreadable', tally: { unreadableCount: 1, problems: [{ line: 8, column }] } })
  })
})
