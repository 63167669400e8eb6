import { afterAll, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest, eventually } from '../support/client.ts'
import { switchyard } from '../support/operator.ts'
import { startServer, startStandalone, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
afterAll(async () => {
  await folder.remove()
})

test('events say which trace their request was part of, and no other does', async () => {
  const server = await startStandalone({ dataDir: folder.path })
  const merchant = await createMerchant(server.url)
  const traceparent = (end: string): string => `00-4bf92f3577b34da6a3ce929d0e0e${end}-00f067aa0ba902b7-01`
  const send = (request: string, body: unknown, headers: Readonly<Record<string, string>>) =>
    call(server.url, request, { body, headers: { ...merchant.key, ...headers } })
  await send('POST /decide-gateway', decisionRequest(merchant.id, 'pay_traced'), { traceparent: traceparent('0001') })
  await send('POST /decide-gateway', decisionRequest(merchant.id, 'pay_wrong'), { traceparent: 'not a trace' })
  await send('POST /decide-gateway', decisionRequest(merchant.id, 'pay_alone'), {})
  await send(`POST /merchant-account/${merchant.id}/debit-routing`, { enabled: true }, { traceparent: traceparent('0002') })
  const event = { event_type: 'payment_succeeded', object_id: 'pay_traced', content: {} }
  await send(`POST /merchant-account/${merchant.id}/events`, event, { traceparent: traceparent('0003'), 'x-global-request-id': 'order-1' })
  await server.stop()

  const traces = async (topic: string) => {
    const { lines } = await switchyard(folder.path, 'replay', '--topic', topic, '--format', 'ndjson')
    const events = lines.map((line) => JSON.parse(line)).filter(({ type }) => type !== 'ApiKeysUsed')
    return events.map(({ type, data, trace }) => [data.paymentId ?? type, trace])
  }
  expect(await traces('payments')).toEqual([
    ['pay_traced', traceparent('0001')],
    ['pay_wrong', null],
    ['pay_alone', null],
  ])
  expect(await traces('config')).toContainEqual(['DebitRoutingEnabled', traceparent('0002')])
  expect(await traces('webhooks')).toContainEqual(['WebhookEventAccepted', traceparent('0003')])
})

test('audits and samples of errors tell by which ids the caller finds its requests, whatever kind of trace it has', async () => {
  const server = await startServer({ dataDir: folder.path })
  const merchant = await createMerchant(server.url)
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
  const asked = { ...merchant.key, 'x-tenant-id': 'public' }
  const report = { merchantId: merchant.id, gateway: 'stripe', paymentId: 'pay_asked', status: 'CHARGED' }
  const send = (request: string, body: unknown, headers: Readonly<Record<string, string>>) =>
    call(server.url, request, { body, headers: { ...merchant.key, ...headers } })
  const decision = { traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'x-global-request-id': 'order-77' }
  await send('POST /decide-gateway', decisionRequest(merchant.id, 'pay_asked'), decision)
  await send('POST /update-gateway-score', report, { 'x-b3-traceid': 'b3-1' })
  await send('POST /decide-gateway', decisionRequest(merchant.id, 'pay_refused', { eligibleGatewayList: [] }), { 'x-trace-id': 't-1' })
  const audit = await eventually(
    'the outcome in the audit',
    () => call(server.url, 'GET /analytics/payment-audit?request_id=order-77', { headers: asked }),
    ({ json }) => json.timeline?.length === 2,
  )
  const idsOf = ({ trace_id, global_request_id }: Record<string, unknown>) => [trace_id, global_request_id]
  expect(audit.json.timeline.map(idsOf)).toEqual([
    [trace, 'order-77'],
    ['b3-1', null],
  ])
  const errors = await eventually(
    'the refusal among the errors',
    () => call(server.url, 'GET /analytics/log-summaries', { headers: asked }),
    ({ json }) => json.samples?.length === 1,
  )
  expect(errors.json.samples.map(idsOf)).toEqual([['t-1', null]])
  await server.stop()
})
