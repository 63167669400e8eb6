import { beforeAll, describe, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { experimentClient, experimentData } from '../support/experiment-client.ts'
import { useServer } from '../support/server.ts'

const PAYMENT_COUNT = 250
const AT_A_TIME = 50
const FEES = { adyen: 100, stripe: 300, checkout: 200 }
const tenant = { 'x-tenant-id': 'public' }

const server = useServer()

const post = (merchant: TestMerchant, path: string, body: object) =>
  call(server.url, `POST ${path}`, { body, headers: { ...merchant.key, ...tenant } })

/** A merchant whose fees are known, in shares of the amount alone. */
const withFees = async (): Promise<TestMerchant> => {
  const merchant = await createMerchant(server.url)
  for (const [connector, pct_bps] of Object.entries(FEES)) {
    const path = `PUT /merchant-account/${merchant.id}/connectors/${connector}/fee-override`
    const { status } = await call(server.url, path, { body: { pct_bps, fixed: 0 }, headers: merchant.key })
    expect(status).toBe(200)
  }
  return merchant
}

/** Payments of 100, in euros but for every tenth, four of five approved by whoever got them. */
const pay = async (merchant: TestMerchant, change: object = {}): Promise<void> => {
  const lines: string[] = []
  const currencyOf = (index: number): string => (index % 10 === 9 ? 'USD' : 'EUR')
  const decided = (index: number) =>
    post(merchant, '/decide-gateway', decisionRequest(merchant.id, `pay_${index}`, change, { amount: 100, currency: currencyOf(index) }))
  for (let first = 0; first < PAYMENT_COUNT; first += AT_A_TIME) {
    const answers = await Promise.all(Array.from({ length: AT_A_TIME }, (_, offset) => decided(first + offset)))
    for (const [offset, { json }] of answers.entries()) {
      const status = (first + offset) % 5 === 0 ? 'FAILURE' : 'CHARGED'
      lines.push(JSON.stringify({ merchantId: merchant.id, gateway: json.decided_gateway, paymentId: `pay_${first + offset}`, status }))
    }
  }
  const sent = await call(server.url, 'POST /update-gateway-score/batch', { body: lines.join('\n'), headers: merchant.key })
  expect(sent.status).toBe(200)
}

describe('POST /analytics/back-test of a merchant whose costs are known', () => {
  let merchant: TestMerchant
  beforeAll(async () => {
    merchant = await withFees()
    const data = { defaultBucketSize: 125, defaultHedgingPercent: 50 }
    await post(merchant, '/rule/create', { merchant_id: merchant.id, config: { type: 'successRate', data } })
    await pay(merchant)
  }, 60_000)

  const resultOf = async (changes: object) => {
    const { text } = await post(merchant, '/analytics/back-test', { changes, range: '1h' })
    return JSON.parse(text.trim().split('\n').at(-1) ?? '')
  }

  test('tells what approvals would cost, by currency', async () => {
    const result = await resultOf({ bucket_size: 30 })
    expect(result).toMatchObject({ answerable: true, cost_reason: null, cost_weighed: 0 })
    const [euro, dollar] = result.cost
    expect(euro).toMatchObject({ currency: 'EUR', payments: 225, unpriced_payments: 0, answerable: true, reason: null })
    expect(euro.approved_amount.recorded).toBeCloseTo(17_500, 6)
    expect(euro.cost.recorded).toBeGreaterThan(175)
    expect(euro.cost.recorded).toBeLessThan(525)
    const [low, high] = euro.cost.confidence_interval
    expect(euro.cost.estimated).toBeGreaterThan(low)
    expect(euro.cost.estimated).toBeLessThan(high)
    expect(dollar).toMatchObject({ currency: 'USD', payments: 25, answerable: false, reason: 'TOO_FEW_PAYMENTS' })
  })

  test('tells what weighing them would have saved', async () => {
    const result = await resultOf({ multi_objective: true, margin: 0.5 })
    expect(result).toMatchObject({ answerable: true, cost_weighed: PAYMENT_COUNT })
    const [euro] = result.cost
    expect(euro.cost.change).toBeLessThan(0)
    expect(euro.cost_bps.estimated).toBeLessThan(euro.cost_bps.recorded)
  })

  test('says that a margin means nothing where cost has no say', async () => {
    expect(await resultOf({ margin: 0.5 })).toMatchObject({ answerable: false, reason: 'COSTS_NOT_WEIGHED', cost: null })
  })
})

describe('the results of an experiment of a merchant whose costs are known', () => {
  test('tell what both arms cost, also the one that does not weigh it', async () => {
    const merchant = await withFees()
    const client = experimentClient(
      () => server.url,
      () => merchant,
    )
    const id = await client.running({ variant_sr_config: { hedging_percent: 0, enable_multi_objective: true, margin: 0.5 } })
    await pay(merchant)
    const { json } = await eventually(
      'all outcomes',
      () => client.results(id),
      (answer) => answer.json.resolved_count === PAYMENT_COUNT,
    )
    expect(json).toMatchObject({ cost_reason: null, net_delta_bps: expect.any(Number), control: { total_cost_saved: null } })
    expect(json.control.avg_chosen_cost_bps).toBeGreaterThan(100)
    expect(json.control.avg_cost_saved_bps).toBeNull()
    expect(json.variant.avg_chosen_cost_bps).toBeCloseTo(100, 9)
    expect(json.variant.avg_cost_saved_bps).toBeGreaterThanOrEqual(0)
    // Savings in two currencies are not added up.
    expect(json.variant.total_cost_saved).toBeNull()
    expect(json.by_currency.map(({ currency }: { currency: string }) => currency).sort()).toEqual(['EUR', 'USD'])
    for (const { control, variant } of json.by_currency) {
      expect(variant.realised_cost).toBeCloseTo(variant.success_count, 6)
      expect(variant.realised_cost_bps).toBeCloseTo(100, 6)
      expect(variant).toMatchObject({ realised_saving: expect.any(Number), priced_count: variant.success_count })
      expect(control).toMatchObject({ realised_saving: null, priced_amount: control.approved_amount })
    }
  }, 60_000)

  test('say when nothing is known', async () => {
    const merchant = await createMerchant(server.url)
    const client = experimentClient(
      () => server.url,
      () => merchant,
    )
    const id = await client.created('ab_test', experimentData())
    expect((await client.results(id)).json).toMatchObject({ cost_reason: expect.stringContaining('known'), net_delta_bps: null })
  })
})
