import { describe, expect, test } from '@jest/globals'
import { envelopeOf } from './envelope.ts'

const parts = {
  merchantId: 'merch_042',
  eventId: 'evt_0199a1b2c3d470008000000000000001',
  eventType: 'payment_succeeded',
  content: '{"payment_id":"pay_77","status":"succeeded","amount":1250,"currency":"EUR"}',
  timestamp: Date.parse('2026-01-05T10:00:00.000Z'),
  processorMerchantId: null,
} as const

describe('the body of an event', () => {
  test('is the body of the vectors, to the byte', () => {
    const body = envelopeOf(parts)
    expect(Buffer.byteLength(body)).toBe(271)
    expect(body).toBe(
      '{"merchant_id":"merch_042","event_id":"evt_0199a1b2c3d470008000000000000001","event_type":"payment_succeeded","content":{"type":"payment_details","object":{"payment_id":"pay_77","status":"succeeded","amount":1250,"currency":"EUR"}},"timestamp":"2026-01-05T10:00:00.000Z"}',
    )
  })

  test('names the processor behind everything else, when there is one', () => {
    expect(envelopeOf({ ...parts, processorMerchantId: 'merch_9' }).endsWith(',"processor_merchant_id":"merch_9"}')).toBe(true)
  })
})
