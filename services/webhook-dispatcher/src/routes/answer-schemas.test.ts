import { expect, test } from '@jest/globals'
import { eventDetail, testDelivery } from './answer-schemas.ts'

const exchange = {
  request: { body: '{}', headers: [['content-type', 'application/json']] },
  response: { body: null, headers: null, status_code: null, error_message: null },
}
const detail = {
  event_id: 'evt_1',
  merchant_id: 'm1',
  profile_id: 'default',
  object_id: 'pay_1',
  event_type: 'payment_succeeded',
  event_class: 'payments',
  is_delivery_successful: null,
  initial_attempt_id: 'evt_1',
  processor_merchant_id: null,
  created: '2026-01-05T10:00:00.000Z',
  ...exchange,
  delivery_attempt: 'initial_attempt',
}

test.each([
  ['initial_attempt_id', eventDetail, detail, { initial_attempt_id: null }],
  ['request.body', eventDetail, detail, { request: { ...exchange.request, body: null } }],
  ['request.body of a test event', testDelivery, exchange, { request: { ...exchange.request, body: null } }],
])('%s, which is never null, was described as if it could be', (_name, schema, whole, nulled) => {
  expect([schema.safeParse(whole).success, schema.safeParse({ ...whole, ...nulled }).success]).toEqual([true, false])
})
