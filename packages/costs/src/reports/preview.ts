import type { ReportRow } from './canonical-row.ts'
import type { CellProblem } from './report-cells.ts'
import type { ReportFormat } from './report-format.ts'

/** Rows that a preview shows. */
export const PREVIEW_ROW_COUNT_MAX = 10
const PERCENT = 100
/** Shares that a payment may plausibly cost, percent. */
const PLAUSIBLE_PCT_MIN = 0.05
const PLAUSIBLE_PCT_MAX = 25

/** A row with what it costs, percent of its value. */
export interface PreviewRow {
  readonly row: ReportRow
  readonly effectivePct: number
}

/** How a file would be read (cost.md 6.2). */
export interface Preview {
  readonly rows: readonly PreviewRow[]
  /** Null when no row has a value. */
  readonly medianEffectivePct: number | null
  /** A cell when its record can't be read: so few records are in a sample that the whole file is likely to be refused. */
  readonly warning: 'implausible-rate' | 'cut-before-first-payment' | 'no-fees' | CellProblem | null
}

const valueOf = (row: ReportRow): number => (row.type === 'payment' ? row.gross : row.turnover)
const costOf = (row: ReportRow): number => (row.type === 'payment' ? row.totalFee : row.cost)

const pctOf = (row: ReportRow): number => (valueOf(row) === 0 ? 0 : (costOf(row) / valueOf(row)) * PERCENT)

const medianOf = (rows: readonly PreviewRow[]): number | null => {
  const shares = rows.filter(({ row }) => valueOf(row) !== 0).map(({ effectivePct }) => effectivePct)
  return shares.sort((one, other) => one - other)[Math.floor(shares.length / 2)] ?? null
}

const warningOf = (rows: readonly PreviewRow[], median: number | null, isCut: boolean): Preview['warning'] => {
  if (rows.length === 0) return isCut ? 'cut-before-first-payment' : 'no-fees'
  return median !== null && (median < PLAUSIBLE_PCT_MIN || median > PLAUSIBLE_PCT_MAX) ? 'implausible-rate' : null
}

/**
 * Shows the first rows of a part of a file; of a cut one without the payments whose fees were cut off. `problem`: the first cell that
 * makes its record unreadable.
 */
export const previewOf = (format: ReportFormat, read: readonly ReportRow[], sample: 'whole' | 'cut', problem?: CellProblem): Preview => {
  const isCut = sample === 'cut' && format.groupsRecords
  const rows = (isCut ? read.filter((row) => costOf(row) !== 0) : read)
    .slice(0, PREVIEW_ROW_COUNT_MAX)
    .map((row) => ({ row, effectivePct: pctOf(row) }))
  const medianEffectivePct = medianOf(rows)
  return { rows, medianEffectivePct, warning: problem ?? warningOf(rows, medianEffectivePct, isCut) }
}
