import { beforeEach, describe, expect, test } from '@jest/globals'
import { nodeHmac } from '@switchyard/outbound'
import { answering, checkingSignatures } from '../support/receivers/behaviours.ts'
import { WEBHOOK_SECRET, type WebhookMerchant } from '../support/webhook-client.ts'
import { useWebhookServer } from '../support/webhook-server.ts'

const server = useWebhookServer()
const { configured, submitted } = server
let merchant: WebhookMerchant
beforeEach(() => {
  merchant = server.merchant()
})
const path = (rest = ''): string => `/events/${merchant.id}${rest}`

test('the description promises what is answered: an attempt by its id, events of any profile, removing twice', async () => {
  const { paths } = (await merchant.ask('GET /openapi.json')).json
  const ofEndpoint = paths['/merchant-account/{merchantId}/webhook-endpoint']
  const ofEvents = paths['/merchant-account/{merchantId}/events']
  const merchantUnknown = { $ref: expect.stringContaining('404') }

  expect(paths['/events/{merchantId}/{eventId}'].get.summary).toBe('One delivery attempt of an event, by its own id')
  expect((await merchant.submit({ profile_id: 'nobody_knows' })).status).toBe(202)
  expect(ofEvents.post.responses[404]).toEqual(merchantUnknown)
  expect((await merchant.ask(`DELETE /merchant-account/${merchant.id}/webhook-endpoint?profile_id=nobody_knows`)).status).toBe(204)
  expect(ofEndpoint.delete.responses[404]).toEqual(merchantUnknown)
  expect(paths['/merchant-account/{merchantId}/webhook-endpoint/test'].post.responses).not.toHaveProperty('422')
})

describe('the endpoint', () => {
  const endpoint = (): string => `/merchant-account/${merchant.id}/webhook-endpoint`

  test('has the defaults of its sheet; a generated secret is shown once', async () => {
    const put = await merchant.ask(`PUT ${endpoint()}`, { webhook_url: 'https://shop.example/hook' })
    expect(put.json).toMatchObject({
      profile_id: 'default',
      webhook_url: 'https://shop.example/hook',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      custom_headers: {},
      event_types: null,
      enabled: true,
      timeout_seconds: 15,
      max_concurrency: 8,
      max_per_second: null,
      retry_delays_seconds: null,
      status: 'active',
      disabled_at: null,
      first_failure_at: null,
    })
    const get = await merchant.ask(`GET ${endpoint()}`)
    expect(get.json).toEqual({ ...put.json, secret: `whsec_…${put.json.secret.slice(-3)}` })
    expect((await merchant.ask(`PUT ${endpoint()}`, { webhook_url: 'https://shop.example/hook' })).json.secret).toBe(get.json.secret)
    expect((await merchant.ask(`DELETE ${endpoint()}`)).status).toBe(204)
    expect((await merchant.ask(`DELETE ${endpoint()}`)).status).toBe(204)
    expect((await merchant.ask(`GET ${endpoint()}`)).status).toBe(404)
  })

  test.each([
    ['no address', {}],
    ['an address that is none', { webhook_url: 'shop' }],
    ['user info', { webhook_url: 'https://a:b@shop.example/' }],
    ['a fragment', { webhook_url: 'https://shop.example/#x' }],
    ['an address of metadata', { webhook_url: 'http://169.254.169.254/latest' }],
    ['a decimal address', { webhook_url: 'http://167772161/' }],
    ['a port of another service', { webhook_url: 'https://shop.example:6379/' }],
    ['a short secret', { webhook_url: 'https://shop.example/', secret: 'short' }],
    ['a forbidden header', { webhook_url: 'https://shop.example/', custom_headers: { 'Webhook-Id': 'x' } }],
    [
      'eleven headers',
      { webhook_url: 'https://shop.example/', custom_headers: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`x-${i}`, 'v'])) },
    ],
    ['an unknown type', { webhook_url: 'https://shop.example/', event_types: ['nothing'] }],
    ['31 seconds', { webhook_url: 'https://shop.example/', timeout_seconds: 31 }],
    ['65 at a time', { webhook_url: 'https://shop.example/', max_concurrency: 65 }],
    ['a schedule of 33 steps', { webhook_url: 'https://shop.example/', retry_delays_seconds: Array.from({ length: 33 }, () => 5) }],
  ])('is refused with %s', async (_name, body) => {
    expect((await merchant.ask(`PUT ${endpoint()}`, body)).status).toBe(422)
  })

  test('gets a ping that is no event, signed as one', async () => {
    const { behaviour, seen } = checkingSignatures(nodeHmac, WEBHOOK_SECRET, Date.now)
    await configured(behaviour)
    const { status, json } = await merchant.ask(`POST ${endpoint()}/test`)
    expect([status, json.response.status_code, seen.faults]).toEqual([200, 200, []])
    expect(JSON.parse(json.request.body)).toMatchObject({ event_type: 'ping' })
    expect((await merchant.ask(`POST ${path()}`, {})).json.total_count).toBe(0)
  })

  test('rotates its secret: both sign for a while, a third one has to wait', async () => {
    await configured(answering(200))
    const rotate = (body?: object) => merchant.ask(`POST ${endpoint()}/rotate-secret`, body)
    const first = await rotate({ grace_period_seconds: 3_600 })
    expect(first.json).toEqual({ secret: expect.stringMatching(/^whsec_/), previous_valid_until: expect.any(String) })
    expect((await rotate()).status).toBe(200)
    expect((await rotate()).status).toBe(409)
    expect((await rotate({ grace_period_seconds: 604_801 })).status).toBe(422)
  })
})

describe('a recovery', () => {
  test('sends again what was not delivered in a time span, one at a time for a merchant', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => submitted()))
    const receiver = await configured(answering(200))
    const delivered = await submitted()
    await merchant.finished(delivered, 1)
    const since = new Date(Date.now() - 3_600_000).toISOString()
    const begun = await merchant.ask(`POST ${path('/recover')}`, { since })
    expect(begun.status).toBe(202)
    expect(begun.json).toMatchObject({ status: 'running', matched: 3, task_id: expect.stringMatching(/^rec_/) })
    await receiver.received(4)
    for (const id of ids) expect((await merchant.finished(id, 2)).json[0].delivery_attempt).toBe('manual_retry')
    const done = async () => await merchant.ask(`GET ${path(`/recover/${begun.json.task_id}`)}`)
    let last = await done()
    while (last.json.status === 'running') last = await done()
    expect(last.json).toMatchObject({ status: 'completed', matched: 3, attempted: 3, delivered: 3, failed: 0 })
    expect((await merchant.ask(`GET ${path('/recover/rec_none')}`)).status).toBe(404)
    expect((await merchant.ask(`POST ${path('/recover')}`, { since: '2020-01-01T00:00:00Z' })).status).toBe(422)
  })
})
