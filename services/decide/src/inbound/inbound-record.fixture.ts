import { OUTCOME_REPORT_SUBJECT, PUBLISHED_SCHEMAS, publishedSchemaIds } from '@switchyard/events'
import type { LogRecord } from '@switchyard/kernel'
import avro from 'avsc'

const published = PUBLISHED_SCHEMAS.findLast(({ subject }) => subject === OUTCOME_REPORT_SUBJECT)

/** Schema of reports, as producers find it in `schemas/`. */
export const REPORT_SCHEMA: string = published?.schema ?? ''

/** A frame around bytes. */
export const framed = (id: number, body: Uint8Array): Buffer => {
  const frame = Buffer.alloc(5)
  frame.writeUInt32BE(id, 1)
  return Buffer.concat([frame, body])
}

/** A report as a producer of Avro writes it. */
export const avroReport = (changes: object = {}, id: number = publishedSchemaIds().idOf(OUTCOME_REPORT_SUBJECT)): Buffer =>
  framed(
    id,
    avro.Type.forSchema(JSON.parse(REPORT_SCHEMA)).toBuffer({
      merchantId: 'm_9',
      gateway: 'adyen',
      paymentId: 'p_77',
      status: 'CHARGED',
      gatewayReferenceId: null,
      enforceDynamicRoutingFailure: null,
      gatewayLatencyMs: null,
      errorInfo: null,
      isSmartRetry: null,
      ...changes,
    }),
  )

/** A record of the topic. */
export const inboundRecord = (value: Uint8Array | object, { key = 'm_9', offset = 0 } = {}): LogRecord => ({
  key,
  value: value instanceof Uint8Array ? value : Buffer.from(JSON.stringify(value)),
  headers: { id: '', type: '' },
  position: { partition: 1, offset },
})
