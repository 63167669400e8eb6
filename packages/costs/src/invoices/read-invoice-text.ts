import { type Day, parseIsoDay } from '../reports/day.ts'
import { parseDecimal } from '../reports/decimal.ts'
import { invoiceOf, type ReadInvoice } from './invoice.ts'
import { type InvoiceLine, kindOfLine } from './invoice-line.ts'
import type { Period } from './settled-days.ts'

/** Longest line that is looked at, in characters: an item is a line of a page. */
const TEXT_LINE_LENGTH_MAX = 500

const EUROPEAN = '-?\\d{1,15}(?:\\.\\d{3}){0,5}(?:,\\d{1,6})?'
const ITEM = new RegExp(`^(.+) ([A-Z]{3}) (${EUROPEAN})$`)
/** An amount in digits, however it is written: with a minus behind, or with blanks between thousands. */
const WRITTEN_ITEM = /^(.+) ([A-Z]{3}) [-+−(]? ?\d[\d.,'’ ]*[-−)]?$/
const TRANSACTIONS = new RegExp(`(?:^| )(${EUROPEAN}) Transaction fee ([A-Z]{3}) (${EUROPEAN})(?: |$)`, 'i')
const DATE = /(\d{4}-\d{2}-\d{2})|(\d{2})[-/.](\d{2})[-/.](\d{4})/g
const SUMMARY = 'summary (overview'
const SUBTOTAL = 'invoice subtotal'
const ENDS = ['invoiced on merchant', 'invoice total', 'vat ', 'amount due']

type TextLine = InvoiceLine & { readonly currency: string }

/** `-1.234,56` */
const europeanNumber = (text: string): number | undefined => parseDecimal(text.replaceAll('.', '').replace(',', '.'))

/** An item; its amount is undefined when it can't be read. */
type ItemText = Omit<TextLine, 'amount'> & { readonly amount: number | undefined }

const itemOf = (line: string): ItemText | undefined => {
  const amount = europeanNumber(ITEM.exec(line)?.[3] ?? '')
  const found = (amount === undefined ? WRITTEN_ITEM : ITEM).exec(line)
  return found ? { description: found[1] ?? '', amount, quantity: 0, currency: found[2] ?? '' } : undefined
}

/** The items below the title of the summary, up to its second subtotal or the end of the table. */
const itemsOf = (lines: readonly string[]): readonly ItemText[] => {
  const start = lines.findIndex((line) => line.toLowerCase().startsWith(SUMMARY))
  if (start < 0) return []
  const items: ItemText[] = []
  let subtotalCount = 0
  for (const line of lines.slice(start + 1)) {
    const lower = line.toLowerCase()
    if (lower.startsWith(SUBTOTAL)) subtotalCount += 1
    if (subtotalCount === 2 || ENDS.some((end) => lower.startsWith(end))) break
    const item = lower.startsWith(SUBTOTAL) ? undefined : itemOf(line)
    if (item) items.push(item)
  }
  return items
}

/** How many payments the invoice counts and what they were worth, where it says so. */
const transactionsOf = (lines: readonly string[]): { readonly count: number; readonly turnover: TextLine } | undefined => {
  for (const line of lines) {
    const found = TRANSACTIONS.exec(line)
    const [count, turnover] = [europeanNumber(found?.[1] ?? ''), europeanNumber(found?.[3] ?? '')]
    if (!found || count === undefined || turnover === undefined) continue
    return { count, turnover: { description: 'Turnover', amount: turnover, quantity: 0, currency: found[2] ?? '' } }
  }
  return undefined
}

/** The first line that is charged by payment tells of how many. */
const counted = (items: readonly TextLine[], count: number): readonly TextLine[] => {
  const place = items.findIndex((item) => kindOfLine(item) === 'flat_per_txn')
  return items.map((item, index) => (index === place ? { ...item, quantity: count } : item))
}

const datesIn = (line: string): readonly Day[] =>
  [...line.matchAll(DATE)].flatMap(([, iso, date, month, year]) => parseIsoDay(iso ?? `${year}-${month}-${date}`) ?? [])

/** Days of the first line that speaks of a period and tells two of them. */
const periodOf = (lines: readonly string[]): Period | null => {
  for (const line of lines) {
    if (!line.toLowerCase().includes('period')) continue
    const [first, last] = datesIn(line)
    if (first !== undefined && last !== undefined && first <= last) return { first, last }
  }
  return null
}

/** Reads an invoice from the lines of text of its pages, with amounts as `1.234,56` (cost.md 11). */
export const readInvoiceText = (text: readonly string[]): ReadInvoice => {
  const lines = text.map((line) => line.slice(0, TEXT_LINE_LENGTH_MAX).replace(/\s+/g, ' ').trim())
  const found = itemsOf(lines)
  if (found.every(({ amount }) => amount === undefined))
    return {
      ok: false,
      problem: 'No item was found: a line that begins with "Summary (overview", and below it lines such as "Processing fees EUR 1.234,56"',
    }
  const items = found.map((item) => ({ ...item, amount: item.amount ?? 0 }))
  const warnings = found.flatMap(({ description, amount }) =>
    amount === undefined ? [`${description}: the amount is no number such as 1.234,56, and counts as 0`] : [],
  )
  const transactions = transactionsOf(lines)
  const all = transactions === undefined ? items : [...counted(items, transactions.count), transactions.turnover]
  return invoiceOf(all, periodOf(lines), warnings)
}
