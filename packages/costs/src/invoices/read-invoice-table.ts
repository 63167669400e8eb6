import { parseIsoDay } from '../reports/day.ts'
import { parseDecimal } from '../reports/decimal.ts'
import { invoiceOf, type ReadInvoice } from './invoice.ts'
import type { InvoiceLine } from './invoice-line.ts'
import type { Period } from './settled-days.ts'

/** Names of a column in lower case, the usual one first. */
const COLUMNS = {
  description: ['description', 'type'],
  amount: ['amount', 'booked amount'],
  quantity: ['quantity'],
  currency: ['currency'],
  periodStart: ['period start'],
  periodEnd: ['period end'],
} as const

type Column = keyof typeof COLUMNS

/** A record of a table, and the line of the file on which it ends, from 1. */
export interface TableRecord {
  readonly cells: readonly string[]
  readonly line: number
}

type CellOf = (column: Column) => string

/** Labels as they are compared; a file may begin with a byte order mark. */
const labelsOf = (header: readonly string[]): readonly string[] =>
  header.map((label) =>
    label
      .replace(/^\uFEFF/, '')
      .trim()
      .toLowerCase(),
  )

const cellsOf = (labels: readonly string[]): ((record: readonly string[]) => CellOf) => {
  const placeOf = (names: readonly string[]): number => names.map((name) => labels.indexOf(name)).find((place) => place >= 0) ?? -1
  const places = new Map(Object.entries(COLUMNS).map(([column, names]) => [column, placeOf(names)]))
  return (record) => (column) => (record[places.get(column) ?? -1] ?? '').trim()
}

/** The period, null when it is not told or can't be read: `isTold` tells the two apart. */
const periodOf = (cells: readonly CellOf[]): { readonly period: Period | null; readonly isTold: boolean } => {
  const textOf = (column: Column): string => cells.map((cell) => cell(column)).find((cell) => cell !== '') ?? ''
  const [start, end] = [textOf('periodStart'), textOf('periodEnd')]
  const [first, last] = [parseIsoDay(start), parseIsoDay(end)]
  const period = first !== undefined && last !== undefined && first <= last ? { first, last } : null
  return { period, isTold: start !== '' || end !== '' }
}

/** Commas between thousands, also as in `12,34,567`; the last group has three digits, or `4,20` would be 420. */
const GROUPED = /^[+-]?\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d*)?$/

/** A number with commas between thousands; blank, and what is none, counts as 0 (cost.md 11). */
const numberOf = (cell: string): number | undefined => {
  if (cell === '') return 0
  return parseDecimal(GROUPED.test(cell) ? cell.replaceAll(',', '') : cell)
}

/**
 * Reads an invoice from the records of a table, the header among them (cost.md 11). Columns are found by name, in any case: Description
 * or Type, Amount or Booked Amount, and where there are any Quantity, Currency, Period Start and Period End.
 */
export const readInvoiceTable = (records: readonly TableRecord[]): ReadInvoice => {
  const [{ cells: header } = { cells: [] }, ...below] = records
  const labels = labelsOf(header)
  const lacking = (['description', 'amount'] as const).find((column) => !COLUMNS[column].some((name) => labels.includes(name)))
  if (lacking !== undefined) return { ok: false, problem: `The file has no column ${COLUMNS[lacking].join(' or ')}` }
  const cellsIn = cellsOf(labels)
  const rows = below.map(({ cells, line }) => ({ cell: cellsIn(cells), line }))
  const warnings: string[] = []
  const read = (cell: CellOf, column: 'amount' | 'quantity', line: number): number => {
    const value = numberOf(cell(column))
    if (value === undefined) warnings.push(`Line ${line}: ${column} is no number such as 1,234.50, and counts as 0`)
    return value ?? 0
  }
  const lines = rows.flatMap(({ cell, line }): readonly (InvoiceLine & { readonly currency: string })[] => {
    const description = cell('description')
    if (description === '') return []
    return [{ description, amount: read(cell, 'amount', line), quantity: read(cell, 'quantity', line), currency: cell('currency') }]
  })
  if (lines.length === 0) return { ok: false, problem: 'The file has no line with a description' }
  const { period, isTold } = periodOf(rows.map(({ cell }) => cell))
  // Ahead of the others: of many of these only some are told.
  if (period === null && isTold)
    warnings.unshift('period start, period end: are no two days such as 2026-06-01, in their order; the period counts as not told')
  return invoiceOf(lines, period, warnings)
}
