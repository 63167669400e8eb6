import { describe, expect, test } from '@jest/globals'
import { readInvoiceText } from './read-invoice-text.ts'

const SUMMARY = 'Summary (overview of all fees)'

describe('an invoice as text (cost.md 11)', () => {
  test('items end with the second subtotal, and what is not one is passed over', () => {
    const read = readInvoiceText([
      'Processing Fees EUR 1,00',
      SUMMARY,
      'Description  Amount',
      '  Processing   Fees   EUR 1.234,56 ',
      'Invoice subtotal EUR 1.234,56',
      'Refunds EUR -5',
      'Invoice subtotal EUR 1.229,56',
      'Late EUR 9,00',
    ])
    expect(read).toMatchObject({
      ok: true,
      invoice: {
        currency: 'EUR',
        period: null,
        lines: [
          { description: 'Processing Fees', amount: 1234.56 },
          { description: 'Refunds', amount: -5 },
        ],
      },
    })
  })

  test.each(['Invoiced on merchant account Shop', 'Invoice total EUR 1,00', 'VAT 21 % EUR 1,00', 'Amount due EUR 1,00'])(
    '%s ends them',
    (end) => {
      expect(readInvoiceText([SUMMARY, 'Management EUR 1,00', end, 'Late EUR 9,00'])).toMatchObject({ invoice: { lines: [{ amount: 1 }] } })
    },
  )

  test('the count of transactions belongs to the first line that is charged by payment', () => {
    expect(
      readInvoiceText([
        '1.500 Transaction fee EUR 30.000,00',
        SUMMARY,
        'Management EUR 1,00',
        'Risk fee EUR 2,00',
        'Processing fee EUR 3,00',
      ]),
    ).toMatchObject({
      invoice: { lines: [{ quantity: 0 }, { quantity: 1500 }, { quantity: 0 }, { description: 'Turnover', amount: 30_000 }] },
    })
  })

  test.each([
    ['Invoice period: 01.06.2026 to 30.06.2026', { first: 20_605, last: 20_634 }],
    ['Period 2026-06-01 / 2026-06-30', { first: 20_605, last: 20_634 }],
    ['Period 30-06-2026 01-06-2026', null],
    ['Period 31-02-2026 01-06-2026', null],
  ])('%s', (line, period) => {
    expect(readInvoiceText([line, SUMMARY, 'Management EUR 1,00'])).toMatchObject({ ok: true, invoice: { period } })
  })

  test.each(['310,00-', '- 310,00', '−310,00', '(310,00)', '4 200,00', '4,200.00', '9.999.999.999.999,00'])(
    'an amount written as %s counts as 0, and is told',
    (written) => {
      expect(readInvoiceText([SUMMARY, 'Management EUR 1,00', `Refund Fees EUR ${written}`, 'Invoice subtotal EUR 1,00'])).toMatchObject({
        invoice: {
          lines: [{ amount: 1 }, { description: 'Refund Fees', amount: 0 }],
          warnings: [expect.stringContaining('Refund Fees: the amount')],
        },
      })
      expect(readInvoiceText([SUMMARY, `Refund Fees EUR ${written}`])).toMatchObject({ ok: false })
    },
  )

  test('amounts in two currencies are no invoice, and neither is text without items', () => {
    expect(readInvoiceText([SUMMARY, 'A EUR 1,00', 'B USD 1,00'])).toMatchObject({ ok: false })
    expect(readInvoiceText(['Management EUR 1,00'])).toMatchObject({ ok: false })
    expect(readInvoiceText([])).toMatchObject({ ok: false })
  })
})
