import { beforeAll, describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
/** Reads of `analytics.md` 1.1 that this service answers. */
const EVERY_READ = [
  '/analytics',
  '/analytics/overview',
  '/analytics/gateway-scores',
  '/analytics/decisions',
  '/analytics/routing-stats',
  '/analytics/log-summaries',
  '/analytics/payment-audit',
  '/analytics/preview-trace',
  '/analytics/routing-events',
]
const tenant = { 'x-tenant-id': 'public' }
const read = (path: string) => call(server.url, `GET ${path}`, { headers: { ...merchant.key, ...tenant } })

beforeAll(async () => {
  merchant = await createMerchant(server.url)
  const post = (path: string, body: object) => call(server.url, `POST ${path}`, { body, headers: merchant.key })
  for (let i = 0; i < 4; i++) {
    await post('/decide-gateway', decisionRequest(merchant.id, `pay_${i}`))
    await post('/update-gateway-score', {
      merchantId: merchant.id,
      gateway: 'adyen',
      paymentId: `pay_${i}`,
      status: i === 0 ? 'FAILURE' : 'CHARGED',
    })
  }
  await post('/decide-gateway', decisionRequest(merchant.id, 'pay_refused', { eligibleGatewayList: [] }))
  await eventually(
    'all reports projected',
    () => read('/analytics/overview'),
    ({ json }) => json.route_hits[1].count === 4 && json.top_errors.length === 1,
  )
})

describe('analytics', () => {
  test('overview: figures, hits, scores, errors', async () => {
    const { status, json } = await read('/analytics/overview?range=1h')
    expect(status).toBe(200)
    expect(json.merchant_id).toBe(merchant.id)
    expect(json.kpis.map(({ label, value }: { label: string; value: string }) => [label, value])).toEqual([
      ['Decision events / 1h', '4'],
      ['Score snapshots', '4'],
      ['Rule hits', '0'],
      ['Errors', '1'],
    ])
    expect(json.route_hits).toEqual([
      { route: '/decide_gateway', count: 5 },
      { route: '/update_gateway', count: 4 },
      { route: '/rule_evaluate', count: 0 },
    ])
    expect(json.top_scores).toEqual([
      expect.objectContaining({ gateway: 'adyen', payment_method_type: 'CARD', payment_method: 'CREDIT', transaction_count: 4 }),
    ])
    expect(json.top_scores[0].score_value).toBeCloseTo(124 / 125, 12)
    expect(json.top_errors).toEqual([expect.objectContaining({ count: 1, error_code: expect.any(String) })])
    expect((await read('/analytics')).json.route_hits).toEqual(json.route_hits)
  })

  test('gateway scores: snapshots and series, filters honoured', async () => {
    const { json } = await read('/analytics/gateway-scores?range=15m')
    expect(json).toMatchObject({ merchant_id: merchant.id, range: '15m' })
    expect(json.snapshots).toHaveLength(1)
    expect(json.series.length).toBeGreaterThanOrEqual(1)
    expect((await read('/analytics/gateway-scores?gateway=adyen&currency=EUR')).json.snapshots).toHaveLength(1)
    expect((await read('/analytics/gateway-scores?gateway=stripe')).json.snapshots).toEqual([])
    expect((await read('/analytics/gateway-scores?currency=USD')).json.snapshots).toEqual([])
  })

  test('decisions: tiles, labels over time, failed requests in the rate', async () => {
    const { json } = await read('/analytics/decisions?bucket=1d')
    expect(json).toMatchObject({ merchant_id: merchant.id, range: '1h', bucket_width_ms: 86_400_000 })
    expect(json.tiles.map(({ label, value }: { label: string; value: string }) => [label, value])).toEqual([
      ['Decisions', '4'],
      ['Error rate', '20.00%'],
    ])
    const counts = json.series.map(({ count }: { count: number }) => count)
    expect(counts.reduce((sum: number, count: number) => sum + count, 0)).toBe(4)
    expect(json.approaches).toEqual([expect.objectContaining({ rule_name: json.series[0].routing_approach, count: 4 })])
    expect(typeof json.as_of_ms).toBe('number')
    const label = json.approaches[0].rule_name
    expect((await read(`/analytics/decisions?exclude_routing_approach=${label}`)).json).toMatchObject({ series: [], approaches: [] })
    expect((await read('/analytics/decisions?gateway=nobody')).json.tiles[0].value).toBe('0')
    expect((await read('/analytics/decisions?currency=EUR&payment_method_type=CARD')).json.tiles[0].value).toBe('4')
  })

  test('routing: shares, scores, and the values to filter by', async () => {
    const { json } = await read('/analytics/routing-stats?range=15m')
    expect(json).toMatchObject({ merchant_id: merchant.id, range: '15m', top_rules: [] })
    expect(json.gateway_share[0]).toMatchObject({ gateway: 'adyen', bucket_ms: expect.any(Number), count: expect.any(Number) })
    expect(json.sr_trend[0]).toMatchObject({ gateway: 'adyen', payment_method: 'CREDIT' })
    expect(json.available_filters).toMatchObject({ missing_dimensions: [], gateways: ['adyen'] })
    expect(json.available_filters.dimensions[0]).toEqual({ key: 'payment_method_type', label: 'Payment Method Type', values: ['CARD'] })
    const none = (await read('/analytics/routing-stats?gateway=nobody')).json
    expect(none).toMatchObject({ gateway_share: [], sr_trend: [], available_filters: { gateways: ['adyen'] } })
  })

  test('errors: groups, samples, pages', async () => {
    const { json } = await read('/analytics/log-summaries?range=1d')
    expect(json).toMatchObject({ merchant_id: merchant.id, range: '1d', total_errors: 1, page: 1, page_size: 10, total_samples: 1 })
    expect(json.errors).toEqual([expect.objectContaining({ route: 'decide_gateway', count: 1 })])
    expect(json.samples).toEqual([
      expect.objectContaining({
        route: 'decide_gateway',
        payment_id: 'pay_refused',
        flow_type: 'decide_gateway_error',
        status: 'failure',
        error_code: json.errors[0].error_code,
      }),
    ])
    expect((await read('/analytics/log-summaries?route=Update+Gateway')).json).toMatchObject({ total_errors: 0, samples: [] })
    expect((await read('/analytics/log-summaries?page=2')).json).toMatchObject({ total_errors: 1, samples: [], page: 2 })
  })

  test('routing events: who leads, as it was noticed; parameters that can not be read', async () => {
    const own = await createMerchant(server.url)
    const post = (path: string, body: object) => call(server.url, `POST ${path}`, { body, headers: own.key })
    const report = async (gateway: string, i: number, status: string) => {
      const paymentId = `lead_${gateway}_${i}`
      await post('/decide-gateway', decisionRequest(own.id, paymentId, { eligibleGatewayList: ['adyen', 'stripe'] }))
      return await post('/update-gateway-score', { merchantId: own.id, gateway, paymentId, status })
    }
    for (let i = 0; i < 12; i++) await report('adyen', i, 'FAILURE')
    for (let i = 0; i < 12; i++) await report('stripe', i, 'CHARGED')
    const headers = { ...own.key, ...tenant }
    const { json } = await eventually(
      'the new leader is told',
      () => call(server.url, 'GET /analytics/routing-events', { headers }),
      (answer) => answer.json.events.some(({ event_type }: { event_type: string }) => event_type === 'leader_changed'),
    )
    const flip = json.events.find(({ event_type }: { event_type: string }) => event_type === 'leader_changed')
    expect(json).toMatchObject({ merchant_id: own.id, range: '1h', generated_at_ms: expect.any(Number) })
    expect(flip).toMatchObject({ gateway: 'stripe', previous_gateway: 'adyen', payment_method: 'CREDIT', transaction_count: 10 })
    expect(flip.id).toBe(`leader_changed:${own.id}:CARD:CREDIT:${flip.bucket_ms}:adyen>stripe`)
    expect(flip.bucket_ms % 300_000).toBe(0)
    const ids = (answer: typeof json) => answer.events.map(({ id }: { id: string }) => id)
    expect(ids((await call(server.url, 'GET /analytics/routing-events', { headers })).json)).toEqual(ids(json))
    for (const query of ['min_transaction_count=x', 'min_score_delta=much', 'limit=-1', 'tolerance_pp=a']) {
      expect((await call(server.url, `GET /analytics/routing-events?${query}`, { headers })).status).toBe(400)
    }
  })

  test('payment audit: the list, one payment, its timeline', async () => {
    const list = (await read('/analytics/payment-audit?page_size=2')).json
    expect(list).toMatchObject({ page: 1, page_size: 2, total_results: 5 })
    expect(list.results).toHaveLength(2)
    expect(list.results[0].last_seen_ms).toBeGreaterThanOrEqual(list.results[1].last_seen_ms)

    const one = (await read('/analytics/payment-audit?payment_id=pay_0')).json
    expect(one.results).toEqual([expect.objectContaining({ payment_id: 'pay_0', latest_status: 'FAILURE', event_count: 2 })])
    expect(one.timeline.map(({ flow_type }: { flow_type: string }) => flow_type)).toEqual([
      'decide_gateway_decision',
      'update_gateway_score_update',
    ])
    expect(one.timeline[0].details_json).toBeTruthy()
    expect(one.timeline[1]).toMatchObject({ gateway: 'adyen', status: 'FAILURE' })
    const old = (await read('/analytics/payment-audit?payment_id=pay_0&start_ms=1&end_ms=2')).json
    expect(old.results).toHaveLength(1)
    expect((await read('/analytics/payment-audit?payment_id=nobody')).json).toMatchObject({ total_results: 0, results: [], timeline: [] })
  })

  test('you read what you wrote: with the position of the report, the audit has it at once', async () => {
    const own = await createMerchant(server.url)
    await call(server.url, 'POST /decide-gateway', { body: decisionRequest(own.id, 'pay_own'), headers: own.key })
    for (const status of ['FAILURE', 'CHARGED']) {
      const body = { merchantId: own.id, gateway: 'adyen', paymentId: 'pay_own', status }
      const reported = await call(server.url, 'POST /update-gateway-score', { body, headers: own.key })
      const position = reported.headers.get('x-log-position') ?? ''
      expect(position).toMatch(/^payments-\d+-\d+$/)
      const headers = { ...own.key, ...tenant, 'x-min-log-position': position }
      const { json } = await call(server.url, 'GET /analytics/payment-audit?payment_id=pay_own', { headers })
      expect(json.results).toEqual([expect.objectContaining({ payment_id: 'pay_own', latest_status: status })])
    }
    const headers = { ...own.key, ...tenant, 'x-min-log-position': 'payments-999999-1' }
    expect((await call(server.url, 'GET /analytics/payment-audit', { headers })).status).toBe(400)
  })

  test('an empty merchant reads empty, not failing, and never another merchant', async () => {
    const empty = await createMerchant(server.url)
    for (const path of EVERY_READ) {
      const answer = await call(server.url, `GET ${path}?merchant_id=${merchant.id}`, { headers: { ...empty.key, ...tenant } })
      expect([path, answer.status, answer.json.merchant_id]).toEqual([path, 200, empty.id])
      expect(answer.text).not.toContain('adyen')
    }
  })

  test('the order of checks: credentials, tenant, identity, query', async () => {
    const get = (path: string, headers: object) => call(server.url, `GET ${path}`, { headers: { ...headers } })
    expect((await get('/analytics/overview', {})).status).toBe(401)
    expect(await get('/analytics/overview', merchant.key)).toMatchObject({
      status: 400,
      json: { code: 'TE_03', message: 'Tenant error: x-tenant-id not found in headers' },
    })
    expect(await get('/analytics/overview', { ...merchant.key, 'x-tenant-id': 'moon' })).toMatchObject({
      status: 400,
      json: { message: 'Tenant error: Invalid x-tenant-id' },
    })
    expect(await get('/analytics/overview', { ...admin, ...tenant })).toMatchObject({ status: 401, json: { code: 'TE_03' } })
    for (const query of ['page=-1', 'page=x', 'start_ms=1.5', 'page=1&page=2']) {
      expect([query, (await get(`/analytics/payment-audit?${query}`, { ...merchant.key, ...tenant })).status]).toEqual([query, 400])
    }
    expect((await get('/analytics/overview?colour=red', { ...merchant.key, ...tenant })).status).toBe(200)
  })
})
