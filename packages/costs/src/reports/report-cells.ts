import type { Day } from './day.ts'
import { parseDecimal } from './decimal.ts'

/** Longest text of a cell that becomes part of a row, in characters. */
export const CELL_LENGTH_MAX = 255

/** Stands in a text where bytes are no UTF-8. */
export const REPLACEMENT = '\uFFFD'

/** A cell that can't be read. It is never quoted: it may hold what must not be shown. */
export interface CellProblem {
  /** Line of the file, from 1. */
  readonly line: number
  /** Label in the connector's own vocabulary; empty for the record as a whole. */
  readonly column: string
  readonly detail: string
}

const SPACE = 0x20
const TILDE = 0x7e

const isVisible = (unit: number): boolean => unit > SPACE && unit <= TILDE

/** Nearly every cell has no blanks around it; looking is faster than trimming. */
const trimmed = (cell: string): string =>
  cell === '' || (isVisible(cell.charCodeAt(0)) && isVisible(cell.charCodeAt(cell.length - 1))) ? cell : cell.trim()

/** The columns of a file by the labels of its connector, and the record that is being read. */
export class ReportCells {
  readonly #places: ReadonlyMap<string, number>
  #record: readonly string[] = []
  #line = 0
  #isForeign = false
  #problem: CellProblem | undefined

  /** `places`: where each label stands in a record. */
  constructor(places: ReadonlyMap<string, number>) {
    this.#places = places
  }

  /** What was wrong first with the current record. */
  get problem(): CellProblem | undefined {
    return this.#problem
  }

  /** Goes on to a record of the file. `isForeign`: some of its bytes are no UTF-8. */
  open(record: readonly string[], line: number, isForeign: boolean): void {
    this.#record = record
    this.#line = line
    this.#isForeign = isForeign
    this.#problem = undefined
  }

  /** Says that the current record can't be used. */
  refuse(column: string, detail: string): void {
    this.#problem ??= { line: this.#line, column, detail }
  }

  /** The cell without blanks around it; empty for a column that the file lacks or a record that ends before it. */
  raw(column: string): string {
    const place = this.#places.get(column)
    return place === undefined ? '' : trimmed(this.#record[place] ?? '')
  }

  /** The cell, however long; what becomes part of a row has to be in the encoding of the file. */
  whole(column: string): string {
    const cell = this.raw(column)
    if (!this.#isForeign || !cell.includes(REPLACEMENT)) return cell
    this.refuse(column, 'holds bytes that are no UTF-8')
    return ''
  }

  text(column: string): string {
    const cell = this.whole(column)
    if (cell.length <= CELL_LENGTH_MAX) return cell
    this.refuse(column, `is longer than ${CELL_LENGTH_MAX} characters`)
    return ''
  }

  lower(column: string): string {
    return this.text(column).toLowerCase()
  }

  /** An amount that has to be there. */
  amount(column: string): number {
    if (this.raw(column) !== '') return this.fee(column)
    this.refuse(column, 'is empty')
    return 0
  }

  /** An amount; a blank cell is zero. */
  fee(column: string): number {
    return this.optionalAmount(column) ?? 0
  }

  /** An amount; null for a blank cell. */
  optionalAmount(column: string): number | null {
    const cell = this.raw(column)
    if (cell === '') return null
    const value = parseDecimal(cell)
    if (value === undefined) this.refuse(column, 'is no plain decimal number such as -1234.50')
    return value ?? 0
  }

  /** A day; null for a blank cell. */
  day(column: string, parse: (text: string) => Day | undefined): Day | null {
    const cell = this.raw(column)
    if (cell === '') return null
    const day = parse(cell)
    if (day === undefined) this.refuse(column, 'is no date in the form of this report')
    return day ?? null
  }
}
