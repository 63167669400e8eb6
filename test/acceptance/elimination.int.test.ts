import { beforeEach, describe, expect, test } from '@jest/globals'
import { type Answer, call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

// Probes without waiting: the pace of the calls is that of the market.
const server = useServer({ SWITCHYARD_DOWNTIME_PROBE_INTERVAL_MS: '0', SWITCHYARD_DOWNTIME_PROBE_PAYMENT_COUNT: '20' })
let merchant: TestMerchant
let paymentCount = 0
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const ALL = ['stripe', 'adyen', 'checkout']
const post = (path: string, body: object): Promise<Answer> => call(server.url, `POST ${path}`, { body, headers: merchant.key })
const decide = (change: object = {}, payment: object = {}): Promise<Answer> =>
  post('/decide-gateway', decisionRequest(merchant.id, `pay_${++paymentCount}`, { eliminationEnabled: true, ...change }, payment))
const configure = (type: string, data: object): Promise<Answer> =>
  post('/rule/create', { merchant_id: merchant.id, config: { type, data } })
const hedge = (percent: number): Promise<Answer> => configure('successRate', { defaultBucketSize: 50, defaultHedgingPercent: percent })
const enable = (feature: string): Promise<Answer> => post(`/merchant-account/${merchant.id}/features/${feature}`, { enabled: true })

/** Payments at one gateway, one for each letter; the next decision has learned from them. */
const pay = async (gateway: string, outcomes: string, txnLatency: object | null = null): Promise<string[]> => {
  const ids: string[] = []
  let position = ''
  for (const letter of outcomes) {
    const paymentId = `pay_${++paymentCount}`
    ids.push(paymentId)
    await post('/decide-gateway', decisionRequest(merchant.id, paymentId, { eliminationEnabled: false }))
    const status = letter === 'S' ? 'CHARGED' : 'FAILURE'
    const answer = await post('/update-gateway-score', { merchantId: merchant.id, gateway, paymentId, status, txnLatency })
    position = answer.headers.get('x-log-position') ?? ''
  }
  const seen = { ...merchant.key, 'x-min-log-position': position }
  await call(server.url, 'POST /decide-gateway', { body: decisionRequest(merchant.id, `pay_${++paymentCount}`), headers: seen })
  return ids
}

const FAILED = 'F'.repeat(8)

describe('elimination', () => {
  test('a gateway that is down comes last, shows a fifth of its score, and the label tells it', async () => {
    await hedge(0)
    await pay('checkout', FAILED)
    await pay('adyen', 'F')
    const { json } = await decide()
    expect(json).toMatchObject({
      decided_gateway: 'stripe',
      fallback_gateways: ['adyen', 'checkout'],
      routing_approach: 'SR_V3_DOWNTIME_ROUTING',
      gateway_before_evaluation: 'stripe',
      gateway_priority_map: { stripe: 1, adyen: 0.98, checkout: 0.168 },
    })
  })

  test('the request decides, else the flag', async () => {
    await hedge(0)
    await pay('stripe', FAILED)
    const labels = async (): Promise<string[]> =>
      Promise.all([null, false, true].map(async (eliminationEnabled) => (await decide({ eliminationEnabled })).json.routing_approach))
    expect(await labels()).toEqual(['SR_SELECTION_V3_ROUTING', 'SR_SELECTION_V3_ROUTING', 'SR_V3_DOWNTIME_ROUTING'])
    await enable('elimination')
    expect(await labels()).toEqual(['SR_V3_DOWNTIME_ROUTING', 'SR_SELECTION_V3_ROUTING', 'SR_V3_DOWNTIME_ROUTING'])
  })

  test('all down, by success rate and by list; another kind of payment knows nothing of it', async () => {
    await hedge(0)
    for (const gateway of ALL) await pay(gateway, FAILED)
    expect((await decide()).json).toMatchObject({
      routing_approach: 'SR_V3_ALL_DOWNTIME_ROUTING',
      gateway_priority_map: { stripe: 0.168, adyen: 0.168, checkout: 0.168 },
    })
    expect((await decide({ rankingAlgorithm: 'PL_BASED_ROUTING' })).json).toMatchObject({
      decided_gateway: 'stripe',
      routing_approach: 'PL_ALL_DOWNTIME_ROUTING',
      gateway_priority_map: { stripe: 0.2, adyen: 0.18, checkout: 0.16 },
    })
    expect((await decide({}, { cardType: 'DEBIT' })).json.routing_approach).toBe('SR_SELECTION_V3_ROUTING')
    const single = await decide({ eligibleGatewayList: ['adyen'] })
    expect(single.json).toMatchObject({ routing_approach: 'DEFAULT', gateway_priority_map: { adyen: 0.2 }, fallback_gateways: [] })
  })

  test('with exploration: the labels of hedging, and never the gateway that is down', async () => {
    await hedge(100)
    await pay('checkout', FAILED)
    await pay('adyen', 'F')
    expect((await decide()).json).toMatchObject({ decided_gateway: 'adyen', routing_approach: 'SR_V3_DOWNTIME_HEDGING' })
    await pay('stripe', FAILED)
    await pay('adyen', FAILED)
    expect((await decide()).json.routing_approach).toBe('SR_V3_ALL_DOWNTIME_HEDGING')
  })

  test('by list the first one down leaves its place to the second', async () => {
    await pay('stripe', FAILED)
    expect((await decide({ rankingAlgorithm: 'PL_BASED_ROUTING' })).json).toMatchObject({
      decided_gateway: 'adyen',
      gateway_before_evaluation: 'stripe',
      routing_approach: 'PL_DOWNTIME_ROUTING',
      gateway_priority_map: { stripe: 0.2, adyen: 0.9, checkout: 0.8 },
    })
  })

  test('one payment in a while tries it, and three successes bring it back; the audit tells both', async () => {
    await hedge(0)
    const failed = await pay('checkout', FAILED)
    for (let n = 0; n < 20; n++) await decide()
    const probe = await eventually(
      'a probe',
      () => decide(),
      ({ json }) => json.decided_gateway === 'checkout',
    )
    expect(probe.json.routing_approach).toBe('SR_V3_DOWNTIME_HEDGING')
    const back = await pay('checkout', 'SSS')
    expect((await decide()).json.routing_approach).toBe('SR_SELECTION_V3_ROUTING')
    const healthOf = async (paymentId: string | undefined): Promise<unknown> => {
      const ask = () =>
        call(server.url, `GET /analytics/payment-audit?payment_id=${paymentId}`, { headers: { ...merchant.key, 'x-tenant-id': 'public' } })
      const { text } = await eventually('the audit', ask, (answer) => answer.text.includes('gateway_health'))
      return /"gateway_health":"?(\w+)"?/.exec(text.replaceAll('\\"', '"'))?.[1]
    }
    expect([await healthOf(failed.at(-1)), await healthOf(back.at(-1))]).toEqual(['down', 'up'])
  })

  test('a success slower than the limit counts as a success and is counted apart', async () => {
    await hedge(0)
    await configure('elimination', { threshold: 0.05, txnLatency: { gatewayLatency: 4_000 } })
    await pay('adyen', 'SSF', { gatewayLatency: 4_001 })
    await pay('adyen', 'S', { gatewayLatency: 4_000 })
    expect((await decide()).json.gateway_priority_map.adyen).toBe(0.98)
    const ask = () => call(server.url, 'GET /analytics/gateway-scores?range=1h', { headers: { ...merchant.key, 'x-tenant-id': 'public' } })
    const scores = await eventually('the scores', ask, ({ json }) => json.snapshots?.[0]?.transaction_count === 4)
    expect(scores.json.snapshots[0]).toMatchObject({ gateway: 'adyen', slow_count: 2, score_value: 0.98 })
  })
})

describe('adaptive windows', () => {
  test('with the flag a gateway that was bad is believed after a few successes', async () => {
    await hedge(0)
    await enable('explore-exploit-srv3')
    await pay('adyen', 'FFSFFSFFS')
    expect((await decide()).json.gateway_priority_map.adyen).toBeCloseTo(9 / 15, 12)
    await pay('adyen', 'SSSSS')
    expect((await decide()).json.gateway_priority_map.adyen).toBe(1)
  })
})

describe('extra dimensions', () => {
  const dimensions = (paymentInfo: object, id = merchant.id): Promise<Answer> =>
    post('/config-sr-dimension', { merchant_id: id, paymentInfo })
  const stored = (id = merchant.id): Promise<Answer> => call(server.url, `GET /config-sr-dimension/${id}`, { headers: merchant.key })

  test('are stored, read back, and tell windows apart from the next decision on', async () => {
    await hedge(0)
    expect((await stored()).json).toEqual({ merchant_id: merchant.id, paymentInfo: { udfs: [], fields: null } })
    const answer = await dimensions({ udfs: [1], fields: ['currency', 'card_network'] })
    expect(answer).toMatchObject({ status: 200, json: 'SR Dimension configuration updated successfully' })
    expect((await stored()).json).toEqual({ merchant_id: merchant.id, paymentInfo: { udfs: [1], fields: ['currency', 'card_network'] } })
    await pay('adyen', 'F')
    const score = async (payment: object): Promise<number> => (await decide({}, payment)).json.gateway_priority_map.adyen
    expect(await score({})).toBe(0.98)
    expect(await Promise.all([score({ currency: 'USD' }), score({ cardSwitchProvider: 'AMEX' }), score({ udfs: [null, 'gold'] })])).toEqual(
      [1, 1, 1],
    )
    expect(await score({ country: 'FR' })).toBe(0.98)
  })

  test.each([
    [
      'an unknown field',
      { udfs: [], fields: ['currency', 'colour'] },
      400,
      'Invalid dimensions: ["colour"]. Valid dimensions are: currency, ',
    ],
    ['a position out of range', { udfs: [100] }, 400, 'paymentInfo.udfs[0]'],
    ['no positions', { fields: ['currency'] }, 422, 'udfs'],
    ['a text for a position', { udfs: ['1'] }, 422, 'udfs'],
  ])('%s is refused', async (_name, paymentInfo, status, message) => {
    expect(await dimensions(paymentInfo)).toMatchObject({ status, text: expect.stringContaining(message.replaceAll('"', '\\"')) })
    expect((await stored()).json.paymentInfo).toEqual({ udfs: [], fields: null })
  })

  test('belong to their merchant', async () => {
    const other = await createMerchant(server.url)
    expect((await dimensions({ udfs: [] }, other.id)).status).toBe(403)
    expect((await stored(other.id)).status).toBe(403)
    expect((await dimensions({ udfs: [] }, 'm_nobody')).status).toBe(404)
  })
})

describe('boosts', () => {
  test('raise or lower the score of one gateway (decide.md 5.6)', async () => {
    const data = {
      defaultBucketSize: 125,
      defaultHedgingPercent: 0,
      defaultGatewayExtraScore: [{ gatewayName: 'adyen', gatewaySigmaFactor: 2 }],
    }
    expect((await configure('successRate', data)).status).toBe(200)
    await pay('adyen', 'F'.repeat(12))
    const s = 113 / 125
    expect((await decide({ eliminationEnabled: false })).json.gateway_priority_map.adyen).toBeCloseTo(
      s + 2 * Math.sqrt((s * (1 - s)) / 125),
      12,
    )
  })
})
