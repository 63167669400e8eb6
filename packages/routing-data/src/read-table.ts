import { readFileSync } from 'node:fs'
import { OperatingError } from '@switchyard/kernel'
import { parse } from 'csv-parse/sync'
import * as z from 'zod'
import { createHeading, type Heading } from './heading.ts'
import { TABLE_BYTES_MAX } from './limits.ts'

/** What a table is and how its rows are read. */
export interface TableForm<Row> {
  /** In messages, behind the setting that names the file, for example `SWITCHYARD_ROUTING_KEYS_FILE: the catalogue of routing keys`. */
  readonly what: string
  readonly row: z.ZodType<Row>
  readonly rowsMax: number
}

/** A row and the line of the file on which it ends. */
export interface TableRow<Row> {
  readonly line: number
  readonly value: Row
}

/** Why a table can't be used; names the setting, the table, and the line if there is one. */
export const invalidTable = (what: string, detail: string, cause?: unknown): OperatingError =>
  new OperatingError('SETTING_INVALID', `${what} is not valid: ${detail}`, { retryable: false, cause })

/** What the library gives when it is asked for `info`. */
const parsedRows = z.array(z.object({ record: z.unknown(), info: z.object({ lines: z.number() }) }))

const recordsOf = (what: string, csv: string, { take: columns }: Heading): z.output<typeof parsedRows> => {
  try {
    return parsedRows.parse(parse(csv, { columns, bom: true, skip_empty_lines: true, info: true, trim: true }))
  } catch (error) {
    throw invalidTable(what, error instanceof Error ? error.message : 'it is no CSV', error)
  }
}

/** Reads a CSV with a heading; throws `SETTING_INVALID` that names line, column and reason. */
export const parseTable = <Row>({ what, row, rowsMax }: TableForm<Row>, csv: string): readonly TableRow<Row>[] => {
  if (Buffer.byteLength(csv) > TABLE_BYTES_MAX) throw invalidTable(what, `it is larger than ${TABLE_BYTES_MAX} bytes`)
  // A file of which nothing was written; a byte order mark counts as blank.
  if (csv.trim() === '') throw invalidTable(what, 'it has no heading')
  const heading = createHeading()
  const records = recordsOf(what, csv, heading)
  const foreign = records.length === 0 ? heading.problem(row) : undefined
  if (foreign !== undefined) throw invalidTable(what, foreign)
  if (records.length > rowsMax) throw invalidTable(what, `it has more than ${rowsMax} rows`)
  return records.map(({ record, info }) => {
    const parsed = row.safeParse(record)
    if (parsed.success) return { line: info.lines, value: parsed.data }
    const [issue] = parsed.error.issues
    throw invalidTable(what, `line ${info.lines}: ${[...(issue?.path ?? []), issue?.message].map(String).join(': ')}`)
  })
}

/** The text of a deployment's file; throws `SETTING_INVALID` that names the setting. */
export const readTableFile = (setting: string, path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new OperatingError('SETTING_INVALID', `${setting}: ${path} can't be read`, { retryable: false, cause })
  }
}
