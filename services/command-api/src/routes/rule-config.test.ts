import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import type { RouteReply } from '@switchyard/http'
import { debitRouting, debitRoutingDefaults, eliminationSettings, featureFlags, successRateScoring } from '@switchyard/routing'
import { featureFlagRoutes } from './feature-flags.ts'
import { ruleConfigRoutes } from './rule-config.ts'
import { SAMPLE_MERCHANT as merchantId, type SampleRoutes, startSampleRoutes } from './sample-routes.fixture.ts'

const slices = [featureFlags, debitRouting, successRateScoring, eliminationSettings, debitRoutingDefaults]

let routes: SampleRoutes

beforeEach(async () => {
  routes = await startSampleRoutes(slices, (dependencies) => [...featureFlagRoutes(dependencies), ...ruleConfigRoutes(dependencies)])
})

afterEach(() => routes.stop())

const call: SampleRoutes['call'] = (pattern, sent) => routes.call(pattern, sent)
const failure = (status: number, message: string): object => ({ status, body: { code: 'TE_04', message, data: null } })
const position = expect.stringMatching(/^config-\d+-\d+$/)

describe('flags', () => {
  const feature = async (slug: string, body: unknown): Promise<RouteReply> =>
    await call('POST /merchant-account/:merchantId/features/:feature', { params: { feature: slug }, body })
  const slugs = [
    'gsm-scoring-filter',
    'explore-exploit-srv3',
    'ab-test-real-payments',
    'multi-objective-routing',
    'elimination',
    'auto-calibration',
    'autopilot',
  ]
  const features = (on: string): object => ({
    merchant_id: merchantId,
    features: slugs.map((slug) => ({ feature: slug, enabled: slug === on })),
  })

  test('a toggle answers the list, which the next read shows', async () => {
    expect(await feature('elimination', { enabled: true })).toEqual({
      status: 200,
      body: features('elimination'),
      headers: { 'x-log-position': position },
    })
    expect(await call('GET /merchant-account/:merchantId/features')).toEqual({ status: 200, body: features('elimination') })
    expect((await feature('elimination', { enabled: false })).body).toEqual(features(''))
  })
  test('unknown feature, wrong body, unknown merchant', async () => {
    expect(await feature('teleport', { enabled: true })).toEqual(failure(400, 'Invalid merchant account configuration'))
    expect(await feature('elimination', { enabled: 'yes' })).toMatchObject({ status: 422 })
    const params = { merchantId: 'm_9' }
    expect(await call('GET /merchant-account/:merchantId/features', { params })).toEqual(failure(404, 'MerchantId not found'))
    expect(await call('GET /merchant-account/:merchantId/debit-routing', { params })).toEqual(failure(404, 'MerchantId not found'))
  })
  test('debit routing is off until it is switched on', async () => {
    const path = '/merchant-account/:merchantId/debit-routing'
    expect((await call(`GET ${path}`)).body).toEqual({ merchant_id: merchantId, debit_routing_enabled: false })
    expect((await call(`POST ${path}`, { body: { enabled: true } })).body).toEqual({ merchant_id: merchantId, debit_routing_enabled: true })
    expect((await call(`GET ${path}`)).body).toEqual({ merchant_id: merchantId, debit_routing_enabled: true })
  })
})

describe('rule configuration', () => {
  const put = async (action: 'create' | 'update', type: string, data: object): Promise<RouteReply> =>
    await call(`POST /rule/${action}`, { body: { merchant_id: merchantId, config: { type, data } } })
  const ask = async (action: 'get' | 'delete', algorithm: string): Promise<RouteReply> =>
    await call(`POST /rule/${action}`, { body: { merchant_id: merchantId, algorithm } })

  test('success rate: created, read, replaced as a whole, deleted', async () => {
    const entry = { paymentMethodType: 'CARD', currency: 'EUR', hedgingPercent: 8 }
    const created = await put('create', 'successRate', { defaultBucketSize: 160, defaultSuccessRate: 0.5, subLevelInputConfig: [entry] })
    const config =
      '{"type":"successRate","data":{"defaultLatencyThreshold":null,"defaultBucketSize":160,"defaultHedgingPercent":null,"defaultLowerResetFactor":null,"defaultUpperResetFactor":null,"defaultGatewayExtraScore":null,"subLevelInputConfig":[{"paymentMethodType":"CARD","paymentMethod":null,"currency":"EUR","latencyThreshold":null,"bucketSize":null,"hedgingPercent":8,"lowerResetFactor":null,"upperResetFactor":null,"gatewayExtraScore":null}],"margin":null}}'
    expect(JSON.stringify(created.body)).toBe(
      `{"message":"Success Rate Configuration created successfully","merchant_id":"${merchantId}","config":${config}}`,
    )
    expect(JSON.stringify((await ask('get', 'successRate')).body)).toBe(`{"merchant_id":"${merchantId}","config":${config}}`)
    expect(await put('create', 'successRate', {})).toEqual(failure(400, 'Rule configuration already exists'))
    await put('update', 'successRate', { defaultBucketSize: 240, defaultHedgingPercent: 5 })
    expect((await ask('get', 'successRate')).body).toMatchObject({
      config: { data: { defaultBucketSize: 240, defaultHedgingPercent: 5, subLevelInputConfig: null } },
    })
    expect((await ask('delete', 'successRate')).body).toEqual({
      message: 'Success Rate Configuration deleted successfully',
      merchant_id: merchantId,
    })
    for (const action of ['get', 'delete'] as const) {
      expect(await ask(action, 'successRate')).toEqual(failure(404, 'Rule configuration not found'))
    }
    expect(await put('update', 'successRate', {})).toEqual(failure(404, 'Rule configuration not found'))
  })

  test('elimination is overwritten by create and update alike', async () => {
    for (const action of ['update', 'create', 'update'] as const) {
      expect((await put(action, 'elimination', { threshold: 0.4 })).body).toMatchObject({
        message: `Elimination Configuration ${action}d successfully`,
        config: { type: 'elimination', data: { threshold: 0.4, txnLatency: null } },
      })
    }
    await put('update', 'elimination', { threshold: 0.4, txnLatency: { gatewayLatency: 900 } })
    expect((await ask('get', 'elimination')).body).toMatchObject({ config: { data: { txnLatency: { gatewayLatency: 900 } } } })
    expect(await ask('delete', 'elimination')).toMatchObject({ status: 200 })
    expect(await ask('delete', 'elimination')).toEqual(failure(404, 'Rule configuration not found'))
  })

  test('debit routing defaults', async () => {
    const data = { merchantCategoryCode: '5411', acquirerCountry: 'US' }
    expect((await put('create', 'debitRouting', data)).body).toEqual({
      message: 'Debit Routing Configuration created successfully',
      merchant_id: merchantId,
      config: { type: 'debitRouting', data },
    })
    expect((await ask('get', 'debitRouting')).body).toEqual({ merchant_id: merchantId, config: { type: 'debitRouting', data } })
  })

  test.each([
    ['subLevelInputConfig', 'paymentMethodType', 500],
    ['defaultGatewayExtraScore', 'gatewayName', 200],
  ])('a %s that is too long is not looked at to its end', async (field, member, countMax) => {
    const looked: number[] = []
    const entryOf = (_: unknown, i: number): object => {
      const get = (): string => {
        looked.push(i)
        return 'a'
      }
      return Object.defineProperty({ gatewaySigmaFactor: 1 }, member, { get })
    }
    expect(await put('create', 'successRate', { [field]: Array.from({ length: 1_000 }, entryOf) })).toEqual(
      failure(400, `Invalid routing rule configuration: ${field} must be a list of at most ${countMax} entries`),
    )
    expect(Math.max(...looked)).toBe(countMax)
  })

  test('values outside their range name the field, misfits are 422', async () => {
    expect(await put('create', 'successRate', { defaultHedgingPercent: 500 })).toEqual(
      failure(400, 'Invalid routing rule configuration: defaultHedgingPercent must be a number from 0 to 100'),
    )
    expect(await put('create', 'debitRouting', { merchantCategoryCode: '5411', acquirerCountry: 'us' })).toEqual(
      failure(400, 'Invalid routing rule configuration: acquirerCountry must be an ISO 3166 alpha-2 code in upper case'),
    )
    const forged = { subLevelInputConfig: [{ paymentMethodType: 'CARD', source: 'autopilot' }] }
    expect(await put('create', 'successRate', forged)).toMatchObject({ status: 400 })
    expect(await put('create', 'successRate', { defaultBucketSize: 20.5 })).toMatchObject({ status: 422 })
    expect(await put('create', 'elimination', {})).toMatchObject({ status: 422 })
    expect(await put('create', 'somethingElse', {})).toMatchObject({ status: 422 })
    expect(await call('POST /rule/get', { body: {} })).toMatchObject({ status: 422 })
    const unknown = { body: { merchant_id: 'm_9', algorithm: 'elimination' } }
    expect(await call('POST /rule/get', unknown)).toEqual(failure(404, 'MerchantId not found'))
    expect(await call('POST /rule/delete', unknown)).toEqual(failure(404, 'MerchantId not found'))
  })
})
