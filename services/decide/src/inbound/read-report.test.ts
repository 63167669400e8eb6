import { describe, expect, test } from '@jest/globals'
import { publishedSchemaIds } from '@switchyard/events'
import fc from 'fast-check'
import { INBOUND_REPORT_BYTES_MAX } from '../limits.ts'
import { outcomeBody } from '../sample-service.fixture.ts'
import { avroReport, framed, inboundRecord, REPORT_SCHEMA } from './inbound-record.fixture.ts'
import { createReadReport } from './read-report.ts'

const read = createReadReport(publishedSchemaIds())
const errorInfo = { flow: 'f', subFlow: 's', errorCode: '05', errorMessage: 'no', issuerErrorCode: '51', cardNetwork: 'VISA' }

/** A schema of a later release, known to the registry under an id of its own. */
const laterIds = (id: number, change: (schema: { fields: object[] }) => object) => ({
  schemaOf: (asked: number) =>
    asked === id ? { subject: 'switchyard.inbound.OutcomeReport', schema: JSON.stringify(change(JSON.parse(REPORT_SCHEMA))) } : undefined,
})

describe('a report of the topic', () => {
  test('says the same as JSON and as Avro', () => {
    const json = {
      ...outcomeBody({ status: 'FAILURE', gatewayReferenceId: 'acc_1', enforceDynamicRoutingFailure: true, isSmartRetry: false }),
      txnLatency: { gatewayLatency: 812.5 },
      errorInfo: { connector: 'adyen', ...errorInfo },
    }
    const avro = avroReport({
      status: 'FAILURE',
      gatewayReferenceId: 'acc_1',
      enforceDynamicRoutingFailure: true,
      isSmartRetry: false,
      gatewayLatencyMs: 812.5,
      errorInfo,
    })
    const fromJson = read(inboundRecord(json))
    expect(fromJson.outcome).toMatchObject({
      merchantId: 'm_9',
      status: 'FAILURE',
      enforceFailure: true,
      gatewayLatencyMs: 812.5,
      error: errorInfo,
    })
    expect(read(inboundRecord(avro))).toEqual(fromJson)
  })

  test('needs the four fields only', () => {
    const fromJson = read(inboundRecord(outcomeBody()))
    expect(fromJson.outcome).toEqual(expect.objectContaining({ gatewayLatencyMs: null, error: null, smartRetry: null }))
    expect(read(inboundRecord(avroReport()))).toEqual(fromJson)
  })

  test('a later schema that resolves is read', () => {
    const later = laterIds(900, (schema) => ({
      ...schema,
      fields: schema.fields.filter((field) => 'name' in field && field.name !== 'isSmartRetry'),
    }))
    const withoutLast = avroReport({}, 900).subarray(0, -1)
    expect(createReadReport(later)(inboundRecord(withoutLast)).outcome).toMatchObject({ paymentId: 'p_77', smartRetry: null })
  })

  test.each([
    ['no JSON', Buffer.from('{"merchantId"'), 'INVALID_INPUT'],
    ['a text', Buffer.from('p_77 and no JSON'), 'INVALID_INPUT'],
    ['nothing', new Uint8Array(), 'INVALID_INPUT'],
    ['a list', Buffer.from('[1]'), 'INVALID_INPUT'],
    ['a field that is missing', Buffer.from('{"merchantId":"m_9","gateway":"adyen","paymentId":"p_1"}'), 'INVALID_INPUT'],
    ['a status that there is not', avroReport({ status: 'charged' }), 'INVALID_INPUT'],
    ['an id that is too long', avroReport({ paymentId: 'p'.repeat(65) }), 'INVALID_INPUT'],
    ['a latency that is no number', avroReport({ gatewayLatencyMs: Number.NaN }), 'INVALID_INPUT'],
    ['an id of no schema', avroReport({}, 900), 'SCHEMA_UNKNOWN'],
    ['an event', framed(publishedSchemaIds().idOf('switchyard.payments.OutcomeRecorded'), avroReport().subarray(5)), 'RECORD_UNREADABLE'],
    ['Avro that is cut off', avroReport().subarray(0, 12), 'RECORD_UNREADABLE'],
    ['Avro with bytes behind it', Buffer.concat([avroReport(), Buffer.from([0])]), 'RECORD_UNREADABLE'],
    ['a frame that is cut off', Buffer.from([0, 0, 0]), 'RECORD_UNREADABLE'],
    ['more than a report may have', Buffer.alloc(INBOUND_REPORT_BYTES_MAX + 1, 0x20), 'RECORD_TOO_LARGE'],
  ])('%s is named, and nothing of it repeated', (_name, value, reason) => {
    const { problem } = read(inboundRecord(value))
    expect(problem?.reason).toBe(reason)
    expect(problem?.message).not.toContain('p_77')
  })

  test.each(['m_8', ''])('the key %j is not the merchant', (key) => {
    for (const value of [outcomeBody(), avroReport()]) expect(read(inboundRecord(value, { key })).problem?.reason).toBe('KEY_MISMATCH')
  })

  test('whatever the bytes are: a report or a reason', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), fc.boolean(), (bytes, isFramed) => {
        const value = isFramed ? framed(publishedSchemaIds().idOf('switchyard.inbound.OutcomeReport'), bytes) : bytes
        const { outcome, problem } = read(inboundRecord(value))
        expect((outcome === undefined) !== (problem === undefined)).toBe(true)
      }),
    )
  })
})
