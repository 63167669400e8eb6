import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { REPORT_FORMATS, reportFormatOf } from '../connectors/report-formats.ts'
import { fileOf, readRecords } from '../connectors/sample-report.fixture.ts'
import { stripe } from '../connectors/stripe.ts'
import { dayAt, dayText, parseIsoDay, parseMonth, parseSlashedDay } from './day.ts'
import { AMOUNT_MAX, parseDecimal } from './decimal.ts'
import { PROBLEM_COUNT_MAX } from './report-reader.ts'

const good = { 'Gross Qty': '10', 'Cost Qty': '1', 'Refund Flag': 'settle', 'Gross Ccy': 'EUR' }
const bad = { ...good, 'Cost Qty': '1.234,50' }

describe('numbers of a report', () => {
  test.each([
    ['0', 0],
    ['-1234.50', -1234.5],
    ['+3', 3],
    ['.5', 0.5],
    ['7.', 7],
  ])('%j is %d', (text, value) => {
    expect(parseDecimal(text)).toBe(value)
  })
  test.each([
    '',
    '.',
    '-',
    '1,234.50',
    '1.234,50',
    '1e3',
    '0x10',
    'Infinity',
    'NaN',
    '1 000',
    '(5)',
    '5-',
    '٣',
    `${AMOUNT_MAX}0`,
    '1'.repeat(40),
  ])('%j is no number', (text) => {
    expect(parseDecimal(text)).toBeUndefined()
  })
  test('property: digits are read as the nearest number, however many there are', () => {
    const digits = fc.stringMatching(/^[+-]?\d{0,17}(\.\d{0,17})?$/)
    fc.assert(
      fc.property(digits, (text) => {
        const value = Number(text)
        const isNumber = /\d/.test(text) && text.length <= 32 && Math.abs(value) <= AMOUNT_MAX
        expect(parseDecimal(text)).toBe(isNumber ? value : undefined)
      }),
      { numRuns: 1_000 },
    )
  })
  test('every amount with two decimals is read as what it is', () => {
    fc.assert(fc.property(fc.integer({ min: -1e11, max: 1e11 }), (cents) => parseDecimal((cents / 100).toFixed(2)) === cents / 100))
  })
})

describe('days of a report', () => {
  test('all forms', () => {
    expect(dayText(parseIsoDay('2026-02-28') ?? 0)).toBe('2026-02-28')
    expect(dayText(parseIsoDay('2026-02-28T23:59:59.999') ?? 0)).toBe('2026-02-28')
    expect(dayText(parseSlashedDay('2/9/26') ?? 0)).toBe('2026-02-09')
    expect(dayText(parseSlashedDay('12/31/2026') ?? 0)).toBe('2026-12-31')
    expect(dayText(parseMonth('2026/11') ?? 0)).toBe('2026-11-01')
    expect(dayText(dayAt(Date.UTC(2026, 10, 22, 23)))).toBe('2026-11-22')
  })
  test.each(['2026-02-30', '2026-13-01', '26-01-01', '0000-01-01', '2026-01-01x', ''])('%j is no day', (text) => {
    expect(parseIsoDay(text)).toBeUndefined()
  })
  test('nor are these', () => {
    expect([parseSlashedDay('13/1/2026'), parseSlashedDay('1-1-2026'), parseMonth('2026-11'), parseMonth('1999/11')]).toEqual(
      Array(4).fill(undefined),
    )
  })
})

describe('reading a report', () => {
  test('one unreadable record in a thousand is left out, a second one spoils the report', () => {
    const lines = Array.from({ length: 999 }, () => good)
    const once = readRecords(stripe, fileOf(stripe, ...lines, bad))
    expect(once.rows).toHaveLength(999)
    expect(once.result).toEqual({
      outcome: 'read',
      tally: {
        recordCount: 1000,
        rowCount: 999,
        unreadableCount: 1,
        problems: [{ line: 1001, column: 'Cost Qty', detail: 'is no plain decimal number such as -1234.50' }],
      },
    })
    expect(readRecords(stripe, fileOf(stripe, bad, ...lines, bad)).result).toMatchObject({ outcome: 'unreadable' })
  })

  test('problems are told up to a bound', () => {
    const { result } = readRecords(stripe, fileOf(stripe, ...Array.from({ length: 50 }, () => bad)))
    expect(result).toMatchObject({ outcome: 'unreadable', tally: { unreadableCount: 50 } })
    expect(result.outcome === 'unreadable' && result.tally.problems.length).toBe(PROBLEM_COUNT_MAX)
  })

  test('columns are found in any order, the first of a name, and short records end blank', () => {
    const header = ['\uFEFFRefund Flag', ...stripe.required.filter((label) => label !== 'Refund Flag').toReversed(), 'Gross Ccy']
    const { rows } = readRecords(stripe, [header, ['settle', 'EUR', '5', '100', 'v']])
    expect(rows).toMatchObject([{ currency: 'EUR', cost: 5, turnover: 100, variant: 'v', cardNetwork: '' }])
  })

  test('missing columns are named in the order of the connector, labels count exactly', () => {
    const header = stripe.required.map((label) => (label === 'Gross Qty' ? 'gross qty' : label)).filter((label) => label !== 'Card Brand')
    const { rows, result } = readRecords(stripe, [header, header])
    expect(rows).toEqual([])
    expect(result).toEqual({ outcome: 'missing-columns', missing: ['Card Brand', 'Gross Qty'] })
  })

  test('a mapping names the labels of the file', () => {
    const header = stripe.required.map((label) => (label === 'Gross Qty' ? 'Turnover' : label))
    expect(readRecords(stripe, [header], { 'Gross Qty': 'Turnover' }).result).toMatchObject({ outcome: 'read' })
  })

  test('a file without a header', () => {
    expect(readRecords(stripe, []).result).toEqual({ outcome: 'no-header' })
  })

  test('connectors are known by their names in any case', () => {
    expect(reportFormatOf('Adyen')?.connector).toBe('adyen')
    expect(reportFormatOf('paypal')).toBeUndefined()
    expect(REPORT_FORMATS.filter(({ isPulled }) => isPulled).map(({ connector }) => connector)).toEqual(['chase'])
    for (const { required, optional } of REPORT_FORMATS)
      expect(new Set([...required, ...optional]).size).toBe(required.length + optional.length)
  })

  test.each(REPORT_FORMATS.map((format) => [format.connector, format] as const))('%s: no cell makes the reader throw', (_name, format) => {
    const labels = [...format.required, ...format.optional]
    const cell = fc.oneof(
      fc.string(),
      fc.constantFrom('Settled', 'sale', 'settle', 'Capture', '1.5', '[null]', '[{"t":"ic"}]', '2026-01-01'),
    )
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: labels.length + 2 }), { maxLength: 5 }), (records) => {
        const { rows, result } = readRecords(format, [labels, ...records])
        expect(result.outcome).toMatch(/^(read|unreadable)$/)
        for (const row of rows)
          expect(Object.values(row).filter((value) => typeof value === 'number' && !Number.isFinite(value))).toEqual([])
      }),
    )
  })
})
