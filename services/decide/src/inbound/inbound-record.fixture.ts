import { OUTCOME_REPORT_SUBJECT, type OutcomeError, type OutcomeReport, PUBLISHED_SCHEMAS, publishedSchemaIds } from '@switchyard/events'
import type { LogRecord } from '@switchyard/kernel'

const published = PUBLISHED_SCHEMAS.findLast(({ subject }) => subject === OUTCOME_REPORT_SUBJECT)

/** Schema of reports, as producers find it in `schemas/`. */
export const REPORT_SCHEMA: string = published?.schema ?? ''

/** A frame around bytes. */
export const framed = (id: number, body: Uint8Array): Buffer => {
  const frame = Buffer.alloc(5)
  frame.writeUInt32BE(id, 1)
  return Buffer.concat([frame, body])
}

/** Avro's number of a length or of a branch, by the specification and not by a library. */
const whole = (value: number): Buffer => {
  const bytes: number[] = []
  for (let rest = value * 2; bytes.length === 0 || rest > 0; rest >>>= 7) bytes.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
  return Buffer.from(bytes)
}
const text = (value: string): Buffer => Buffer.concat([whole(Buffer.byteLength(value)), Buffer.from(value)])
const truth = (value: boolean): Buffer => Buffer.from([Number(value)])
const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}
const nullable = <Value>(value: Value | null, encode: (value: Value) => Buffer): Buffer =>
  value === null ? whole(0) : Buffer.concat([whole(1), encode(value)])
const error = ({ flow, subFlow, errorCode, errorMessage, issuerErrorCode, cardNetwork }: OutcomeError): Buffer =>
  Buffer.concat([text(flow), text(subFlow), ...[errorCode, errorMessage, issuerErrorCode, cardNetwork].map((each) => nullable(each, text))])

const REPORT: OutcomeReport = {
  merchantId: 'm_9',
  gateway: 'adyen',
  paymentId: 'p_77',
  status: 'CHARGED',
  gatewayReferenceId: null,
  enforceDynamicRoutingFailure: null,
  gatewayLatencyMs: null,
  errorInfo: null,
  isSmartRetry: null,
}

/** A report as a producer of Avro writes it. */
export const avroReport = (
  changes: Partial<OutcomeReport> = {},
  id: number = publishedSchemaIds().idOf(OUTCOME_REPORT_SUBJECT),
): Buffer => {
  const report = { ...REPORT, ...changes }
  return framed(
    id,
    Buffer.concat([
      ...[report.merchantId, report.gateway, report.paymentId, report.status].map(text),
      nullable(report.gatewayReferenceId, text),
      nullable(report.enforceDynamicRoutingFailure, truth),
      nullable(report.gatewayLatencyMs, double),
      nullable(report.errorInfo, error),
      nullable(report.isSmartRetry, truth),
    ]),
  )
}

/** A record of the topic. */
export const inboundRecord = (value: Uint8Array | object, { key = 'm_9', offset = 0 } = {}): LogRecord => ({
  key,
  value: value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value)),
  headers: { id: '', type: '' },
  position: { partition: 1, offset },
})
