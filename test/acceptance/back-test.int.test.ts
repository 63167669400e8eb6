import { beforeAll, describe, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const PAYMENT_COUNT = 250
const AT_A_TIME = 50
const tenant = { 'x-tenant-id': 'public' }

const server = useServer()
let merchant: TestMerchant

const post = (path: string, body: object) => call(server.url, `POST ${path}`, { body, headers: { ...merchant.key, ...tenant } })
const backTest = (body: object) => post('/analytics/back-test', body)
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const resultOf = async (body: object) => linesOf((await backTest(body)).text).at(-1)

beforeAll(async () => {
  merchant = await createMerchant(server.url)
  await post('/rule/create', {
    merchant_id: merchant.id,
    config: { type: 'successRate', data: { defaultBucketSize: 125, defaultHedgingPercent: 50 } },
  })
  const decided = (paymentId: string) => post('/decide-gateway', decisionRequest(merchant.id, paymentId))
  const lines: string[] = []
  for (let first = 0; first < PAYMENT_COUNT; first += AT_A_TIME) {
    const ids = Array.from({ length: AT_A_TIME }, (_, offset) => `pay_${first + offset}`)
    const answers = await Promise.all(ids.map(decided))
    for (const [offset, { json }] of answers.entries()) {
      const status = (first + offset) % 5 === 0 ? 'FAILURE' : 'CHARGED'
      lines.push(JSON.stringify({ merchantId: merchant.id, gateway: json.decided_gateway, paymentId: ids[offset], status }))
    }
  }
  const uploaded = await call(server.url, 'POST /update-gateway-score/batch', { body: lines.join('\n'), headers: merchant.key })
  if (uploaded.status !== 200) throw new Error(`outcomes were not taken: ${uploaded.text}`)
})

describe('POST /analytics/back-test', () => {
  test('progress, then an estimate with its interval', async () => {
    const { status, headers, text } = await backTest({ changes: { bucket_size: 30 }, range: '1h' })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toContain('application/x-ndjson')
    const lines = linesOf(text)
    expect(lines[0]).toMatchObject({ type: 'progress' })
    const result = lines.at(-1)
    expect(result).toMatchObject({
      type: 'result',
      merchant_id: merchant.id,
      answerable: true,
      reason: null,
      decisions: { total: PAYMENT_COUNT, weighed: PAYMENT_COUNT, without_end: 0, not_weighable: 0 },
      recorded: { approval_rate: 0.8 },
      truncated: false,
    })
    const [low, high] = result.estimated.confidence_interval
    expect(low).toBeLessThan(0.8)
    expect(high).toBeGreaterThan(0.8)
    expect(result.estimated.approval_rate).toBeGreaterThanOrEqual(low)
  })

  test('an algorithm in place of success rates', async () => {
    const algorithm = { type: 'priority', data: [{ gateway_name: 'adyen', gateway_id: null }] }
    const created = await post('/routing/create', { name: 'adyen', created_by: merchant.id, algorithm })
    expect(await resultOf({ changes: { routing_algorithm_id: created.json.rule_id } })).toMatchObject({
      answerable: true,
      moved_share: expect.any(Number),
    })
  })

  test.each([
    ['a margin without costs', { changes: { margin: 0.02 } }, 'NO_COSTS'],
    ['a time without payments', { changes: { bucket_size: 10 }, range: { start_ms: 1, end_ms: 2 } }, 'NO_PAYMENTS'],
    ['few payments', { changes: { bucket_size: 10 }, limit: 10 }, 'TOO_FEW_PAYMENTS'],
  ])('%s can not be answered, and it says so', async (_, body, reason) => {
    expect(await resultOf(body)).toMatchObject({ type: 'result', answerable: false, reason, estimated: null, gain_pp: null })
  })

  test.each([
    ['nothing to change', { changes: {} }],
    ['an unknown setting', { changes: { bucket: 5 } }],
    ['a setting out of range', { changes: { hedging_percent: 101 } }],
    ['a time that ends before it begins', { changes: { bucket_size: 5 }, range: { start_ms: 5, end_ms: 5 } }],
  ])('%s is refused', async (_, body) => {
    expect((await backTest(body)).status).toBe(422)
  })

  test.each(['2h', {}, 5])('a range of %j is told what a range is', async (range) => {
    expect(await backTest({ changes: { bucket_size: 5 }, range })).toMatchObject({
      status: 422,
      json: { message: expect.stringContaining('range: expected 15m, 1h, 12h, 1d or 1w, or start_ms and end_ms, whole numbers') },
    })
  })

  test('an algorithm that is not there is refused', async () => {
    expect(await backTest({ changes: { routing_algorithm_id: 'routing_none' } })).toMatchObject({ status: 400 })
  })

  test('nothing is written', async () => {
    const overview = () => call(server.url, 'GET /analytics/overview?range=1h', { headers: { ...merchant.key, ...tenant } })
    // What was reported before is stored behind its answer.
    const before = await eventually('every decision and outcome is stored', overview, ({ json }) => {
      const counts: readonly number[] = json.positions.map(({ offset }: { readonly offset: number }) => offset + 1)
      return counts.reduce((sum, count) => sum + count, 0) >= 2 * PAYMENT_COUNT
    })
    await backTest({ changes: { hedging_percent: 0 } })
    const after = await overview()
    expect(after.json.positions).toEqual(before.json.positions)
    expect(after.json.kpis).toEqual(before.json.kpis)
  })
})
