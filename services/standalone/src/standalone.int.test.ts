import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { createMetrics, domainCollections } from '@switchyard/composition'
import type { CostOperations } from '@switchyard/cost-ingestion'
import { loadDebitData, loadGatewayErrors } from '@switchyard/decide'
import { type EventLog, OperatingError } from '@switchyard/kernel'
import { createMemoryLog, type MemoryLog } from '@switchyard/log-memory'
import { loadRuleData } from '@switchyard/routing-data'
import { createFileKeyVault, createLifecycle, createLogger, type Lifecycle, type LifecycleReport, parseSettings } from '@switchyard/runtime'
import { createMemoryStore } from '@switchyard/store-memory'
import type { WebhookOperations } from '@switchyard/webhook-dispatcher'
import type { Background } from './background.ts'
import { createStandalone } from './standalone.ts'

const NO_DURATIONS = { cumulative: [], sumSeconds: 0 }
const NO_DELIVERIES = {
  waiting: {},
  underWay: {},
  openCircuitCount: 0,
  endpoints: {},
  exhaustedCount: 0,
  attempts: [],
  duration: NO_DURATIONS,
  delay: NO_DURATIONS,
}

const unused = async (): Promise<never> => {
  throw new Error('not asked in these tests')
}

/** Reads fail: one because the store is away, one because of a bug. */
const background: Background = {
  queries: {
    overview: async () => {
      throw new OperatingError('STORE_UNAVAILABLE', 'the store is away', { retryable: true })
    },
    gatewayScores: async () => {
      throw new TypeError('a bug in a query')
    },
    decisions: unused,
    routingStats: unused,
    logSummaries: unused,
    paymentAudit: unused,
    routingEvents: unused,
    keyUses: unused,
    experimentFigures: unused,
    experimentPayments: unused,
    clusterTraffic: unused,
    comparisons: unused,
  },
  journal: { changes: unused, calibrations: unused },
  simulatePage: unused,
  lookAtBackTest: unused,
  readSavings: unused,
  probe: { connect: unused, read: unused, write: unused, remove: unused },
  projectedUpTo: unused,
  projections: unused,
  isReady: () => true,
  stop: async () => {},
}

const operations: WebhookOperations = {
  configureEndpoint: unused,
  readEndpoint: unused,
  removeEndpoint: unused,
  rotateSecret: unused,
  testEndpoint: unused,
  submit: unused,
  retry: unused,
  list: unused,
  attempts: unused,
  retrieve: unused,
  recover: unused,
  readRecovery: unused,
  waitFor: unused,
}

const costOperations: CostOperations = {
  accept: unused,
  takeNotice: unused,
  list: unused,
  retrieve: unused,
  remove: unused,
  validateHeaders: unused,
  preview: unused,
  clusters: unused,
  facets: unused,
  connectorFees: unused,
  coverage: unused,
  priceChanges: unused,
  waitFor: unused,
}

const silent: LifecycleReport = { info: () => {}, failed: () => {} }
const admin = { 'x-admin-secret': 'test_admin', 'content-type': 'application/json' }

let log: MemoryLog
let lifecycle: Lifecycle
let url = ''
let takesPayments = true
let lines: string[] = []

beforeEach(async () => {
  lines = []
  takesPayments = true
  log = createMemoryLog()
  const append: EventLog['append'] = async (topic, records) => {
    if (topic === 'payments' && !takesPayments) throw new OperatingError('LOG_UNAVAILABLE', 'the disk is full', { retryable: false })
    return await log.append(topic, records)
  }
  const logger = createLogger({ logLevel: 'info' }, { write: (line) => void lines.push(line) })
  const parts = createStandalone({
    settings: parseSettings({ PORT: '0' }),
    sessionSecret: 's'.repeat(32),
    log: { ...log, append, onOpening: () => {} },
    store: createMemoryStore({ collections: domainCollections }),
    background,
    webhooks: { operations, figures: async () => NO_DELIVERIES, metrics: async () => [], isReady: () => true, stop: async () => {} },
    reports: { operations: costOperations, metrics: async () => [], isReady: () => true, stop: async () => {} },
    spool: { keep: unused, pathOf: () => '', has: unused, remove: unused, sweep: unused },
    gatewayErrors: loadGatewayErrors(undefined),
    ruleData: loadRuleData({ routingKeys: undefined, eligibility: undefined }),
    debitData: loadDebitData({ networkFees: undefined, binTable: undefined }),
    deploymentRates: [],
    keys: { vault: createFileKeyVault('no-folder'), secrets: ['s'.repeat(32)] },
    mailer: { send: async () => {} },
    report: silent,
    metrics: createMetrics(),
    logger: { error: (fields, text) => logger.error(fields, text) },
    onFailure: (error) => {
      throw error
    },
    onListening: (address) => {
      url = address
    },
  })
  lifecycle = createLifecycle(parts, silent)
  await lifecycle.start()
})
afterEach(() => lifecycle.stop())

const createMerchant = (headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  fetch(`${url}/merchant-account/create`, { method: 'POST', headers: { ...admin, ...headers }, body: '{"merchant_id":"m_1"}' })

const createKey = async (): Promise<string> => {
  const [, key = ''] = /"api_key":"([^"]+)"/.exec(await (await createMerchant()).text()) ?? []
  return key
}

describe('log lines of failed requests', () => {
  test('a log that is away: 503, with the request id, the message and the stack of the failure', async () => {
    log.faults.failNextAppends(1)
    expect((await createMerchant({ 'x-request-id': 'find-me' })).status).toBe(503)
    expect(lines).toHaveLength(1)
    const { requestId, status, err, msg } = JSON.parse(lines[0] ?? '')
    expect([requestId, status, msg]).toEqual(['find-me', 503, 'request failed'])
    expect(err).toMatchObject({ code: 'LOG_UNAVAILABLE', message: expect.stringContaining('the log is away') })
    expect(err.stack).toContain('faults.ts')
  })

  test.each([
    ['/analytics/overview', 503, 'the store is away'],
    ['/analytics/gateway-scores', 500, 'a bug in a query'],
  ])('%s that fails: %i, and the log tells why', async (path, status, message) => {
    const key = await createKey()
    const headers = { 'x-api-key': key, 'x-tenant-id': 'public', 'x-request-id': 'find-me' }
    const response = await fetch(url + path, { headers })
    expect(response.status).toBe(status)
    expect(await response.text()).not.toContain(message)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ requestId: 'find-me', status, err: expect.objectContaining({ message, stack: expect.any(String) }) }),
    ])
  })

  test('a report that the log does not take: 503, and the log tells why', async () => {
    const key = await createKey()
    takesPayments = false
    const body = JSON.stringify({ merchantId: 'm_1', gateway: 'adyen', paymentId: 'p_1', status: 'CHARGED' })
    const headers = { 'x-api-key': key, 'x-request-id': 'find-me' }
    expect((await fetch(`${url}/update-gateway-score`, { method: 'POST', headers, body })).status).toBe(503)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ requestId: 'find-me', status: 503, err: expect.objectContaining({ message: 'the disk is full' }) }),
    ])
  })
})
