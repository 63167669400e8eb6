import { describe, expect, test } from '@jest/globals'
import { type AnalyticsQueries, analyticsCollections, createAnalyticsQueries, createJournalQueries } from '@switchyard/analytics'
import { createDatastoreProbe, healthProbesCollection } from '@switchyard/composition'
import type { Identity, Route, RouteReply } from '@switchyard/http'
import { OperatingError, type ReadStore } from '@switchyard/kernel'
import { createCatalogue, createRuleEvaluator } from '@switchyard/routing'
import { createMemoryStore } from '@switchyard/store-memory'
import { createQueryApi } from './query-api.ts'
import { createReadSavings } from './savings/read-savings.ts'
import { createSimulatePage } from './simulation/simulate-page.ts'

const NOW = 1_800_000_000_000
const now = (): number => NOW
const key: Identity = { kind: 'key', keyId: 'k_1', merchantId: 'm_1', admin: false }

const newStore = (): ReadStore => createMemoryStore({ collections: [...analyticsCollections, healthProbesCollection] })

interface Given {
  readonly store?: ReadStore
  readonly queries?: AnalyticsQueries
  readonly isReady?: () => Promise<boolean>
}

const apiOf = ({ store = newStore(), queries, isReady = () => Promise.resolve(true) }: Given): readonly Route[] =>
  createQueryApi({
    queries: queries ?? createAnalyticsQueries({ store, now }),
    journal: createJournalQueries({ readModels: () => store, now }),
    historySinceOf: () => 0,
    isMerchant: (merchantId) => merchantId.startsWith('m_'),
    states: { stateOf: ({ initialState }) => initialState, readIndex: () => Promise.resolve() },
    simulatePage: createSimulatePage({ store, evaluator: createRuleEvaluator(createCatalogue([])) }),
    lookAtBackTest: () => Promise.reject(new Error('not asked in these tests')),
    readSavings: createReadSavings({ store, now }),
    now,
    newId: () => 'id_1',
    health: { isReady, probe: createDatastoreProbe({ store, now, instance: 'test' }) },
  }).routes

const get = async (routes: readonly Route[], url: string, identity: Identity = key): Promise<RouteReply> => {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const route = routes.find(({ spec }) => spec.path === pathname)
  if (route === undefined) throw new Error(`no route ${pathname}`)
  return route.handle({
    params: {},
    query: searchParams,
    body: undefined,
    headers: {},
    identity,
    requestId: 'r_1',
    receivedAt: NOW,
    remoteAddress: () => '127.0.0.1',
  })
}

const failing = (code: 'STORE_UNAVAILABLE' | 'RECORD_UNREADABLE', retryable: boolean): AnalyticsQueries => {
  const fail = (): Promise<never> => Promise.reject(new OperatingError(code, 'gone', { retryable }))
  return {
    overview: fail,
    gatewayScores: fail,
    decisions: fail,
    routingStats: fail,
    logSummaries: fail,
    paymentAudit: fail,
    experimentFigures: fail,
    experimentPayments: fail,
    routingEvents: fail,
    keyUses: fail,
    clusterTraffic: fail,
    comparisons: fail,
  }
}

describe('analytics routes', () => {
  test('all are protected, need a tenant and the merchant of the credential', () => {
    const specs = apiOf({}).filter(({ spec }) => spec.path.startsWith('/analytics'))
    expect(specs.map(({ spec }) => spec.path)).toEqual([
      '/analytics',
      '/analytics/overview',
      '/analytics/gateway-scores',
      '/analytics/payment-audit',
      '/analytics/preview-trace',
      '/analytics/decisions',
      '/analytics/routing-stats',
      '/analytics/log-summaries',
      '/analytics/routing-events',
      '/analytics/experiment/:experimentId/results',
      '/analytics/experiment/:experimentId/transactions',
      '/analytics/self-tuning',
      '/analytics/back-test',
      '/analytics/cost-savings',
    ])
    for (const { spec } of specs) {
      expect(spec.method).toBe(spec.path === '/analytics/back-test' ? 'POST' : 'GET')
      expect(spec).toMatchObject({ access: 'protected', permission: 'routing:read', tenant: true, identity: 'required' })
      expect(spec.servedBy).toBe('read-models')
    }
  })

  test('an empty merchant has an overview of zeros', async () => {
    const { status, body } = await get(apiOf({}), '/analytics/overview?range=1d')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      merchant_id: 'm_1',
      kpis: [
        { label: 'Decision events / 1d', value: '0' },
        { label: 'Score snapshots', value: '0' },
        { label: 'Rule hits', value: '0' },
        { label: 'Errors', value: '0' },
      ],
      route_hits: [
        { route: '/decide_gateway', count: 0 },
        { route: '/update_gateway', count: 0 },
        { route: '/rule_evaluate', count: 0 },
      ],
      top_scores: [],
      top_errors: [],
      top_rules: [],
      smart_retry_stats: { retried_count: 0, recovered_count: 0, by_trigger: [], by_fallback: [] },
      as_of_ms: NOW,
      positions: [],
      truncated: false,
    })
  })

  test('an empty merchant has no scores and no payments', async () => {
    const routes = apiOf({})
    expect((await get(routes, '/analytics/gateway-scores')).body).toMatchObject({
      merchant_id: 'm_1',
      range: '1h',
      snapshots: [],
      series: [],
    })
    expect((await get(routes, '/analytics/payment-audit?gateway=adyen')).body).toMatchObject({
      range: '1h',
      payment_id: null,
      gateway: 'adyen',
      page: 1,
      page_size: 12,
      total_results: 0,
      total_success: 0,
      total_failure: 0,
      results: [],
      timeline: [],
    })
    expect((await get(routes, '/analytics/preview-trace')).body).toMatchObject({ route: 'routing_evaluate', results: [] })
  })

  test('an unreadable query is refused with the name of the parameter', async () => {
    expect(await get(apiOf({}), '/analytics/gateway-scores?page=-1')).toEqual({
      status: 400,
      body: {
        code: 'TE_03',
        message: 'Failed to deserialize query string: page: expected an integer from 0 to 4294967295',
        data: null,
      },
    })
  })

  test('without a merchant there is nothing to read', async () => {
    expect(await get(apiOf({}), '/analytics', { kind: 'admin' })).toEqual({
      status: 401,
      body: { code: 'TE_03', message: 'Analytics access requires JWT or API key authentication', data: null },
    })
  })

  test.each(['/analytics/overview', '/analytics/gateway-scores', '/analytics/payment-audit', '/analytics/preview-trace'])(
    '%s answers a failing store in the envelope, and when to come again',
    async (path) => {
      expect(await get(apiOf({ queries: failing('STORE_UNAVAILABLE', true) }), path)).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1' },
        body: { code: 'TE_01' },
        cause: { code: 'STORE_UNAVAILABLE' },
      })
      expect(await get(apiOf({ queries: failing('RECORD_UNREADABLE', false) }), path)).toMatchObject({
        status: 500,
        body: { code: 'TE_01', message: 'failed while retrieving stored data' },
        cause: { code: 'RECORD_UNREADABLE' },
      })
    },
  )
})

const database = async (store: ReadStore): Promise<unknown> => (await get(apiOf({ store }), '/health/diagnostics')).body
const verdicts = (connection: string, read: string, write: string, remove: string): object => ({
  key_custodian_locked: false,
  database: { database_connection: connection, database_read: read, database_write: write, database_delete: remove },
})
const refuse = (): Promise<never> => Promise.reject(new OperatingError('STORE_UNAVAILABLE', 'gone', { retryable: true }))

describe('health', () => {
  test('liveness asks nobody', async () => {
    const routes = apiOf({ isReady: () => Promise.resolve(false) })
    expect(await get(routes, '/health')).toEqual({ status: 200, body: { message: 'Health is good' } })
  })

  test.each([
    ['ready', () => Promise.resolve(true), 200, 'Up'],
    ['not ready', () => Promise.resolve(false), 400, 'Down'],
    ['unable to say', () => refuse(), 400, 'Down'],
  ])('%s', async (_name, isReady, status, message) => {
    expect(await get(apiOf({ isReady }), '/health/ready')).toEqual({ status, body: { message } })
  })

  test('only diagnostics need a tenant, and none a credential', () => {
    const specs = apiOf({}).filter(({ spec }) => spec.path.startsWith('/health'))
    expect(specs.map(({ spec }) => [spec.path, spec.access, spec.tenant])).toEqual([
      ['/health', 'public', false],
      ['/health/ready', 'public', false],
      ['/health/diagnostics', 'public', true],
    ])
  })

  test('diagnostics work again and again, and leave nothing behind', async () => {
    const store = newStore()
    const routes = apiOf({ store })
    for (let i = 0; i < 3; i++) {
      expect((await get(routes, '/health/diagnostics')).body).toEqual(verdicts('Working', 'Working', 'Working', 'Working'))
    }
    expect(await store.range({ collection: healthProbesCollection.name, prefix: [], order: 'ascending', limit: 10 })).toEqual([])
  })

  test('diagnoses at the same time do not disturb each other', async () => {
    const routes = apiOf({})
    const all = await Promise.all(Array.from({ length: 5 }, () => get(routes, '/health/diagnostics')))
    for (const { body } of all) expect(body).toEqual(verdicts('Working', 'Working', 'Working', 'Working'))
  })

  test('from the first failing step on everything fails', async () => {
    const store = newStore()
    expect(await database({ ...store, get: refuse })).toEqual(verdicts('Failing', 'Failing', 'Failing', 'Failing'))
    expect(await database({ ...store, range: refuse })).toEqual(verdicts('Working', 'Failing', 'Failing', 'Failing'))
    expect(await database({ ...store, write: refuse })).toEqual(verdicts('Working', 'Working', 'Failing', 'Failing'))
    const noRemoval: ReadStore = { ...store, write: (writes) => (writes[0]?.body === null ? refuse() : store.write(writes)) }
    expect(await database(noRemoval)).toEqual(verdicts('Working', 'Working', 'Working', 'Failing'))
  })

  test('a write that is accepted and does not take effect fails', async () => {
    const store = newStore()
    expect(await database({ ...store, write: () => Promise.resolve(['applied']) })).toEqual(
      verdicts('Working', 'Working', 'Failing', 'Failing'),
    )
  })
})
