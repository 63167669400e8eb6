import type { ReportFormat } from './report-format.ts'
import { type ColumnMapping, labelsOf, placesOf } from './report-reader.ts'

/** Bytes of the start of a file that its columns are looked for in. */
export const HEADER_SAMPLE_BYTES_MAX = 65_536

/** Whether a file has the columns of a connector (cost.md 6.1). */
export interface Preflight {
  readonly connector: string
  readonly ok: boolean
  readonly missing: readonly string[]
  readonly matched: readonly string[]
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly optionalMissing: readonly string[]
  readonly found: readonly string[]
  /** Connectors whose columns are all there; only when this one's are not. */
  readonly suggestedConnectors: readonly { readonly connector: string; readonly matchedRequired: number }[]
}

/** What is wrong with a mapping of columns (cost.md 6.3). */
export type MappingProblem =
  | { readonly problem: 'unknown-column'; readonly label: string }
  | { readonly problem: 'not-in-file'; readonly label: string; readonly target: string }
  | { readonly problem: 'used-twice'; readonly label: string; readonly target: string }

const suggestionsFor = (header: readonly string[], others: readonly ReportFormat[]): Preflight['suggestedConnectors'] =>
  others
    .filter((format) => {
      const places = placesOf(format, header, {})
      return format.required.every((label) => places.has(label))
    })
    .map(({ connector, required }) => ({ connector, matchedRequired: required.length }))
    .sort((one, other) => other.matchedRequired - one.matchedRequired || (one.connector < other.connector ? -1 : 1))

/** Looks for the columns of `format` among the records at the start of a file; `formats`: all there are. */
export const preflight = (
  format: ReportFormat,
  records: readonly (readonly string[])[],
  mapping: ColumnMapping,
  formats: readonly ReportFormat[],
): Preflight => {
  const { connector, required, optional } = format
  const header = records.find((record) => !format.isFrame(record)) ?? []
  const places = placesOf(format, header, mapping)
  const missing = required.filter((label) => !places.has(label))
  const ok = missing.length === 0
  return {
    connector,
    ok,
    missing,
    matched: required.filter((label) => places.has(label)),
    required,
    optional,
    optionalMissing: optional.filter((label) => !places.has(label)),
    found: labelsOf(header),
    suggestedConnectors: ok
      ? []
      : suggestionsFor(
          header,
          formats.filter((other) => other !== format),
        ),
  }
}

/** All that is wrong with a mapping for a file with this header. */
export const mappingProblems = (format: ReportFormat, mapping: ColumnMapping, header: readonly string[]): readonly MappingProblem[] => {
  const known = new Set([...format.required, ...format.optional])
  const labels = new Set(labelsOf(header))
  // A label that is not mapped is read from the column of its own name.
  const used = new Set([...known].filter((label) => !Object.hasOwn(mapping, label)))
  return Object.entries(mapping).flatMap(([label, target]): readonly MappingProblem[] => {
    const problems: MappingProblem[] = []
    if (!known.has(label)) problems.push({ problem: 'unknown-column', label })
    if (!labels.has(target)) problems.push({ problem: 'not-in-file', label, target })
    if (used.has(target)) problems.push({ problem: 'used-twice', label, target })
    used.add(target)
    return problems
  })
}
