import type { ReportRow } from './canonical-row.ts'
import { type CellProblem, ReportCells } from './report-cells.ts'
import type { ReportFormat, RowParser } from './report-format.ts'

/** Columns that a file may have. */
const COLUMN_COUNT_MAX = 1000
/** Problems that are told one by one; the others are counted. */
export const PROBLEM_COUNT_MAX = 20
/** Share of the records that may be unreadable: a file with more is not the report it is taken for (cost.md 4). */
const UNREADABLE_SHARE_MAX = 0.001

/** Labels of the connector with those of the file, where these differ (cost.md 6.3). */
export type ColumnMapping = Readonly<Record<string, string>>

/** What a file was, once all of it is read. */
export interface ReportTally {
  /** Records below the header, without those of a frame. */
  readonly recordCount: number
  readonly rowCount: number
  readonly unreadableCount: number
  /** The first {@link PROBLEM_COUNT_MAX}, by line. */
  readonly problems: readonly CellProblem[]
}

/** How the reading of a file ended; rows count only when it ended as `read`. */
export type ReportResult =
  | { readonly outcome: 'read'; readonly tally: ReportTally }
  | { readonly outcome: 'no-header' }
  | { readonly outcome: 'missing-columns'; readonly missing: readonly string[] }
  /** More than {@link UNREADABLE_SHARE_MAX} of the records can't be read. */
  | { readonly outcome: 'unreadable'; readonly tally: ReportTally }

/** Takes the records of a file in their order, the header among them. */
export interface ReportReader {
  /** `line` counts from 1; `isForeign`: bytes of the record are no UTF-8. Once a required column is missing nothing more is read. */
  readonly take: (record: readonly string[], line: number, isForeign?: boolean) => void
  /** Counts a record that could not be told from the text around it. */
  readonly refuse: (line: number, detail: string) => void
  readonly finish: () => ReportResult
}

const BYTE_ORDER_MARK = '\uFEFF'

/** The labels of a header, as they count. */
export const labelsOf = (header: readonly string[]): readonly string[] =>
  header.slice(0, COLUMN_COUNT_MAX).map((label, index) => (index === 0 && label.startsWith(BYTE_ORDER_MARK) ? label.slice(1) : label))

/** Where the labels of a format stand under a mapping; a label that is missing has no place. The first match counts. */
export const placesOf = (
  { required, optional }: Pick<ReportFormat, 'required' | 'optional'>,
  header: readonly string[],
  mapping: ColumnMapping,
): ReadonlyMap<string, number> => {
  const labels = labelsOf(header)
  const mapped = new Map(Object.entries(mapping))
  const places = [...required, ...optional].map((label): [string, number] => [label, labels.indexOf(mapped.get(label) ?? label)])
  return new Map(places.filter(([, place]) => place >= 0))
}

/** Reads the table below a header. */
class TableReader {
  readonly missing: readonly string[]
  readonly #cells: ReportCells
  readonly #parser: RowParser
  readonly #emit: (row: ReportRow) => void
  readonly #problems: CellProblem[] = []
  #recordCount = 0
  #rowCount = 0
  #unreadableCount = 0

  constructor(format: ReportFormat, places: ReadonlyMap<string, number>, emit: (row: ReportRow) => void) {
    this.missing = format.required.filter((label) => !places.has(label))
    this.#cells = new ReportCells(places)
    this.#parser = format.createParser()
    this.#emit = emit
  }

  take(record: readonly string[], line: number, isForeign: boolean): void {
    this.#recordCount += 1
    this.#cells.open(record, line, isForeign)
    const row = this.#parser.take(this.#cells)
    const problem = this.#cells.problem
    if (problem === undefined) this.#give(row)
    else this.#count(problem)
  }

  refuse(line: number, detail: string): void {
    this.#recordCount += 1
    this.#count({ line, column: '', detail })
  }

  finish(): ReportResult {
    if (this.missing.length > 0) return { outcome: 'missing-columns', missing: this.missing }
    for (const row of this.#parser.finish()) this.#give(row)
    const tally = {
      recordCount: this.#recordCount,
      rowCount: this.#rowCount,
      unreadableCount: this.#unreadableCount,
      problems: this.#problems,
    }
    const isReadable = this.#unreadableCount <= this.#recordCount * UNREADABLE_SHARE_MAX
    return { outcome: isReadable ? 'read' : 'unreadable', tally }
  }

  #give(row: ReportRow | null): void {
    if (row === null) return
    this.#rowCount += 1
    this.#emit(row)
  }

  #count(problem: CellProblem): void {
    this.#unreadableCount += 1
    if (this.#problems.length < PROBLEM_COUNT_MAX) this.#problems.push(problem)
  }
}

/**
 * Reads a report record by record; rows are handed over as they are complete. The caller splits the file into records, so
 * nothing here grows with it but what a format has to keep.
 */
export const createReportReader = (format: ReportFormat, mapping: ColumnMapping, emit: (row: ReportRow) => void): ReportReader => {
  let table: TableReader | undefined
  return {
    take: (record, line, isForeign = false) => {
      if (format.isFrame(record)) return
      if (table === undefined) table = new TableReader(format, placesOf(format, record, mapping), emit)
      else if (table.missing.length === 0) table.take(record, line, isForeign)
    },
    refuse: (line, detail) => {
      // A header that can't be read is none of this connector.
      table ??= new TableReader(format, new Map(), emit)
      table.refuse(line, detail)
    },
    finish: () => table?.finish() ?? { outcome: 'no-header' },
  }
}
