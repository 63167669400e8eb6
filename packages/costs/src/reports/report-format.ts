import type { ReportRow } from './canonical-row.ts'
import type { ReportCells } from './report-cells.ts'

/** Reads the records of one file. Holds what has to be kept between them. */
export interface RowParser {
  /** A record becomes a row, or null: it is none of a payment, or its payment is not complete yet. */
  readonly take: (cells: ReportCells) => ReportRow | null
  /** Rows that only the end of the file completes. */
  readonly finish: () => Iterable<ReportRow>
}

/** How the report of a connector is read (cost.md 5). Adding a connector: one of these, and its line in `report-formats.ts`. */
export interface ReportFormat {
  readonly connector: string
  /** Reports are fetched on a schedule. */
  readonly isPulled: boolean
  /** Labels, exactly as in the file; found in any order. */
  readonly required: readonly string[]
  readonly optional: readonly string[]
  /** Several records make a payment: the last one of a part of a file may be incomplete. */
  readonly groupsRecords: boolean
  /** Records around the table, dropped wherever they stand. */
  readonly isFrame: (record: readonly string[]) => boolean
  readonly createParser: () => RowParser
}

/** The parser of a report of which each record stands for itself. */
export const parserOfRecords =
  (take: RowParser['take']): ReportFormat['createParser'] =>
  () => ({ take, finish: () => [] })

/** Of a report that is nothing but a table. */
export const noFrame = (): boolean => false
