import { beforeEach, describe, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const decide = (paymentId: string, change: object = {}, payment: object = {}) =>
  call(server.url, 'POST /decide-gateway', { body: decisionRequest(merchant.id, paymentId, change, payment), headers: merchant.key })
const report = (paymentId: string, gateway: string, status: string, headers: Readonly<Record<string, string>> = {}) =>
  call(server.url, 'POST /update-gateway-score', {
    body: { merchantId: merchant.id, gateway, paymentId, status },
    headers: { ...merchant.key, ...headers },
  })
const configure = (data: object) =>
  call(server.url, 'POST /rule/create', {
    body: { merchant_id: merchant.id, config: { type: 'successRate', data } },
    headers: merchant.key,
  })
const score = async (gateway: string, change: object = {}): Promise<number> =>
  (await decide(`probe_${Math.random()}`, change)).json.gateway_priority_map[gateway]
const expectScored = (gateway: string, value: number) =>
  eventually(
    `score ${value} of ${gateway}`,
    () => decide(`probe_${Math.random()}`),
    ({ json }) => Math.abs(json.gateway_priority_map[gateway] - value) < 1e-12,
  )

describe('success-rate decisions', () => {
  test('every member of the answer is there, with neutral values for what is off', async () => {
    await configure({ defaultHedgingPercent: 0 })
    const { status, json } = await decide('p_1')
    expect(status).toBe(200)
    expect(json).toEqual({
      decided_gateway: expect.stringMatching(/^(stripe|adyen|checkout)$/),
      fallback_gateways: expect.any(Array),
      gateway_priority_map: { stripe: 1, adyen: 1, checkout: 1 },
      filter_wise_gateways: null,
      priority_logic_tag: null,
      routing_approach: 'SR_SELECTION_V3_ROUTING',
      gateway_before_evaluation: json.decided_gateway,
      priority_logic_output: {
        isEnforcement: false,
        gws: ['stripe', 'adyen', 'checkout'],
        priorityLogicTag: null,
        gatewayReferenceIds: {},
        primaryLogic: null,
        fallbackLogic: null,
      },
      debit_routing_output: null,
      reset_approach: 'NO_RESET',
      routing_dimension: 'ORDER_PAYMENT, CARD, CREDIT, CREDIT',
      routing_dimension_level: 'CARD_LEVEL',
      is_scheduled_outage: false,
      is_dynamic_mga_enabled: false,
      gateway_mga_id_map: null,
      is_rust_based_decider: true,
      latency: expect.any(Number),
      multi_objective_info: null,
    })
    expect(new Set([json.decided_gateway, ...json.fallback_gateways])).toEqual(new Set(['stripe', 'adyen', 'checkout']))
  })

  test('the same request on the same state gives the same answer; cold starts spread', async () => {
    const again = await Promise.all(Array.from({ length: 3 }, () => decide('p_same')))
    expect(new Set(again.map(({ json }) => json.decided_gateway)).size).toBe(1)
    const many = await Promise.all(Array.from({ length: 60 }, (_, i) => decide(`p_${i}`)))
    expect(new Set(many.map(({ json }) => json.decided_gateway)).size).toBe(3)
  })

  test('one candidate is DEFAULT, a preference among one is MERCHANT_PREFERENCE, none is an error', async () => {
    const one = await decide('p1', { eligibleGatewayList: ['stripe'] })
    expect(one.json).toMatchObject({
      decided_gateway: 'stripe',
      routing_approach: 'DEFAULT',
      gateway_priority_map: { stripe: 1 },
      fallback_gateways: [],
    })
    const preferred = await decide('p2', { eligibleGatewayList: ['stripe'] }, { preferredGateway: 'stripe' })
    expect(preferred.json).toMatchObject({ routing_approach: 'MERCHANT_PREFERENCE', routing_dimension: null, priority_logic_output: null })
    for (const eligibleGatewayList of [null, [], undefined]) {
      const none = await decide('p3', { eligibleGatewayList })
      expect(none).toMatchObject({
        status: 400,
        json: { error_code: 'invalid_request_error', routing_approach: 'NONE', error_info: { code: 'GATEWAY_NOT_FOUND' } },
      })
    }
  })

  test('the hedging share explores: true scores in the map, only the label tells', async () => {
    await configure({ defaultHedgingPercent: 100 })
    const answer = await decide('p1')
    expect(answer.json).toMatchObject({ routing_approach: 'SR_V3_HEDGING', gateway_priority_map: { stripe: 1, adyen: 1, checkout: 1 } })
  })

  test.each([
    ['no paymentInfo', { paymentInfo: undefined }, {}, 'paymentInfo'],
    ['no payment id', {}, { paymentId: undefined }, 'paymentId'],
    ['an amount that is text', {}, { amount: '12' }, 'amount'],
    ['an unknown currency', {}, { currency: 'eur' }, 'currency'],
    ['an unknown payment type', {}, { paymentType: 'GIFT' }, 'paymentType'],
    ['an unknown algorithm', { rankingAlgorithm: 'BEST' }, {}, 'rankingAlgorithm'],
    ['a candidate that is a number', { eligibleGatewayList: [1] }, {}, 'eligibleGatewayList'],
    ['a payment id of 65 characters', {}, { paymentId: 'p'.repeat(65) }, 'paymentId'],
  ])('%s is refused in the decision envelope, by name', async (_name, change, payment, field) => {
    const base = decisionRequest(merchant.id, 'p1', {}, payment)
    const answer = await call(server.url, 'POST /decide-gateway', { body: { ...base, ...change }, headers: merchant.key })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({
      status: '400',
      error_code: '400',
      error_message: 'Error parsing request',
      priority_logic_tag: null,
      routing_approach: null,
      filter_wise_gateways: null,
      error_info: {
        code: 'INVALID_INPUT',
        user_message: 'Invalid request params. Please verify your input.',
        developer_message: expect.stringContaining(field),
      },
      priority_logic_output: null,
      is_dynamic_mga_enabled: false,
    })
  })

  test('broken JSON with any content type, an unknown merchant, network routing while debit is off', async () => {
    const broken = await call(server.url, 'POST /decide-gateway', {
      body: '{"merchantId',
      headers: { ...merchant.key, 'content-type': 'text/plain' },
    })
    expect(broken).toMatchObject({ status: 400, json: { error_info: { code: 'INVALID_INPUT' } } })
    const unknown = await call(server.url, 'POST /decide-gateway', { body: decisionRequest('nobody', 'p1'), headers: merchant.key })
    expect(unknown).toMatchObject({ status: 400, json: { status: 'Invalid Request', error_info: { code: 'MERCHANT_NOT_FOUND' } } })
    const network = await decide('p1', { rankingAlgorithm: 'NTW_BASED_ROUTING' })
    expect(network).toMatchObject({
      status: 400,
      json: { status: 'Forbidden', error_code: 'debit_routing_not_enabled', error_info: { code: 'TE_05' } },
    })
  })
})

describe('outcomes', () => {
  test('the worked window of five: F F S', async () => {
    await configure({ defaultBucketSize: 5, defaultHedgingPercent: 0 })
    const expected = [0.8, 0.6, 0.6]
    for (const [i, status] of ['FAILURE', 'AUTHORIZATION_FAILED', 'CHARGED'].entries()) {
      await decide(`p_${i}`)
      const answer = await report(`p_${i}`, 'adyen', status)
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({
        message: 'Gateway score updated successfully',
        merchant_id: merchant.id,
        gateway: 'adyen',
        payment_id: `p_${i}`,
      })
      expect(answer.headers.get('x-log-position')).toBeTruthy()
      await expectScored('adyen', expected[i] ?? 0)
    }
    expect((await decide('p_next')).json.decided_gateway).not.toBe('adyen')
  })

  test('counted once, a success corrects a failure, a failure does not undo a success', async () => {
    await configure({ defaultBucketSize: 10, defaultHedgingPercent: 0 })
    await decide('p_1')
    for (let i = 0; i < 3; i++) await report('p_1', 'stripe', 'DECLINED')
    await expectScored('stripe', 0.9)
    await report('p_1', 'stripe', 'CHARGED')
    await expectScored('stripe', 1)
    await report('p_1', 'stripe', 'FAILURE')
    await decide('p_2')
    await report('p_2', 'stripe', 'FAILURE')
    await expectScored('stripe', 0.9)
  })

  test('a decision that is asked again does not let its gateway count twice', async () => {
    await configure({ defaultBucketSize: 10, defaultHedgingPercent: 0 })
    for (let i = 0; i < 2; i++) {
      await decide('p_1')
      await report('p_1', 'stripe', 'FAILURE')
    }
    await decide('p_2')
    await report('p_2', 'adyen', 'FAILURE')
    await expectScored('adyen', 0.9)
    expect(await score('stripe')).toBe(0.9)
  })

  test('an unknown payment, a foreign gateway and a fresh pending report change no score', async () => {
    await configure({ defaultBucketSize: 10, defaultHedgingPercent: 0 })
    await decide('p_1')
    expect((await report('p_unknown', 'stripe', 'FAILURE')).status).toBe(200)
    await report('p_1', 'elsewhere', 'FAILURE')
    await report('p_1', 'stripe', 'PENDING')
    await decide('p_2')
    await report('p_2', 'adyen', 'FAILURE')
    await expectScored('adyen', 0.9)
    expect(await score('stripe')).toBe(1)
    expect(await score('elsewhere')).toBeUndefined()
  })

  test('strict: an unknown payment is 404', async () => {
    expect((await report('p_unknown', 'stripe', 'CHARGED', { 'x-strict': 'true' })).status).toBe(404)
  })

  test('merchants and dimensions do not mix', async () => {
    await configure({ defaultBucketSize: 10, defaultHedgingPercent: 0 })
    await decide('p_1')
    await report('p_1', 'stripe', 'FAILURE')
    await expectScored('stripe', 0.9)
    const debit = await decide('p_2', {}, { paymentMethod: 'DEBIT' })
    expect(debit.json.gateway_priority_map.stripe).toBe(1)
    const other = await createMerchant(server.url)
    const theirs = await call(server.url, 'POST /decide-gateway', { body: decisionRequest(other.id, 'p_1'), headers: other.key })
    expect(theirs.json.gateway_priority_map.stripe).toBe(1)
  })

  test.each([
    ['a lower-case status', { status: 'charged' }, 'status'],
    ['no gateway', { gateway: undefined }, 'gateway'],
    ['no payment id', { paymentId: undefined }, 'paymentId'],
    ['an errorInfo without its connector', { errorInfo: { errorCode: 'x' } }, 'connector'],
  ])('%s is refused in the decision envelope', async (_name, change, field) => {
    const body = { merchantId: merchant.id, gateway: 'stripe', paymentId: 'p_1', status: 'CHARGED', ...change }
    const answer = await call(server.url, 'POST /update-gateway-score', { body, headers: merchant.key })
    expect(answer).toMatchObject({
      status: 400,
      json: { error_info: { code: 'INVALID_INPUT', developer_message: expect.stringContaining(field) } },
    })
  })
})
