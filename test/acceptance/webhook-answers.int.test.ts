import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, test } from '@jest/globals'
import { answering, dripping, flooding, redirecting } from '../support/receivers/behaviours.ts'
import { type Behaviour, startReceiver } from '../support/receivers/receiver.ts'
import type { WebhookMerchant } from '../support/webhook-client.ts'
import { useWebhookServer } from '../support/webhook-server.ts'

const server = useWebhookServer()
const { configured, submitted } = server
let merchant: WebhookMerchant
beforeEach(() => {
  merchant = server.merchant()
})

/** What an attempt by hand shows of such an endpoint. */
const shown = async (behaviour: Behaviour) => {
  const id = await submitted()
  const receiver = await configured(behaviour, { timeout_seconds: 1 })
  const { json } = await merchant.retry(id)
  return { ...json, receiver }
}

const PACKED = gzipSync('x'.repeat(4 * 1024 * 1024))
const BYTES_KEPT_MAX = 65_536

describe('what endpoints answer, as it is kept and shown', () => {
  test('a body without an end is cut at 64 KiB, and its status counts', async () => {
    const { is_delivery_successful: isDelivered, response } = await shown(flooding)
    expect([isDelivered, response.status_code, response.body]).toEqual([true, 200, 'x'.repeat(BYTES_KEPT_MAX)])
  })

  test('a body that drips is cut at the deadline, and its status counts', async () => {
    const { is_delivery_successful: isDelivered, response } = await shown(dripping(50))
    expect([isDelivered, response.status_code, response.error_message]).toEqual([true, 200, null])
    expect(response.body).toMatch(/^a+$/)
  })

  test('a packed body stays as it came', async () => {
    const { response } = await shown(answering(200, PACKED, { 'content-encoding': 'gzip' }))
    expect(response.body).toBe(`data:;base64,${PACKED.toString('base64')}`)
  })

  test('a body that is no text is shown as its bytes', async () => {
    const { response } = await shown(answering(500, Buffer.from([0xff, 0xfe, 0x00])))
    expect(response).toMatchObject({ status_code: 500, body: 'data:;base64,//4A', error_message: 'the endpoint answered 500' })
  })

  test('header names keep their case, repeated ones are repeated pairs', async () => {
    const { response } = await shown((_request, reply) => {
      reply.writeHead(200, ['X-Shop', 'a', 'x-shop', 'b', 'Content-Length', '0']).end()
    })
    expect(response.headers.slice(0, 2)).toEqual([
      ['X-Shop', 'a'],
      ['x-shop', 'b'],
    ])
  })

  test.each([301, 302, 307, 308])('where %d points to is never visited', async (status) => {
    const target = await startReceiver(answering(200))
    const { response } = await shown(redirecting(target.url, status))
    expect(response).toMatchObject({ status_code: status, error_message: 'redirects are not followed' })
    expect(target.requests).toEqual([])
    await target.stop()
  })

  test('the request is ours: host first, our own agent, nothing packed asked for, no cookie of an earlier answer', async () => {
    const { receiver, event_id: id } = await shown(answering(200, 'ok', { 'set-cookie': 'session=1' }))
    await merchant.retry(id)
    for (const { rawHeaders, headers } of receiver.requests) {
      expect(rawHeaders[0].toLowerCase()).toBe('host')
      expect(headers).toMatchObject({ 'user-agent': 'Switchyard', 'accept-encoding': 'identity', 'content-type': 'application/json' })
      expect(headers.cookie).toBeUndefined()
    }
  })
})
