import { OperatingError } from '@switchyard/kernel'
import { ANY, createGatewayErrorTable, type GatewayErrorRule, type GatewayErrorTable } from '@switchyard/routing'
import { createHeading, type Heading } from '@switchyard/routing-data'
import { parse } from 'csv-parse/sync'
import * as z from 'zod'
import { ERROR_TEXT_LENGTH_MAX, GATEWAY_ERROR_TABLE_BYTES_MAX, GATEWAY_ERROR_TABLE_ROWS_MAX } from '../limits.ts'

const text = z.string().max(ERROR_TEXT_LENGTH_MAX)
const required = text.min(1, 'must not be empty')
const textOrNull = text.transform((value) => (value === '' ? null : value))
const yesOrNo = z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true')

/** A column each; every one must be there, and no other. */
const rowSchema = z
  .strictObject({
    connector: required,
    flow: text,
    sub_flow: text,
    code: required.refine((code) => code !== ANY, 'must name a code'),
    message: text,
    decision: z.enum(['retry', 'do_default'], 'must be retry or do_default'),
    step_up_possible: yesOrNo,
    clear_pan_possible: yesOrNo,
    alternate_network_possible: yesOrNo,
    unified_code: textOrNull,
    unified_message: textOrNull,
    error_category: textOrNull,
    standardised_code: textOrNull,
    description: textOrNull,
    user_guidance_message: textOrNull,
  })
  .transform(
    (row): GatewayErrorRule => ({
      connector: row.connector,
      flow: row.flow,
      subFlow: row.sub_flow,
      code: row.code,
      message: row.message,
      decision: row.decision,
      stepUpPossible: row.step_up_possible,
      clearPanPossible: row.clear_pan_possible,
      alternateNetworkPossible: row.alternate_network_possible,
      unifiedCode: row.unified_code,
      unifiedMessage: row.unified_message,
      errorCategory: row.error_category,
      standardisedCode: row.standardised_code,
      description: row.description,
      userGuidanceMessage: row.user_guidance_message,
    }),
  )

const invalid = (detail: string, cause?: unknown): OperatingError =>
  new OperatingError('SETTING_INVALID', `SWITCHYARD_GATEWAY_ERRORS_FILE: the table of gateway errors is not valid: ${detail}`, {
    retryable: false,
    cause,
  })

const rowsOf = (csv: string, { take: columns }: Heading): readonly unknown[] => {
  try {
    return parse(csv, { columns, bom: true, skip_empty_lines: true, info: false })
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : 'it is no CSV', error)
  }
}

/**
 * Reads the table of gateway errors from its CSV (contract/README.md 28): a heading, then a row for each error. Throws
 * `SETTING_INVALID` that names the row and the column.
 */
export const parseGatewayErrors = (csv: string): GatewayErrorTable => {
  if (Buffer.byteLength(csv) > GATEWAY_ERROR_TABLE_BYTES_MAX) throw invalid(`it is larger than ${GATEWAY_ERROR_TABLE_BYTES_MAX} bytes`)
  // A file of which nothing was written; a byte order mark counts as blank.
  if (csv.trim() === '') throw invalid('it has no heading')
  const heading = createHeading()
  const rows = rowsOf(csv, heading)
  const foreign = rows.length === 0 ? heading.problem(rowSchema) : undefined
  if (foreign !== undefined) throw invalid(foreign)
  if (rows.length > GATEWAY_ERROR_TABLE_ROWS_MAX) throw invalid(`it has more than ${GATEWAY_ERROR_TABLE_ROWS_MAX} rows`)
  return createGatewayErrorTable(
    rows.map((row, index) => {
      const parsed = rowSchema.safeParse(row)
      if (parsed.success) return parsed.data
      const [issue] = parsed.error.issues
      throw invalid(`row ${index + 1}: ${[...(issue?.path ?? []), issue?.message].map(String).join(': ')}`)
    }),
  )
}
