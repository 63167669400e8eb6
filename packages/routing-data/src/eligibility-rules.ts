import { fileURLToPath } from 'node:url'
import { createEligibilityTable, type EligibilityEntry, type EligibilityTable } from '@switchyard/routing'
import * as z from 'zod'
import { ELIGIBILITY_ROWS_MAX, WORD_LENGTH_MAX } from './limits.ts'
import { invalidTable, parseTable, readTableFile, type TableForm } from './read-table.ts'

/** The table that a deployment has when it names none. */
const CURATED = fileURLToPath(new URL('../eligibility.csv', import.meta.url))

const WHAT = 'SWITCHYARD_ELIGIBILITY_FILE: the table of eligible connectors'

const word = z.string().min(1, 'must not be empty').max(WORD_LENGTH_MAX)

/** Codes separated by blanks; an empty cell allows everything. */
const codes = (length: number, what: string) =>
  z
    .string()
    .transform((text) => text.split(/\s+/).filter((code) => code !== ''))
    .refine((list) => list.every((code) => new RegExp(`^[A-Z]{${length}}$`).test(code)), `must be ${what}, separated by blanks`)
    .transform((list) => (list.length === 0 ? null : new Set(list)))

const row = z
  .strictObject({
    connector: word,
    payment_method_type: word,
    countries: codes(2, 'country codes of two capital letters'),
    currencies: codes(3, 'currency codes of three capital letters'),
    excluded_capture_method: z.string().max(WORD_LENGTH_MAX),
  })
  .transform(
    ({ connector, payment_method_type, countries, currencies, excluded_capture_method }): EligibilityEntry => ({
      connector,
      paymentMethodType: payment_method_type,
      countries,
      currencies,
      excludedCaptureMethod: excluded_capture_method === '' ? null : excluded_capture_method,
    }),
  )

const FORM: TableForm<EligibilityEntry> = { what: WHAT, row, rowsMax: ELIGIBILITY_ROWS_MAX }

/** Reads the table from its CSV (rules.md 8); throws `SETTING_INVALID` that names line, column and reason. */
const parseEligibility = (csv: string): EligibilityTable => {
  const rows = parseTable(FORM, csv)
  const known = new Set<string>()
  for (const { line, value } of rows) {
    const identity = JSON.stringify([value.connector.toLowerCase(), value.paymentMethodType.toLowerCase()])
    if (known.has(identity)) throw invalidTable(WHAT, `line ${line}: connector: a rule for this connector and method stands there twice`)
    known.add(identity)
  }
  return createEligibilityTable(rows.map(({ value }) => value))
}

/** Loads the deployment's table, or the curated one; throws `SETTING_INVALID` when it can't be used. */
export const loadEligibility = (path: string | undefined): EligibilityTable =>
  parseEligibility(readTableFile('SWITCHYARD_ELIGIBILITY_FILE', path ?? CURATED))
