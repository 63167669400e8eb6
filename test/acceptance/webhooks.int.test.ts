import { beforeEach, describe, expect, test } from '@jest/globals'
import { nodeHmac } from '@switchyard/outbound'
import { admin, call, createMerchant } from '../support/client.ts'
import { answering, checkingSignatures, failingFirst, redirecting, resetting, silent } from '../support/receivers/behaviours.ts'
import { WEBHOOK_SECRET, type WebhookMerchant } from '../support/webhook-client.ts'
import { useWebhookServer } from '../support/webhook-server.ts'

const server = useWebhookServer()
const { configured, submitted } = server
let merchant: WebhookMerchant
beforeEach(() => {
  merchant = server.merchant()
})
const path = (rest = ''): string => `/events/${merchant.id}${rest}`
const merchantPath = (): string => `/merchant-account/${merchant.id}/events`

describe('an event', () => {
  test('is accepted, delivered with both signatures, and listed', async () => {
    const { behaviour, seen } = checkingSignatures(nodeHmac, WEBHOOK_SECRET, Date.now)
    const receiver = await configured(behaviour)
    const accepted = await merchant.submit({
      object_id: 'pay_77',
      content: { zeta: 1, alpha: { b: 2, a: 1 } },
      processor_merchant_id: 'proc',
    })
    expect(accepted.json).toEqual({
      event_id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      merchant_id: merchant.id,
      profile_id: 'default',
      object_id: 'pay_77',
      event_type: 'payment_succeeded',
      event_class: 'payments',
      is_delivery_successful: null,
      initial_attempt_id: accepted.json.event_id,
      processor_merchant_id: 'proc',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      duplicate: false,
    })
    await receiver.received(1)
    const id = accepted.json.event_id
    await merchant.finished(id, 1)
    expect(seen.faults).toEqual([])
    expect(receiver.requests[0]?.body).toBe(
      `{"merchant_id":"${merchant.id}","event_id":"${id}","event_type":"payment_succeeded","content":{"type":"payment_details","object":{"zeta":1,"alpha":{"b":2,"a":1}}},"timestamp":"${accepted.json.created}","processor_merchant_id":"proc"}`,
    )
    const list = await merchant.ask(`POST ${path()}`, {})
    const { duplicate: _duplicate, ...row } = accepted.json
    expect(list.json).toEqual({ events: [{ ...row, is_delivery_successful: true }], total_count: 1 })
    expect((await merchant.ask(`GET ${path()}?event_types=payment_succeeded,refund_failed`)).json).toEqual(list.json)
    expect((await merchant.ask(`GET ${path(`/${id}`)}`)).json).toMatchObject({ event_id: id, delivery_attempt: 'initial_attempt' })
  })

  test('goes to its endpoint with the numbers as they were written, and is another one when such a number differs', async () => {
    const receiver = await configured(answering(200))
    const content = (id: string): string => `{"id":${id},"rate":0.12345678901234567890,"amount":1250}`
    const submit = (id: string) =>
      merchant.ask(`POST ${merchantPath()}`, `{"event_type":"payment_succeeded","object_id":"pay_big","content":${content(id)}}`)
    // The second time it would be read by the shape of the first one.
    const ids = ['9007199254740993', '9007199254740992', '9007199254740993']
    const answers = await Promise.all(ids.map(submit))
    expect(answers.map(({ status, json }) => [status, json.duplicate])).toEqual(
      expect.arrayContaining([
        [202, false],
        [202, false],
        [202, true],
      ]),
    )
    await receiver.received(2)
    const sent = receiver.requests.map(({ body }) => body.slice(body.indexOf('"object":') + 9, body.indexOf('},"timestamp"'))).toSorted()
    expect(sent).toEqual(ids.slice(0, 2).toSorted().map(content))
  })

  test('that is retried by hand gives the shape of the specification, whatever the endpoint says', async () => {
    await configured(failingFirst(1, 503), { custom_headers: { 'X-Shop-Token': 't0ps3cret', 'X-Shop': 'eu' } })
    const id = await submitted()
    await merchant.finished(id, 1)
    const { status, json } = await merchant.retry(id)
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual([
      'event_id',
      'merchant_id',
      'profile_id',
      'object_id',
      'event_type',
      'event_class',
      'is_delivery_successful',
      'initial_attempt_id',
      'processor_merchant_id',
      'created',
      'request',
      'response',
      'delivery_attempt',
    ])
    expect(json).toMatchObject({ initial_attempt_id: id, is_delivery_successful: true, delivery_attempt: 'manual_retry' })
    expect(json.response).toMatchObject({ status_code: 200, error_message: null })
    expect(json.request.headers).toEqual(
      expect.arrayContaining([
        ['X-Shop-Token', '***'],
        ['X-Shop', 'eu'],
        ['webhook-id', id],
      ]),
    )
    const attempts = await merchant.attempts(id)
    expect(attempts.json.map((attempt: { delivery_attempt: string }) => attempt.delivery_attempt)).toEqual([
      'manual_retry',
      'initial_attempt',
    ])
    expect(attempts.json[1].response).toMatchObject({ status_code: 503, error_message: 'the endpoint answered 503' })
    expect(attempts.json[1].is_delivery_successful).toBe(true)
  })

  test.each([
    ['says 301', redirecting('http://127.0.0.1:1/elsewhere', 301), { status_code: 301, error_message: 'redirects are not followed' }],
    ['breaks the connection', resetting, { status_code: null, body: null, headers: null, error_message: 'connection_reset' }],
    ['says nothing in time', silent, { status_code: null, body: null, headers: null, error_message: 'timeout' }],
    ['says 500', answering(500, 'oops'), { status_code: 500, body: 'oops', error_message: 'the endpoint answered 500' }],
  ])('whose endpoint %s', async (_name, behaviour, response) => {
    await configured(behaviour, { timeout_seconds: 1 })
    const { status, json } = await merchant.retry(await submitted())
    expect([status, json.is_delivery_successful]).toEqual([200, json.is_delivery_successful === null ? null : false])
    expect(json.response).toMatchObject(response)
  })

  test('whose endpoint is away, or where nobody may go', async () => {
    await configured(answering(200))
    const id = await submitted()
    await server.stopReceivers()
    expect((await merchant.retry(id)).json.response.error_message).toBe('connection_refused')
    const refused = await merchant.configure('http://10.0.0.1/hook')
    expect([refused.status, refused.json.code]).toEqual([422, 'TE_03'])
    expect(refused.json.message).toContain('blocked_address')
  })

  test('without an endpoint is kept, and sent by hand later', async () => {
    const id = await submitted()
    const listed = await merchant.ask(`POST ${path()}`, { is_delivered: false })
    expect(listed.json.events).toMatchObject([{ event_id: id, is_delivery_successful: false }])
    const refused = await merchant.retry(id)
    expect([refused.status, refused.json]).toEqual([
      400,
      { error: { type: 'invalid_request', message: expect.stringContaining('No webhook endpoint'), code: 'IR_16' } },
    ])
    await configured(answering(204, ''))
    expect((await merchant.retry(id)).json).toMatchObject({ is_delivery_successful: true, response: { status_code: 204 } })
  })

  test('of a type that is not subscribed is filtered', async () => {
    await configured(answering(200), { event_types: ['refund_failed'] })
    const { status, json } = await merchant.submit()
    expect([status, json]).toEqual([202, { filtered: true }])
    expect((await merchant.ask(`POST ${path()}`, {})).json.total_count).toBe(0)
  })

  test('that is submitted again is recognised; with other content under its key it is refused', async () => {
    await configured(answering(200))
    const event = { object_id: 'pay_same', content: { a: 1, b: [1, { c: 2 }] } }
    const first = await merchant.submit(event)
    const again = await merchant.submit({ ...event, content: { b: [1, { c: 2 }], a: 1 } })
    expect(again.json).toMatchObject({ event_id: first.json.event_id, duplicate: true })
    expect((await merchant.submit({ ...event, content: { a: 2 } })).json).toMatchObject({ duplicate: false })
    const key = { 'idempotency-key': 'order-1' }
    const keyed = await merchant.submit(event, key)
    expect(keyed.json.event_id).not.toBe(first.json.event_id)
    expect((await merchant.submit(event, key)).json).toMatchObject({ event_id: keyed.json.event_id, duplicate: true })
    const other = await merchant.submit({ ...event, content: { a: 3 } }, key)
    expect([other.status, other.json.code]).toEqual([409, 'TE_04'])
    const many = await Promise.all(Array.from({ length: 10 }, () => merchant.submit({ object_id: 'pay_race', content: {} })))
    expect(new Set(many.map(({ json }) => json.event_id)).size).toBe(1)
    expect(many.filter(({ json }) => json.duplicate === false)).toHaveLength(1)
  })
})

test('a profile of 64 characters beyond the first plane has events, and an endpoint for them', async () => {
  const profile_id = '😀'.repeat(64)
  expect(await merchant.submit({ profile_id })).toMatchObject({ status: 202, json: { profile_id } })
  const read = (id: string) => merchant.ask(`GET /merchant-account/${merchant.id}/webhook-endpoint?profile_id=${encodeURIComponent(id)}`)
  expect((await read(profile_id)).status).toBe(404)
  expect((await read(`${profile_id}😀`)).status).toBe(400)
})

describe('refusals', () => {
  test.each([
    ['an unknown type', { event_type: 'refund_processing' }, 422],
    ['another class than the type has', { event_class: 'refunds' }, 422],
    ['no object', { object_id: '' }, 422],
    ['a long object', { object_id: 'x'.repeat(65) }, 422],
    ['content that is no object', { content: [] }, 422],
    ['a time that is none', { occurred_at: 'yesterday' }, 422],
    ['a body beyond the cap', { content: { text: 'x'.repeat(270_000) } }, 413],
  ])('submitting %s', async (_name, change, status) => {
    expect((await merchant.submit(change)).status).toBe(status)
  })

  test.each([['a key that is none', { 'idempotency-key': 'x'.repeat(129) }, 400]])('submitting with %s', async (_name, headers, status) => {
    expect((await merchant.submit({}, headers)).status).toBe(status)
  })

  test.each([
    ['limit over 100', { limit: 101 }, 422, 'IR_06'],
    ['a limit that is no number', { limit: 'ten' }, 400, 'IR_06'],
    ['times in the wrong order', { created_after: '2099-01-02T00:00:00Z', created_before: '2099-01-01T00:00:00Z' }, 422, 'IR_06'],
    ['a time beyond the window', { created_after: '2020-01-01T00:00:00Z' }, 422, 'IR_06'],
    ['an unknown class', { event_classes: ['cards'] }, 400, 'IR_06'],
    ['types outside the classes', { event_classes: ['refunds'], event_types: ['payment_failed'] }, 422, 'IR_06'],
    ['an object with a page', { object_id: 'pay_1', limit: 5 }, 400, 'IR_16'],
    ['an unknown profile', { profile_id: 'nobody' }, 404, 'HE_02'],
  ])('listing with %s', async (_name, body, status, code) => {
    const answer = await merchant.ask(`POST ${path()}`, body)
    expect([answer.status, answer.json.error.code]).toEqual([status, code])
  })

  test('limit 0 gives an empty page and the count', async () => {
    await submitted()
    expect((await merchant.ask(`POST ${path()}`, { limit: 0 })).json).toEqual({ events: [], total_count: 1 })
  })

  test("credentials: none, a wrong one, another merchant's, an unknown merchant; a method and a path that are none", async () => {
    const other = await createMerchant(server.url())
    const id = await submitted()
    const answers = await Promise.all([
      call(server.url(), `POST ${path(`/${id}/retry`)}`),
      call(server.url(), `POST ${path(`/${id}/retry`)}`, { headers: { authorization: 'Bearer nonsense' } }),
      call(server.url(), `POST ${path(`/${id}/retry`)}`, { headers: other.key }),
      call(server.url(), `POST /events/${other.id}/${id}/retry`, { headers: other.key }),
      call(server.url(), `POST /events/nobody/${id}/retry`, { headers: admin }),
      call(server.url(), `PUT ${path(`/${id}/retry`)}`, { headers: merchant.key }),
      call(server.url(), `GET ${path(`/${id}/retries`)}`, { headers: merchant.key }),
    ])
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
      [401, 'IR_01'],
      [401, 'IR_17'],
      [401, 'IR_17'],
      [404, 'HE_02'],
      [404, 'HE_02'],
      [405, 'IR_03'],
      [404, 'IR_02'],
    ])
  })

  test('to a credential of another merchant an unknown merchant is a foreign one', async () => {
    const answers = await Promise.all([
      call(server.url(), 'GET /events/nobody', { headers: merchant.key }),
      call(server.url(), 'POST /events/nobody/evt_1/retry', { headers: merchant.key }),
      call(server.url(), 'POST /events/nobody/recover', { headers: merchant.key, body: { since: new Date().toISOString() } }),
    ])
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual(answers.map(() => [401, 'IR_17']))
  })

  /** Lists events by a token that was handed over with these permissions. */
  const listedWith = async (permissions: readonly string[]) => {
    const body = { merchant_id: merchant.id, permissions }
    const made = await call(server.url(), 'POST /auth/admin/merchant-token', { body, headers: admin })
    const exchanged = await call(server.url(), 'POST /auth/admin/merchant-token/exchange', { body: { code: made.json.code } })
    const headers = { authorization: `Bearer ${exchanged.json.token}` }
    return await call(server.url(), 'POST /events/profile/list', { body: {}, headers })
  }

  test("a token lists its merchant's events without naming it; a key can't", async () => {
    const id = await submitted()
    const { status, json } = await listedWith(['routing:read'])
    expect([status, json.events.map((row: { event_id: string }) => row.event_id)]).toEqual([200, [id]])
    expect((await call(server.url(), 'POST /events/profile/list', { body: {}, headers: merchant.key })).status).toBe(401)
  })

  test.each([[[]], [['routing:write']]])('a token with the permissions %j lists no events', async (permissions) => {
    await submitted()
    const error = { type: 'invalid_request', message: 'This session does not have routing:read', code: 'IR_22' }
    expect(await listedWith(permissions)).toMatchObject({ status: 403, json: { error } })
  })

  test('a bearer of the same secret may retry', async () => {
    const body = { email: 'hooks@example.test', password: 'Blue#Sky2024', merchant_id: merchant.id }
    const signup = await call(server.url(), 'POST /auth/signup', { body, headers: admin })
    expect(signup.status).toBe(200)
    const headers = { authorization: `Bearer ${signup.json.token}` }
    const id = await submitted()
    await configured(answering(200))
    expect((await call(server.url(), `POST ${path(`/${id}/retry`)}`, { headers })).status).toBe(200)
  })
})
