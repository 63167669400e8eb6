import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { newSurroundings, SERVICES, type ServiceName, type Surroundings, startService } from '../support/cluster.ts'
import { produce } from '../support/kafka-messages.ts'
import { type Series, scrape, strangeLabels, total } from '../support/metrics.ts'
import type { RunningProcess } from '../support/processes.ts'
import { describeWithServers } from '../support/real-servers.ts'
import { serverAddresses } from '../support/server-addresses.ts'

/** Every process tells these. */
const EVERYWHERE = ['api_requests_total', 'api_requests_by_status', 'api_latency_seconds_count', 'log_append_seconds_count'] as const

describeWithServers('metrics of separate services', () => {
  let surroundings: Surroundings
  const running = new Map<ServiceName, RunningProcess>()
  let merchant: TestMerchant

  const urlOf = (name: ServiceName): string => running.get(name)?.url ?? ''
  const read = (name: ServiceName): Promise<readonly Series[]> => scrape(running.get(name)?.output() ?? '')
  const until = (name: ServiceName, what: string, holds: (series: readonly Series[]) => boolean): Promise<readonly Series[]> =>
    eventually(what, () => read(name), holds)

  beforeAll(async () => {
    surroundings = newSurroundings()
    const env = { ...surroundings.env, SWITCHYARD_METRICS_PORT: '0', SWITCHYARD_LOG_LEVEL: 'info' }
    for (const [name, service] of await Promise.all(
      SERVICES.map(async (each) => [each, await startService(each, { env }).ready()] as const),
    ))
      running.set(name, service)
    merchant = await createMerchant(urlOf('command-api'))
  }, 120_000)
  afterAll(async () => {
    await Promise.all([...running.values()].map((service) => service.end('SIGTERM')))
    await surroundings.remove()
  }, 60_000)

  test.each(SERVICES)('%s: requests, latency, appends and the delay of the event loop, under bounded labels', async (name) => {
    await call(urlOf(name), `GET /nowhere/${merchant.id}`)
    const series = await read(name)
    for (const metric of EVERYWHERE) expect([metric, total(series, metric)]).toEqual([metric, expect.any(Number)])
    expect(total(series, 'api_requests_by_status', { endpoint: 'none', status: 'failure', code: '404' })).toBeGreaterThan(0)
    expect(total(series, 'api_latency_seconds_bucket', { endpoint: 'none', le: '+Inf' })).toBeGreaterThan(0)
    expect(total(series, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    expect(strangeLabels(series)).toEqual([])
    expect(JSON.stringify(series)).not.toContain(merchant.id)
  })

  test('command-api: what it wrote into the log, and how long that took', async () => {
    const series = await read('command-api')
    expect(total(series, 'recorded_events_total', { type: 'switchyard.config.MerchantRegistered' })).toBe(1)
    expect(total(series, 'log_append_seconds_count', { topic: 'config' })).toBeGreaterThan(0)
    expect(total(series, 'log_append_seconds_sum', { topic: 'config' })).toBeGreaterThan(0)
  })

  test.each([
    ['decide', 'outcomes-inbound'],
    ['webhook-dispatcher', 'webhook-events-inbound'],
  ] as const)('%s: what is still to be taken of %s', async (name, topic) => {
    const series = await until(name, 'an empty inbox', (all) => total(all, 'inbox_lag_records', { topic }) === 0)
    expect(strangeLabels(series)).toEqual([])
  })

  test('decide: decisions by approach and status, and the buffer that their events wait in', async () => {
    const decide = (change: object) =>
      call(urlOf('decide'), 'POST /decide-gateway', { body: decisionRequest(merchant.id, 'pay_1', change), headers: merchant.key })
    expect(
      (
        await eventually(
          'the merchant where decisions are made',
          () => decide({}),
          ({ status }) => status === 200,
        )
      ).status,
    ).toBe(200)
    await decide({ eligibleGatewayList: [] })
    const series = await until('decide', 'the decision in the log', (all) => (total(all, 'recorded_events_total') ?? 0) > 1)
    expect(total(series, 'routing_decisions_total', { status: 'success' })).toBeGreaterThan(0)
    expect(total(series, 'routing_decisions_total', { approach: 'NONE', status: 'failure' })).toBe(1)
    expect(total(series, 'append_buffer_capacity_events')).toBeGreaterThan(1_000)
    expect(total(series, 'append_buffer_events')).toBeGreaterThanOrEqual(0)
    expect(total(series, 'decisions_dropped_total')).toBe(0)
    expect(total(series, 'log_append_seconds_count', { topic: 'payments' })).toBeGreaterThan(0)
    expect(strangeLabels(series)).toEqual([])
  })

  test('projector: how far the read models are, and what could not be read', async () => {
    const { kafkaBrokers } = serverAddresses()
    const broken = {
      key: merchant.id,
      value: Buffer.from([0, 0, 0, 0, 1, 255]),
      headers: { id: 'e_broken', type: 'switchyard.payments.Broken' },
    }
    await produce(kafkaBrokers, `${surroundings.topicPrefix}.payments.v1`, [broken])
    const counted = (all: readonly Series[]): boolean => total(all, 'dead_letters_total', { topic: 'payments' }) === 1
    const series = await until(
      'projector',
      'the record that can not be read',
      (all) => counted(all) && total(all, 'projection_lag_records') === 0,
    )
    for (const topic of ['config', 'payments']) expect(total(series, 'projection_running', { topic })).toBe(1)
    expect(strangeLabels(series)).toEqual([])
  })

  test('query-api: the lag of the read models that it answers from', async () => {
    const headers = { ...merchant.key, 'x-tenant-id': 'public' }
    await eventually(
      'an answer',
      () => call(urlOf('query-api'), 'GET /analytics/overview', { headers }),
      ({ status }) => status === 200,
    )
    const series = await until('query-api', 'no lag', (all) => total(all, 'projection_lag_records', { topic: 'payments' }) === 0)
    expect(total(series, 'api_requests_by_status', { endpoint: 'GET /analytics/overview', code: '200' })).toBeGreaterThan(0)
    expect(strangeLabels(series)).toEqual([])
  })

  test('webhook-dispatcher: events that it took, and the lag of its own read models', async () => {
    const body = { event_type: 'payment_succeeded', object_id: 'pay_1', content: {} }
    const request = `POST /merchant-account/${merchant.id}/events`
    await eventually(
      'an event that is taken',
      () => call(urlOf('webhook-dispatcher'), request, { body, headers: merchant.key }),
      ({ status }) => status === 202,
    )
    const series = await until('webhook-dispatcher', 'no lag', (all) => total(all, 'projection_lag_records', { topic: 'webhooks' }) === 0)
    expect(total(series, 'recorded_events_total', { type: 'switchyard.webhooks.WebhookEventAccepted' })).toBe(1)
    expect(total(series, 'projection_running', { topic: 'webhooks' })).toBe(1)
    expect(strangeLabels(series)).toEqual([])
  })
})
