import type { InvoiceLine } from './invoice-line.ts'
import type { Period } from './settled-days.ts'

/** Lines of one invoice. */
export const INVOICE_LINE_COUNT_MAX = 1000
/** Longest description of a line, in characters. */
const INVOICE_DESCRIPTION_LENGTH_MAX = 255
/** Things about an invoice that are told one by one. */
const INVOICE_WARNING_COUNT_MAX = 20

const CURRENCY = /^[A-Z]{3}$/

/** An invoice as its file tells it. */
export interface Invoice {
  readonly lines: readonly InvoiceLine[]
  /** Upper case; empty when it does not tell. */
  readonly currency: string
  readonly period: Period | null
  /** What was read otherwise than it is written, for people; a few of them. */
  readonly warnings: readonly string[]
}

/** An invoice, or why the file is none: a sentence for who sent it. */
export type ReadInvoice = { readonly ok: true; readonly invoice: Invoice } | { readonly ok: false; readonly problem: string }

/** The one currency of the lines; several of them can't be added up. */
const currencyOfLines = (currencies: Iterable<string>): { readonly currency: string } | { readonly problem: string } => {
  const found = new Set([...currencies].map((currency) => currency.trim().toUpperCase()).filter((currency) => currency !== ''))
  const [first = '', second] = found
  const wrong = [...found].find((currency) => !CURRENCY.test(currency))
  if (wrong !== undefined) return { problem: 'A currency is three letters, such as EUR' }
  return second === undefined ? { currency: first } : { problem: `The lines are in ${first} and ${second}: an invoice is in one currency` }
}

const tooMany: ReadInvoice = { ok: false, problem: `The invoice has more than ${INVOICE_LINE_COUNT_MAX} lines` }

/** Closes the reading of an invoice: bounds, and its one currency. */
export const invoiceOf = (
  lines: readonly (InvoiceLine & { readonly currency: string })[],
  period: Period | null,
  warnings: readonly string[],
): ReadInvoice => {
  if (lines.length > INVOICE_LINE_COUNT_MAX) return tooMany
  const currency = currencyOfLines(lines.map((line) => line.currency))
  if ('problem' in currency) return { ok: false, problem: currency.problem }
  return {
    ok: true,
    invoice: {
      currency: currency.currency,
      period,
      warnings: warnings.slice(0, INVOICE_WARNING_COUNT_MAX),
      lines: lines.map(({ description, amount, quantity }) => ({
        description: description.slice(0, INVOICE_DESCRIPTION_LENGTH_MAX),
        amount,
        quantity,
      })),
    },
  }
}
