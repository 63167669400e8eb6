import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { RouteSpec } from '@switchyard/http'
import { routeTable } from '../../infra/gateway/route-table.mjs'
import { adyenReport } from '../support/adyen-report.ts'
import { admin, call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { createCostClient } from '../support/cost-client.ts'
import { experimentData } from '../support/experiment-client.ts'
import { RECEIVERS_ALLOWED } from '../support/receivers/allowed.ts'
import { type Receiver, startReceiver } from '../support/receivers/receiver.ts'
import { type RunningServer, startServer, temporaryFolder } from '../support/server.ts'
import { WEBHOOK_SECRET } from '../support/webhook-client.ts'

const folder = temporaryFolder()
const password = 'Password123!'
const tenant = { 'x-tenant-id': 'public' }
const ID = 'm_deleted'
let server: RunningServer
let receiver: Receiver

/** What one merchant left behind: ids by which somebody might find it again. */
interface Life {
  readonly merchant: TestMerchant
  readonly bearer: Readonly<Record<string, string>>
  readonly handedOver: Readonly<Record<string, string>>
  readonly experimentId: string
  readonly algorithmId: string
  readonly eventId: string
}

const event = { event_type: 'payment_succeeded', object_id: 'pay_0', content: { amount: 12 } }

const REPORT = { count: 300, pctBps: 120, fixed: 0.1, date: '2026-01-05' }

/** Uses everything that a merchant has. */
const live = async (id: string): Promise<Life> => {
  const merchant = await createMerchant(server.url, id)
  const ask = async (request: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await call(server.url, request, { headers: { ...merchant.key, ...headers }, ...(body !== undefined && { body }) })
    expect([request, answer.status, answer.text]).toEqual([request, expect.any(Number), expect.any(String)])
    expect([request, answer.status < 300 ? 'done' : answer.text]).toEqual([request, 'done'])
    return answer.json
  }
  const email = `${id}@example.test`
  const { token } = await ask('POST /auth/signup', { email, password, merchant_id: id }, admin)
  const { code } = await ask('POST /auth/admin/merchant-token', { merchant_id: id }, admin)
  const handedOver = await ask('POST /auth/admin/merchant-token/exchange', { code })
  await ask('POST /api-key/create', { merchant_id: id, description: 'second' })
  for (const feature of ['autopilot', 'elimination', 'ab-test-real-payments'])
    await ask(`POST /merchant-account/${id}/features/${feature}`, { enabled: true })
  await ask(`POST /merchant-account/${id}/debit-routing`, { enabled: true })
  for (const [type, data] of [
    ['successRate', { defaultBucketSize: 20, defaultHedgingPercent: 0 }],
    ['elimination', { threshold: 0.3 }],
    ['debitRouting', { merchantCategoryCode: 'x', acquirerCountry: 'US' }],
  ])
    await ask('POST /rule/create', { merchant_id: id, config: { type, data } })
  await ask('POST /config-sr-dimension', { merchant_id: id, paymentInfo: { udfs: [], fields: ['currency'] } })
  const priority = { type: 'priority', data: [{ gateway_name: 'adyen' }, { gateway_name: 'stripe' }] }
  const { rule_id: algorithmId } = await ask('POST /routing/create', { name: 'first', created_by: id, algorithm: priority })
  await ask('POST /routing/evaluate', { created_by: id, routing_algorithm_id: algorithmId, payment_id: 'pay_e', parameters: {} })
  const algorithm = { type: 'ab_test', data: experimentData() }
  const { rule_id: experimentId } = await ask('POST /routing/create', { name: 'ab', created_by: id, algorithm })
  await ask('POST /routing/activate', { created_by: id, routing_algorithm_id: experimentId })
  for (let i = 0; i < 12; i++) {
    await ask('POST /decide-gateway', decisionRequest(id, `pay_${i}`))
    await ask('POST /update-gateway-score', {
      merchantId: id,
      gateway: 'stripe',
      paymentId: `pay_${i}`,
      status: i % 2 === 0 ? 'CHARGED' : 'FAILURE',
    })
  }
  await call(server.url, 'POST /decide-gateway', {
    body: decisionRequest(id, 'pay_none', { eligibleGatewayList: [] }),
    headers: merchant.key,
  })
  await ask('POST /gateway-score/reset', { merchant_id: id }, tenant)
  await ask('POST /decide-gateway', decisionRequest(id, 'pay_open'))
  await ask(`PUT /merchant-account/${id}/webhook-endpoint`, { webhook_url: receiver.url, secret: WEBHOOK_SECRET })
  const { event_id: eventId } = await ask(`POST /merchant-account/${id}/events`, event)
  const credentials = { account: `Shop of ${id}`, webhook_secret: 'secret', download_auth: 'user:password' }
  await ask(`POST /merchant-account/${id}/connectors/adyen/credentials`, credentials)
  await createCostClient(() => server.url, merchant).ingest('adyen', 'Shop', adyenReport(REPORT))
  const settled = await eventually(
    'all of it in the read models',
    () => call(server.url, 'GET /analytics/payment-audit?payment_id=pay_open', { headers: { ...merchant.key, ...tenant } }),
    ({ json }) => json.timeline?.length > 0,
  )
  expect(settled.status).toBe(200)
  const bearerOf = (session: unknown) => ({ authorization: `Bearer ${String(session)}` })
  return { merchant, bearer: bearerOf(token), handedOver: bearerOf(handedOver.token), experimentId, algorithmId, eventId }
}

/** Every read behind the gate; what is the deployment's own is the same for everybody. */
const reads = routeTable
  .flatMap(({ specs }) => specs)
  .filter(({ method, path, access }) => access === 'protected' && (method === 'GET' || path.startsWith('/routing/list')))

const requestOf = ({ method, path }: RouteSpec, id: string, { experimentId, eventId }: Life): string => {
  const names: Readonly<Record<string, string>> = {
    merchantId: id,
    createdBy: id,
    paymentId: 'pay_0',
    experimentId,
    eventId,
    taskId: 'rec_1',
  }
  return `${method} ${path.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? 'x')}`
}

/** An id that nobody has ever had. */
const NOBODY = 'm_nobody'

/** What is another each time: ids, times, positions. */
const told = (text: string, id: string): string =>
  text
    .replaceAll(id, 'ID')
    .replaceAll(/"(as_of_ms|start_ms|end_ms|bucket_width_ms|positions|key_id|key_prefix|last_used_at)":("[^"]*"|[^,}]+)/g, '"$1":0')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b1[78]\d{11}\b/g, '0')

/** Data keys of merchants that the one process keeps; separate services keep theirs elsewhere. */
const keyCount = (): number | undefined => {
  const keys = join(folder.path, 'secrets/merchant-keys')
  return existsSync(keys) ? readdirSync(keys).length : undefined
}

let former: Life
let keyCountBefore: number | undefined
beforeAll(async () => {
  server = await startServer({ dataDir: folder.path, env: RECEIVERS_ALLOWED })
  receiver = await startReceiver((_request, response) => response.writeHead(500).end())
  former = await live(ID)
  keyCountBefore = keyCount()
}, 120_000)
afterAll(async () => {
  await server.stop()
  await receiver.stop()
  await folder.remove()
})

describe('a merchant that is deleted', () => {
  test('takes its keys, sessions, memberships and everything that can be read along, at once', async () => {
    await receiver.received(1)
    const { status } = await call(server.url, `DELETE /merchant-account/${ID}`, { headers: former.merchant.key })
    expect(status).toBe(200)
    for (const credential of [former.merchant.key, former.bearer, former.handedOver])
      expect((await call(server.url, `GET /merchant-account/${ID}/features`, { headers: credential })).status).toBe(401)
    for (const spec of reads.filter(({ merchant }) => merchant !== undefined)) {
      const answers = [ID, NOBODY].map(async (id) => {
        const { status: answered, text } = await call(server.url, requestOf(spec, id, former), { headers: { ...admin, ...tenant } })
        return [spec.path, answered, told(text, id)]
      })
      const [answer, ofNobody] = await Promise.all(answers)
      expect(answer).toEqual(ofNobody)
    }
    const session = await call(server.url, 'POST /auth/login', { body: { email: `${ID}@example.test`, password } })
    expect(session.json).toMatchObject({ merchant_id: '', merchants: [] })
  })

  test('its data key is destroyed', async () => {
    const ended = await eventually(
      'the destruction of the key',
      async () => keyCount(),
      (count) => count === 0 || count === undefined,
    )
    expect([keyCountBefore, ended]).toEqual(keyCountBefore === undefined ? [undefined, undefined] : [1, 0])
  })
})

describe('a merchant with the id of a deleted one', () => {
  let again: TestMerchant
  let fresh: TestMerchant
  beforeAll(async () => {
    again = await createMerchant(server.url, ID)
    fresh = await createMerchant(server.url, 'm_never_before')
  })

  test('opens nothing to who belonged to the earlier one', async () => {
    for (const credential of [former.merchant.key, former.bearer, former.handedOver])
      expect((await call(server.url, `GET /merchant-account/${ID}/features`, { headers: credential })).status).toBe(401)
    const { json } = await call(server.url, 'POST /auth/login', { body: { email: `${ID}@example.test`, password } })
    expect(json).toMatchObject({ merchant_id: '', merchants: [] })
  })

  test.each(reads.map((spec) => [`${spec.method} ${spec.path}`, spec] as const))(
    '%s answers as for one that never was',
    async (_name, spec) => {
      const answerOf = async ({ id, key }: TestMerchant) => {
        const { status, text, json } = await call(server.url, requestOf(spec, id, former), { headers: { ...key, ...tenant } })
        // The journal counts how often an id was registered, and says no more of what was.
        const changes = json?.changes?.map(({ change }: { readonly change: string }) => change)
        return changes === undefined ? [status, told(text, id)] : [status, changes]
      }
      expect(await answerOf(again)).toEqual(await answerOf(fresh))
    },
  )

  test('decides as one that never was, and knows no payment of the earlier one', async () => {
    const decide = async ({ id, key }: TestMerchant) =>
      (await call(server.url, 'POST /decide-gateway', { body: decisionRequest(id, 'pay_1'), headers: key })).json
    const report = ({ id, key }: TestMerchant) => {
      const body = { merchantId: id, gateway: 'stripe', paymentId: 'pay_open', status: 'CHARGED' }
      return call(server.url, 'POST /update-gateway-score', { body, headers: { ...key, 'x-strict': 'true' } })
    }
    const [{ gateway_priority_map: scores, routing_approach: approach }, other] = [await decide(again), await decide(fresh)]
    expect([scores, approach]).toEqual([other.gateway_priority_map, other.routing_approach])
    expect([(await report(again)).status, (await report(fresh)).status]).toEqual([404, 404])
  })

  test('gets the events that the earlier one got, and none that waited for it', async () => {
    const ask = (request: string, body: unknown) => call(server.url, request, { body, headers: again.key })
    const before = receiver.requests.length
    await ask(`PUT /merchant-account/${ID}/webhook-endpoint`, { webhook_url: receiver.url, secret: WEBHOOK_SECRET })
    expect((await ask(`POST /merchant-account/${ID}/events`, event)).json).toMatchObject({ duplicate: false })
    await receiver.received(before + 1)
    const listed = await call(server.url, `GET /events/${ID}`, { headers: again.key })
    expect(listed.json.events).toHaveLength(1)
  })
})
