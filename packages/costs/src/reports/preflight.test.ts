import { describe, expect, test } from '@jest/globals'
import { adyen } from '../connectors/adyen.ts'
import { chase } from '../connectors/chase.ts'
import { checkout } from '../connectors/checkout.ts'
import { REPORT_FORMATS } from '../connectors/report-formats.ts'
import { stripe } from '../connectors/stripe.ts'
import { paymentRow, totalRow } from '../statistics/sample-rows.fixture.ts'
import { mappingProblems, preflight } from './preflight.ts'
import { PREVIEW_ROW_COUNT_MAX, previewOf } from './preview.ts'

describe('columns of a file (cost.md 6.1)', () => {
  test('all there', () => {
    expect(preflight(chase, [['BEGIN', '1'], chase.required, ['END', '1']], {}, REPORT_FORMATS)).toEqual({
      connector: 'chase',
      ok: true,
      missing: [],
      matched: chase.required,
      required: chase.required,
      optional: chase.optional,
      optionalMissing: chase.optional,
      found: chase.required,
      suggestedConnectors: [],
    })
  })
  test('a file of another connector', () => {
    const found = preflight(stripe, [[...adyen.required, ...checkout.required]], {}, REPORT_FORMATS)
    expect(found).toMatchObject({ ok: false, matched: ['Payment Method Variant'] })
    expect(found.suggestedConnectors).toEqual([
      { connector: 'adyen', matchedRequired: 12 },
      { connector: 'checkout', matchedRequired: 9 },
    ])
  })
  test('under a mapping, and without any record', () => {
    const header = stripe.required.map((label) => (label === 'Gross Qty' ? 'Turnover' : label))
    expect(preflight(stripe, [header], { 'Gross Qty': 'Turnover' }, REPORT_FORMATS)).toMatchObject({ ok: true, found: header })
    expect(preflight(stripe, [], {}, REPORT_FORMATS)).toMatchObject({ ok: false, found: [], suggestedConnectors: [] })
  })
  test('every mistake of a mapping is told', () => {
    expect(mappingProblems(stripe, { 'Gross Qty': 'a', Nothing: 'b', 'Cost Qty': 'a', Month: 'x' }, ['a', 'b'])).toEqual([
      { problem: 'unknown-column', label: 'Nothing' },
      { problem: 'used-twice', label: 'Cost Qty', target: 'a' },
      { problem: 'not-in-file', label: 'Month', target: 'x' },
    ])
    expect(mappingProblems(stripe, {}, [])).toEqual([])
  })
  test('a column that another label is called by as usual stands for two, unless that one is called otherwise', () => {
    const header = [...adyen.required, 'Platform Fee']
    expect(mappingProblems(adyen, { 'Commission (SC)': 'Markup (SC)' }, header)).toEqual([
      { problem: 'used-twice', label: 'Commission (SC)', target: 'Markup (SC)' },
    ])
    expect(mappingProblems(adyen, { 'Commission (SC)': 'Markup (SC)', 'Markup (SC)': 'Platform Fee' }, header)).toEqual([])
    expect(mappingProblems(adyen, { 'Markup (SC)': 'Markup (SC)' }, header)).toEqual([])
  })
})

describe('preview (cost.md 6.2)', () => {
  test('the first rows with their shares, and the upper median', () => {
    const rows = [1, 2, 3, 4].map((fee) => paymentRow(100, fee))
    expect(previewOf(adyen, rows, 'whole')).toMatchObject({ medianEffectivePct: 3, warning: null, rows: [{ effectivePct: 1 }, {}, {}, {}] })
    expect(previewOf(adyen, Array(20).fill(rows[0]), 'whole').rows).toHaveLength(PREVIEW_ROW_COUNT_MAX)
    expect(previewOf(stripe, [totalRow({ turnover: 0 })], 'whole')).toMatchObject({ medianEffectivePct: null, rows: [{ effectivePct: 0 }] })
  })
  test.each([
    [26, 'implausible-rate'],
    [25, null],
    [0.05, null],
    [0.04, 'implausible-rate'],
  ])('a median of %d %%: %s', (fee, warning) => {
    expect(previewOf(adyen, [paymentRow(100, fee)], 'whole').warning).toBe(warning)
  })
  test('a cut file of grouped records loses what has no fees yet', () => {
    expect(previewOf(checkout, [paymentRow(100, 0)], 'cut')).toEqual({
      rows: [],
      medianEffectivePct: null,
      warning: 'cut-before-first-payment',
    })
    expect(previewOf(checkout, [], 'whole').warning).toBe('no-fees')
    expect(previewOf(adyen, [], 'cut').warning).toBe('no-fees')
  })
  test('records that can not be read were left out without a word, and a file of nothing else was called readable', () => {
    const problem = { line: 1, column: 'Payable (SC)', detail: 'is no plain decimal number such as -1234.50' }
    expect(previewOf(adyen, [paymentRow(100, 1)], 'whole', problem)).toMatchObject({ rows: [{}], warning: problem })
    expect(previewOf(adyen, [paymentRow(100, 26)], 'whole', problem).warning).toEqual(problem)
    expect(previewOf(checkout, [paymentRow(100, 0)], 'cut', problem)).toMatchObject({ rows: [], warning: problem })
  })
})
