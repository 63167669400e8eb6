import type { ReportRow } from '../reports/canonical-row.ts'
import type { ReportFormat } from '../reports/report-format.ts'
import { type ColumnMapping, createReportReader, type ReportResult } from '../reports/report-reader.ts'

/** Reads records as they would come out of a file. */
export const readRecords = (
  format: ReportFormat,
  records: readonly (readonly string[])[],
  mapping: ColumnMapping = {},
): { readonly rows: readonly ReportRow[]; readonly result: ReportResult } => {
  const rows: ReportRow[] = []
  const reader = createReportReader(format, mapping, (row) => rows.push(row))
  records.forEach((record, index) => {
    reader.take(record, index + 1)
  })
  return { rows, result: reader.finish() }
}

/** A file with all columns of a format; what a line leaves out is blank. */
export const fileOf = (format: ReportFormat, ...lines: readonly Readonly<Record<string, string>>[]): readonly (readonly string[])[] => {
  const labels = [...format.required, ...format.optional]
  return [labels, ...lines.map((line) => labels.map((label) => line[label] ?? ''))]
}

/** The rows of lines that can all be read. */
export const rowsOf = (format: ReportFormat, ...lines: readonly Readonly<Record<string, string>>[]): readonly ReportRow[] => {
  const { rows, result } = readRecords(format, fileOf(format, ...lines))
  if (result.outcome !== 'read' || result.tally.unreadableCount > 0) throw new Error(JSON.stringify(result))
  return rows
}
