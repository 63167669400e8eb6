import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest, eventually } from '../support/client.ts'
import { type RunningServer, runToEnd, startStandalone, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
let server: RunningServer
let metrics: string
beforeAll(async () => {
  server = await startStandalone({ dataDir: folder.path, env: { SWITCHYARD_METRICS_PORT: '0', SWITCHYARD_LOG_LEVEL: 'info' } })
  metrics = /metrics at (http:\/\/127\.0\.0\.1:\d+)\/metrics/.exec(server.output())?.[1] ?? ''
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

/** The value of a line of Prometheus' text; undefined: there is no such line. */
const valueOf = (text: string, line: string): number | undefined => {
  const found = text.split('\n').find((each) => each.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

describe('metrics', () => {
  test('stand on a port of their own, in the text format of Prometheus', async () => {
    const answer = await call(metrics, 'GET /metrics')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
    for (const line of answer.text.split('\n').filter((each) => each !== ''))
      expect(line).toMatch(/^(# (HELP|TYPE) .+|[a-z_]\w*(\{.*\})? (NaN|[+-]?[\d.eE+-]+))$/)
    expect((await call(server.url, 'GET /metrics')).status).toBe(404)
    expect((await call(metrics, 'GET /health')).status).toBe(404)
  })

  test('count requests by route and status, decisions by approach, appends and the events in them', async () => {
    const merchant = await createMerchant(server.url)
    const decide = (change: object) =>
      call(server.url, 'POST /decide-gateway', { body: decisionRequest(merchant.id, 'pay_1', change), headers: merchant.key })
    await decide({})
    await decide({ eligibleGatewayList: [] })
    await call(server.url, `GET /merchant-account/${merchant.id}`)
    await call(server.url, `GET /nowhere/${merchant.id}`)
    const scrape = () => call(metrics, 'GET /metrics')
    const recorded = 'recorded_events_total{type="switchyard.payments.GatewayDecided"}'
    const { text } = await eventually('the decision in the log', scrape, (answer) => valueOf(answer.text, recorded) === 1)
    expect(valueOf(text, 'api_requests_total{endpoint="POST /decide-gateway"}')).toBe(2)
    expect(valueOf(text, 'api_requests_by_status{endpoint="POST /decide-gateway",status="success",code="200"}')).toBe(1)
    expect(valueOf(text, 'api_requests_by_status{endpoint="POST /decide-gateway",status="failure",code="400"}')).toBe(1)
    expect(valueOf(text, 'api_requests_by_status{endpoint="GET /merchant-account/:merchantId",status="failure",code="401"}')).toBe(1)
    expect(valueOf(text, 'api_requests_by_status{endpoint="none",status="failure",code="404"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'api_latency_seconds_count{endpoint="POST /decide-gateway"}')).toBe(2)
    expect(valueOf(text, 'api_latency_seconds_bucket{endpoint="POST /decide-gateway",le="+Inf"}')).toBe(2)
    expect(valueOf(text, 'routing_decisions_total{approach="SR_SELECTION_V3_ROUTING",status="success"}')).toBe(1)
    expect(valueOf(text, 'routing_decisions_total{approach="NONE",status="failure"}')).toBe(1)
    expect(valueOf(text, 'log_append_seconds_count{topic="config"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'append_buffer_events')).toBeGreaterThanOrEqual(0)
    expect(valueOf(text, 'append_buffer_capacity_events')).toBeGreaterThan(1_000)
    expect(valueOf(text, 'decisions_dropped_total')).toBe(0)
    expect(valueOf(text, 'projection_running{topic="payments"}')).toBe(1)
    expect(valueOf(text, 'projection_lag_records{topic="payments"}')).toBeGreaterThanOrEqual(0)
    expect(valueOf(text, 'dead_letters_total{topic="payments"}')).toBe(0)
    expect(valueOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    // No label holds what a client sent.
    expect(text).not.toContain(merchant.id)
  })

  test('tell of the events that the threads of webhooks and costs write, and of the read models of webhooks', async () => {
    const merchant = await createMerchant(server.url)
    const body = { event_type: 'payment_succeeded', object_id: 'pay_1', content: { amount: 1 } }
    await call(server.url, `POST /merchant-account/${merchant.id}/events`, { body, headers: merchant.key })
    await call(server.url, `POST /merchant-account/${merchant.id}/connectors/adyen/report?account=ShopEU`, {
      body: 'a,b',
      headers: merchant.key,
    })
    const recorded = (type: string): string => `recorded_events_total{type="switchyard.${type}"}`
    const [accepted, taken] = [recorded('webhooks.WebhookEventAccepted'), recorded('costs.SettlementReportAccepted')]
    const { text } = await eventually(
      'the events of both threads',
      () => call(metrics, 'GET /metrics'),
      (answer) => valueOf(answer.text, accepted) === 1 && valueOf(answer.text, taken) === 1,
    )
    expect(valueOf(text, 'log_append_seconds_count{topic="webhooks"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'log_append_seconds_count{topic="costs"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'projection_running{topic="webhooks"}')).toBe(1)
    expect(valueOf(text, 'projection_lag_records{topic="webhooks"}')).toBeGreaterThanOrEqual(0)
    expect(valueOf(text, 'dead_letters_total{topic="webhooks"}')).toBe(0)
  })

  test('a port that was asked for and is taken ends the start', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve))
    const address = other.address()
    const port = typeof address === 'object' ? address?.port : undefined
    const { code, output } = await runToEnd({ dataDir: `${folder.path}/other`, env: { SWITCHYARD_METRICS_PORT: String(port) } })
    other.close()
    expect([code, output]).toEqual([1, expect.stringContaining(`something else listens on 127.0.0.1:${port}`)])
  })
})
