import { beforeAll, describe, expect, test } from '@jest/globals'
import { call, createMerchant, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeAll(async () => {
  merchant = await createMerchant(server.url)
})

const rule = (operation: string, body: object) =>
  call(server.url, `POST /rule/${operation}`, { body: { merchant_id: merchant.id, ...body }, headers: merchant.key })

describe('feature flags', () => {
  const slugs = [
    'gsm-scoring-filter',
    'explore-exploit-srv3',
    'ab-test-real-payments',
    'multi-objective-routing',
    'elimination',
    'auto-calibration',
    'autopilot',
  ]

  test('all off at first, in their order; a toggle shows at once and moves no other', async () => {
    const path = `/merchant-account/${merchant.id}/features`
    const off = slugs.map((feature) => ({ feature, enabled: false }))
    expect((await call(server.url, `GET ${path}`, { headers: merchant.key })).json).toEqual({ merchant_id: merchant.id, features: off })
    for (const enabled of [true, true, false]) {
      const answer = await call(server.url, `POST ${path}/auto-calibration`, { body: { enabled }, headers: merchant.key })
      const expected = slugs.map((feature) => ({ feature, enabled: feature === 'auto-calibration' && enabled }))
      expect(answer).toMatchObject({ status: 200, json: { merchant_id: merchant.id, features: expected } })
      expect((await call(server.url, `GET ${path}`, { headers: merchant.key })).json.features).toEqual(expected)
    }
  })

  test.each([
    ['an unknown slug', 'no-such-flag', { enabled: true }, 400, 'Invalid merchant account configuration'],
    ['no body member', 'autopilot', {}, 422, 'enabled'],
    ['a text for a boolean', 'autopilot', { enabled: 'yes' }, 422, 'enabled'],
  ])('%s is refused', async (_name, slug, body, status, message) => {
    const answer = await call(server.url, `POST /merchant-account/${merchant.id}/features/${slug}`, { body, headers: merchant.key })
    expect(answer).toMatchObject({ status, json: { message: expect.stringContaining(message) } })
  })

  test('the debit flag reads false, is set, and is set back', async () => {
    const path = `/merchant-account/${merchant.id}/debit-routing`
    expect((await call(server.url, `GET ${path}`, { headers: merchant.key })).json).toEqual({
      merchant_id: merchant.id,
      debit_routing_enabled: false,
    })
    for (const enabled of [true, false]) {
      const expected = { merchant_id: merchant.id, debit_routing_enabled: enabled }
      expect((await call(server.url, `POST ${path}`, { body: { enabled }, headers: merchant.key })).json).toEqual(expected)
      expect((await call(server.url, `GET ${path}`, { headers: merchant.key })).json).toEqual(expected)
    }
  })
})

describe('success-rate configuration', () => {
  test('not found, created, read with every member, replaced as a whole, deleted, not found', async () => {
    const get = () => rule('get', { algorithm: 'successRate' })
    const missing = { code: 'TE_04', message: 'Rule configuration not found', data: null }
    expect(await get()).toMatchObject({ status: 404, json: missing })
    const data = {
      defaultBucketSize: 160,
      subLevelInputConfig: [{ paymentMethodType: 'CARD', currency: 'EUR', hedgingPercent: 8 }],
      defaultSuccessRate: 0.5,
    }
    const created = await rule('create', { config: { type: 'successRate', data } })
    const config = {
      type: 'successRate',
      data: {
        defaultLatencyThreshold: null,
        defaultBucketSize: 160,
        defaultHedgingPercent: null,
        defaultLowerResetFactor: null,
        defaultUpperResetFactor: null,
        defaultGatewayExtraScore: null,
        subLevelInputConfig: [
          {
            paymentMethodType: 'CARD',
            paymentMethod: null,
            currency: 'EUR',
            latencyThreshold: null,
            bucketSize: null,
            hedgingPercent: 8,
            lowerResetFactor: null,
            upperResetFactor: null,
            gatewayExtraScore: null,
          },
        ],
        margin: null,
      },
    }
    expect(created.json).toEqual({ message: 'Success Rate Configuration created successfully', merchant_id: merchant.id, config })
    expect((await get()).json).toEqual({ merchant_id: merchant.id, config })
    expect(await rule('create', { config: { type: 'successRate', data } })).toMatchObject({
      status: 400,
      json: { message: 'Rule configuration already exists' },
    })
    const updated = await rule('update', { config: { type: 'successRate', data: { defaultHedgingPercent: 5 } } })
    expect(updated.json.config.data).toMatchObject({ defaultBucketSize: null, defaultHedgingPercent: 5, subLevelInputConfig: null })
    expect((await rule('delete', { algorithm: 'successRate' })).json).toEqual({
      message: 'Success Rate Configuration deleted successfully',
      merchant_id: merchant.id,
    })
    expect((await get()).status).toBe(404)
    expect((await rule('delete', { algorithm: 'successRate' })).status).toBe(404)
    expect((await rule('update', { config: { type: 'successRate', data: {} } })).status).toBe(404)
  })

  test.each([
    ['defaultBucketSize', 0],
    ['defaultBucketSize', 20.5],
    ['defaultHedgingPercent', 101],
    ['defaultHedgingPercent', -1],
    ['defaultLatencyThreshold', -5],
    ['margin', -0.1],
  ])('%s = %s is refused, by name, and nothing is stored', async (field, value) => {
    const answer = await rule('create', { config: { type: 'successRate', data: { [field]: value } } })
    expect([400, 422]).toContain(answer.status)
    expect(answer.json.message).toContain(field)
    expect((await rule('get', { algorithm: 'successRate' })).status).toBe(404)
  })

  test('a client can not forge a machine-written entry', async () => {
    const forged = { subLevelInputConfig: [{ paymentMethodType: 'CARD', bucketSize: 10, source: 'autopilot' }] }
    expect((await rule('create', { config: { type: 'successRate', data: forged } })).status).toBe(400)
  })
})

describe('elimination configuration', () => {
  test('create and update both set it; 404 when absent', async () => {
    expect((await rule('get', { algorithm: 'elimination' })).status).toBe(404)
    for (const [operation, threshold] of [
      ['update', 0.3],
      ['create', 0.4],
    ] as const) {
      const answer = await rule(operation, { config: { type: 'elimination', data: { threshold, txnLatency: { gatewayLatency: 5000 } } } })
      expect(answer.json).toEqual({
        message: `Elimination Configuration ${operation}d successfully`,
        merchant_id: merchant.id,
        config: { type: 'elimination', data: { threshold, txnLatency: { gatewayLatency: 5000 } } },
      })
    }
    expect((await rule('get', { algorithm: 'elimination' })).json.config.data.threshold).toBe(0.4)
    expect((await rule('create', { config: { type: 'elimination', data: { threshold: 1.5 } } })).json.message).toContain('threshold')
    expect((await rule('delete', { algorithm: 'elimination' })).status).toBe(200)
    expect((await rule('delete', { algorithm: 'elimination' })).status).toBe(404)
  })

  test.each([
    ['an unknown type', 'create', { config: { type: 'magic', data: {} } }, 422],
    ['no data', 'create', { config: { type: 'elimination' } }, 422],
    ['an unknown algorithm', 'get', { algorithm: 'magic' }, 422],
    ['nothing', 'get', {}, 422],
  ])('%s is refused', async (_name, operation, body, status) => {
    expect((await rule(operation, body)).status).toBe(status)
  })

  test('an unknown merchant is 404', async () => {
    expect(await rule('get', { merchant_id: 'nobody', algorithm: 'elimination' })).toMatchObject({
      status: 404,
      json: { message: 'MerchantId not found' },
    })
  })
})
