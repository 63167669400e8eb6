import { OperatingError } from '@switchyard/kernel'
import { type BinRow, type BinRowFacts, type BinTable, createBinTable } from '@switchyard/routing'
import { CsvError, parse } from 'csv-parse/sync'
import { BIN_TABLE_ROWS_MAX } from '../limits.ts'
import { createBinFacts, FACT_COLUMNS, firstBin, lastBin } from './bin-row.ts'

/** Every one must be there; others are not read. */
const COLUMNS: readonly string[] = ['card_bin_min', 'card_bin_max', ...FACT_COLUMNS]

const invalid = (detail: string, cause?: unknown): OperatingError =>
  new OperatingError('SETTING_INVALID', `SWITCHYARD_BIN_TABLE_FILE: the BIN table is not valid: ${detail}`, { retryable: false, cause })

/** Where each column stands. */
const placesOf = (heading: readonly string[]): readonly number[] =>
  COLUMNS.map((name) => {
    const place = heading.indexOf(name)
    if (place < 0) throw invalid(`the heading lacks ${name}`)
    if (heading.lastIndexOf(name) > place) throw invalid(`the heading has ${name} twice`)
    return place
  })

/** Rows that can be looked up, and the line of each. */
interface ReadRows {
  /** Where each column stands; undefined before the heading. */
  places: readonly number[] | undefined
  readonly rows: BinRow[]
  readonly lines: number[]
}

/** Reads line after line; of the texts nothing is kept. */
const createLineReader = (read: ReadRows): ((line: readonly string[], number: number) => void) => {
  const factsOf = createBinFacts()
  return (line, number) => {
    const { places, rows, lines } = read
    if (places === undefined) {
      read.places = placesOf(line)
      return
    }
    if (number - 1 > BIN_TABLE_ROWS_MAX) throw invalid(`it has more than ${BIN_TABLE_ROWS_MAX} rows`)
    const [from = '', to = '', ...rest] = places.map((place) => line[place] ?? '')
    const fail = (detail: string): never => {
      throw invalid(`line ${number}: ${detail}`)
    }
    const first = firstBin(from)
    const last = lastBin(to)
    if (first === undefined) return fail('card_bin_min: must be 6 to 19 digits')
    if (last === undefined) return fail('card_bin_max: must be 6 to 19 digits')
    if (to.padEnd(19, '9') < from.padEnd(19, '0')) return fail('card_bin_max: is less than card_bin_min')
    const facts: BinRowFacts | undefined = factsOf(rest, fail)
    // No BIN of eight digits begins inside: the row could never be found. Unknown networks are not routed over.
    if (facts === undefined || first > last) return
    rows.push({ first, last, facts })
    lines.push(number)
  }
}

/**
 * Reads the BIN table from its CSV (network.md 4.2): a heading, then a row for each range and network, in the order of the
 * networks. Throws `SETTING_INVALID` that names the line and what is wrong with it.
 */
export const parseBinTable = (csv: Uint8Array): BinTable => {
  const read: ReadRows = { places: undefined, rows: [], lines: [] }
  const readLine = createLineReader(read)
  try {
    parse(csv, {
      bom: true,
      skip_empty_lines: true,
      on_record: (line: readonly string[], { lines }) => {
        readLine(line, lines)
        return undefined
      },
    })
  } catch (error) {
    throw error instanceof CsvError ? invalid(error.message, error) : error
  }
  if (read.places === undefined) throw invalid('it has no heading')
  const table = createBinTable(read.rows)
  if ('detail' in table) throw invalid(`line ${read.lines[table.row]}: ${table.detail}`)
  return table
}
