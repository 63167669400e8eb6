import { createOutcomeReportReader, type OutcomeReport } from '@switchyard/events'
import { parseJson } from '@switchyard/http'
import { isOperatingError, type LogRecord, type SchemaIds } from '@switchyard/kernel'
import { INBOUND_REPORT_BYTES_MAX } from '../limits.ts'
import type { ParsedBody } from '../routes/parse-body.ts'
import { type OutcomeBody, parseOutcome } from '../routes/parse-outcome.ts'
import { type DeadReport, dead } from './dead-reports.ts'

/** What a record of the topic says, or why it can't be taken. */
export type ReadReport =
  | { readonly outcome: OutcomeBody; readonly problem?: never }
  | { readonly outcome?: never; readonly problem: DeadReport }

const AVRO_MARK = 0

/** The report as the body of a request says it, to be read by the same rules. */
const bodyOf = ({ gatewayLatencyMs, errorInfo, ...report }: OutcomeReport): object => ({
  ...report,
  txnLatency: { gatewayLatency: gatewayLatencyMs },
  errorInfo: errorInfo === null ? null : { connector: report.gateway, ...errorInfo },
})

const refusedAvro = (error: unknown): DeadReport => {
  if (isOperatingError(error, 'SCHEMA_UNKNOWN')) return dead('SCHEMA_UNKNOWN', error.message)
  if (isOperatingError(error, 'RECORD_UNREADABLE')) return dead('RECORD_UNREADABLE', error.message)
  throw error
}

/** A parser's word may quote the text, which is nobody's business in a log: then only the fact is told. */
const notJson = (detail: string): DeadReport => dead('INVALID_INPUT', detail.includes('"') ? 'the report is not JSON' : detail)

const checked = ({ key }: LogRecord, { value, problem }: ParsedBody<OutcomeBody>): ReadReport => {
  if (problem !== undefined) return { problem: dead('INVALID_INPUT', problem) }
  return key === value.merchantId
    ? { outcome: value }
    : { problem: dead('KEY_MISMATCH', 'the key of the message must be the merchantId of the report') }
}

/**
 * Reads a record of the topic: a zero byte begins Avro in the registry's wire format, everything else is JSON as in the body of
 * `POST /update-gateway-score` (decide.md 6.1). The same fields and bounds count for both.
 */
export const createReadReport = (ids: Pick<SchemaIds, 'schemaOf'>): ((record: LogRecord) => ReadReport) => {
  const readAvro = createOutcomeReportReader(ids)

  const avroReport = (record: LogRecord): ReadReport => {
    try {
      return checked(record, parseOutcome(bodyOf(readAvro(record.value))))
    } catch (error) {
      return { problem: refusedAvro(error) }
    }
  }

  return (record) => {
    const { value } = record
    if (value.length > INBOUND_REPORT_BYTES_MAX) {
      return { problem: dead('RECORD_TOO_LARGE', `${value.length} bytes, a report has at most ${INBOUND_REPORT_BYTES_MAX}`) }
    }
    if (value[0] === AVRO_MARK) return avroReport(record)
    const json = parseJson(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
    return json.ok ? checked(record, parseOutcome(json.value)) : { problem: notJson(json.detail) }
  }
}
