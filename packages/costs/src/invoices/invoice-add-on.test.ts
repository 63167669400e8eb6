import { describe, expect, test } from '@jest/globals'
import { addOnOfInvoice, isUnspread, reconcile } from './invoice-add-on.ts'
import { kindOfLine } from './invoice-line.ts'

const line = (description: string, amount: number, quantity = 0) => ({ description, amount, quantity })
/** cost.md 17.3 */
const INVOICE = [
  line('Processing Fees', 4200, 120_000),
  line('Revenue Protect', 1800),
  line('Chargeback Service', 900),
  line('Management', 350),
  line('Non-Transactional Scheme Fees', 240),
  line('Refund Fees', -310),
  line('Payment Method Fees', 61_000),
  line('Turnover', 7_800_000),
]

describe('what an invoice adds (cost.md 11, 17.3)', () => {
  test('the worked example', () => {
    const addOn = addOnOfInvoice(INVOICE, null)
    expect(addOn).toMatchObject({ subtotalExTax: 68_180, cardVolume: 7_800_000, txnCount: 120_000, lineCount: 8, fixedAddon: 0.05 })
    expect(addOn.pctAddonBps).toBeCloseTo(1.51282, 5)
    expect(addOn.totalAddonPerTxn).toBeCloseTo(0.059833, 6)
    expect(addOn.breakdown.map(({ description, kind, added }) => [description, kind, added])).toEqual([
      ['Processing Fees', 'flat_per_txn', true],
      ['Revenue Protect', 'flat_per_txn', true],
      ['Chargeback Service', 'periodic', true],
      ['Management', 'periodic', true],
      ['Refund Fees', 'credit', true],
      ['Non-Transactional Scheme Fees', 'periodic', true],
      ['Payment Method Fees', 'already_modeled', false],
      ['Turnover', 'volume', false],
    ])
    expect(addOn.breakdown[0]).toMatchObject({ amount: 4200, perTxn: 0.035 })
  })

  test('it reconciles with what was settled', () => {
    const reconciled = reconcile(addOnOfInvoice(INVOICE, null), { gross: 7_800_000, count: 120_000, fees: 60_500 })
    expect(reconciled).toMatchObject({ invoiceSubtotal: 68_180, modelCaptured: 60_500 })
    expect(reconciled?.addonContribution).toBeCloseTo(7180, 6)
    expect(reconciled?.modelAllIn).toBeCloseTo(67_680, 6)
    expect(reconciled?.residual).toBeCloseTo(500, 6)
    expect(reconciled?.coverageBefore).toBeCloseTo(0.8874, 4)
    expect(reconciled?.coverageAfter).toBeCloseTo(0.9927, 4)
    expect(reconcile({ subtotalExTax: 0, pctAddonBps: 0, fixedAddon: 0 }, { gross: 1, count: 1, fees: 1 })).toBeNull()
  })

  test('what was settled stands in for what the invoice does not state', () => {
    const bare = [line('Transaction fee', 50), line('Management', 10)]
    expect(addOnOfInvoice(bare, { gross: 10_000, count: 1000, fees: 0 })).toMatchObject({
      fixedAddon: 0.05,
      pctAddonBps: 10,
      cardVolume: null,
      txnCount: null,
    })
    expect(addOnOfInvoice(bare, null)).toMatchObject({ fixedAddon: 0, pctAddonBps: 0, totalAddonPerTxn: 0 })
  })

  test('what there is nothing to spread over adds nothing, and that can be told', () => {
    const known = { gross: 10_000, count: 1000, fees: 0 }
    const told = (lines: readonly ReturnType<typeof line>[], settled: typeof known | null) => isUnspread(addOnOfInvoice(lines, settled))
    expect([told([line('Management', 10)], null), told([line('Management', 10)], { gross: 0, count: 0, fees: 0 })]).toEqual([true, true])
    expect(told([line('Management', 10), line('Transaction fee', 50, 100)], null)).toBe(true)
    expect(told([line('Management', 10), line('Transaction fee', 50)], known)).toBe(false)
    expect([told(INVOICE, null), told([line('Payment Method Fees', 5)], null), told([line('Management', 0)], null)]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('lines of one name are one entry', () => {
    expect(addOnOfInvoice([line('Management', 1), line('Management', 2)], null).breakdown).toMatchObject([{ amount: 3 }])
  })

  test.each([
    ['DCC markup', 5, 'credit'],
    ['Interchange correction', 5, 'credit'],
    ['Interchange', -5, 'credit'],
    ['Authorisation scheme fee', 5, 'already_modeled'],
    ['Acquiring Processing Fee', 5, 'already_modeled'],
    ['Non transactional scheme fees', 5, 'periodic'],
    ['Scheme fees', 5, 'already_modeled'],
    ['Risk fee', 5, 'flat_per_txn'],
    ['Card sales', 5, 'volume'],
    ['Terminal rent', 5, 'periodic'],
  ])('%s of %d is %s', (description, amount, kind) => {
    expect(kindOfLine(line(description, amount))).toBe(kind)
  })
})
