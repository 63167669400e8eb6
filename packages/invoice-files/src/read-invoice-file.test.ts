import { describe, expect, test } from '@jest/globals'
import { addOnOfInvoice } from '@switchyard/costs'
import { INVOICE_PAGES, pageOf, pdfOf } from '@switchyard/testing'
import { INVOICE_PAGE_COUNT_MAX } from './limits.ts'
import { readInvoiceFile } from './read-invoice-file.ts'

const read = (content: string | Buffer) => readInvoiceFile(new Uint8Array(Buffer.from(content)))

const CSV = `\uFEFFDescription,Amount,Quantity,Currency,Period Start,Period End
Processing Fees,"4,200.00","120,000",EUR,2026-06-01,2026-06-30
Revenue Protect,1800,,EUR
Chargeback Service,900
Management,350
Non-Transactional Scheme Fees,240
Refund Fees,-310
Payment Method Fees,"61,000"
,5
Turnover,"7,800,000"
`

describe('invoices (cost.md 11, 17.3)', () => {
  test.each([
    ['CSV', CSV],
    ['PDF', pdfOf(INVOICE_PAGES.map(pageOf))],
  ])('the worked example as %s', async (_name, content) => {
    const answer = await read(content)
    if (!answer.ok) throw new Error(answer.problem)
    expect(answer.invoice).toMatchObject({ currency: 'EUR', warnings: [], period: { first: 20_605, last: 20_634 } })
    expect(addOnOfInvoice(answer.invoice.lines, null)).toMatchObject({
      subtotalExTax: 68_180,
      cardVolume: 7_800_000,
      txnCount: 120_000,
      lineCount: 8,
      fixedAddon: 0.05,
    })
  })

  test('other names of the columns, in any case', async () => {
    expect(await read('TYPE,booked amount\nManagement,5\n')).toMatchObject({
      ok: true,
      invoice: { lines: [{ description: 'Management', amount: 5, quantity: 0 }], currency: '', period: null },
    })
  })

  test('lines that end in several ways, as files that were put together have them', async () => {
    expect(await read('Description,Amount\r\nManagement,5\nRevenue Protect,6\r"Refund Fees",-1\r\n')).toMatchObject({
      ok: true,
      invoice: { lines: [{ amount: 5 }, { description: 'Revenue Protect', amount: 6 }, { amount: -1 }], warnings: [] },
    })
  })

  test('a record of nothing but empty cells is as long as any other', async () => {
    expect(await read(`${','.repeat(999)}\n`)).toEqual({ ok: false, problem: 'The file has no column description or type' })
    for (const wide of [','.repeat(1_000), `Description,Amount\n${'"\n",'.repeat(2_000)}`]) {
      expect(await read(wide)).toEqual({ ok: false, problem: 'The file is no CSV that can be read, CSV_MAX_RECORD_SIZE' })
    }
  })

  test('a number that is none counts as 0, and is told', async () => {
    expect(await read('Description,Amount,Quantity\nManagement,abc,1e3\n')).toMatchObject({
      ok: true,
      invoice: {
        lines: [{ amount: 0, quantity: 0 }],
        warnings: [expect.stringContaining('Line 2: amount'), expect.stringContaining('Line 2: quantity')],
      },
    })
  })

  test('the line of such a number is that of the file, with blank lines and cells of several lines above it', async () => {
    expect(await read('\n\nDescription,Amount\n\n"Management\nfee",5\r\n\r\nTerminal rent,abc\n')).toMatchObject({
      invoice: { warnings: [expect.stringContaining('Line 8: amount')] },
    })
  })

  test.each([
    ['in another form', '01/06/2026', '30/06/2026'],
    ['without an end', '2026-06-01', ''],
    ['that ends before it begins', '2026-06-30', '2026-06-01'],
  ])('a period %s counts as not told, and is told', async (_name, start, end) => {
    expect(await read(`Description,Amount,Period Start,Period End\nManagement,5,${start},${end}\n`)).toMatchObject({
      invoice: { period: null, warnings: [expect.stringContaining('period start, period end: are no two days such as 2026-06-01')] },
    })
  })

  test.each([
    ['4,200.00', 4200],
    ['-1,234,567.5', -1_234_567.5],
    ['12,34,567', 1_234_567],
    ['1234.5', 1234.5],
  ])('commas between thousands: %s is %d', async (cell, amount) => {
    expect(await read(`Description,Amount\nManagement,"${cell}"\n`)).toMatchObject({ invoice: { lines: [{ amount }], warnings: [] } })
  })

  test.each(['1.234,56', '4,20', '1,2,3', ',5', '1,234,56'])('a comma elsewhere: %s is no number', async (cell) => {
    const warnings = [expect.stringContaining('Line 2: amount')]
    expect(await read(`Description,Amount\nManagement,"${cell}"\n`)).toMatchObject({ invoice: { lines: [{ amount: 0 }], warnings } })
  })

  test.each([
    ['no column of amounts', 'Description,Sum\nA,1\n', 'no column amount'],
    ['no lines', 'Description,Amount\n', 'no line'],
    ['two currencies', 'Description,Amount,Currency\nA,1,EUR\nB,1,USD\n', 'EUR and USD'],
    ['what is no currency', 'Description,Amount,Currency\nA,1,Euros\n', 'three letters'],
    ['more lines than an invoice has', `Description,Amount\n${'A,1\n'.repeat(1001)}`, 'more than 1000 lines'],
    ['broken quotes', 'Description,Amount\n"A,1\n', 'no CSV'],
    ['no text', Buffer.from([0xff, 0xfe, 0x41, 0]), 'UTF-8'],
    ['a truncated PDF', pdfOf(INVOICE_PAGES.map(pageOf)).subarray(0, 300), 'PDF'],
    ['a PDF in name only', '%PDF-1.7 and nothing else', 'no PDF'],
    ['a PDF without a summary', pdfOf([pageOf(['Dear customer'])]), 'Summary (overview'],
    ['more pages than an invoice has', pdfOf(Array.from({ length: INVOICE_PAGE_COUNT_MAX + 1 }, () => '')), 'pages'],
  ])('%s', async (_name, content, problem) => {
    expect(await read(content)).toEqual({ ok: false, problem: expect.stringContaining(problem) })
  })
})
