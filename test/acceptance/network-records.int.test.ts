import { beforeEach, describe, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { debitClient, debitMetadata, HYBRID, NETWORK, networksInfo } from '../support/debit-client.ts'
import { positionOf, tenant } from '../support/feedback-client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const { setFlag, decide } = debitClient(
  () => server.url,
  () => merchant,
)

describe('hybrid decisions (network.md 9)', () => {
  beforeEach(async () => {
    await setFlag(true)
    const config = { type: 'successRate', data: { defaultBucketSize: 100, defaultHedgingPercent: 0 } }
    await call(server.url, 'POST /rule/create', { body: { merchant_id: merchant.id, config }, headers: merchant.key })
  })

  const report = (paymentId: string, gateway: string, headers: Readonly<Record<string, string>> = {}) =>
    call(server.url, 'POST /update-gateway-score', {
      body: { merchantId: merchant.id, gateway, paymentId, status: 'FAILURE' },
      headers: { ...merchant.key, ...headers },
    })

  test('scores choose the gateway, costs order the networks', async () => {
    await decide(HYBRID, { paymentId: 'p_seen' })
    const reported = await report('p_seen', 'alpha')
    const body = decisionRequest(
      merchant.id,
      'p_next',
      { rankingAlgorithm: HYBRID, eligibleGatewayList: ['alpha', 'beta'], eliminationEnabled: true },
      {
        amount: 2500,
        paymentMethod: 'DEBIT',
        cardType: 'DEBIT',
        currency: 'USD',
        metadata: debitMetadata(['MASTERCARD', 'ACCEL', 'NYCE'], { regulated_name: 'none' }),
      },
    )
    const { status, json } = await call(server.url, 'POST /decide-gateway', { body, headers: { ...merchant.key, ...positionOf(reported) } })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      decided_gateway: 'beta',
      fallback_gateways: ['alpha'],
      gateway_priority_map: { alpha: 0.99, beta: 1 },
      routing_approach: 'NTW_BASED_ROUTING',
      gateway_before_evaluation: 'beta',
      priority_logic_output: { gws: ['alpha', 'beta'] },
      routing_dimension: 'ORDER_PAYMENT, CARD, DEBIT, DEBIT',
      debit_routing_output: {
        co_badged_card_networks_info: networksInfo(['ACCEL', 0.69], ['NYCE', 0.25], ['MASTERCARD', 0]),
        regulated_name: 'none',
      },
      multi_objective_info: null,
    })
  })

  test('without usable networks: a decision by success rates, and the audit tells why', async () => {
    const { status, json } = await decide(HYBRID, { payment: { metadata: 'broken' }, paymentId: 'p_broken' })
    expect(status).toBe(200)
    expect(json).toMatchObject({ routing_approach: 'SR_SELECTION_V3_ROUTING', debit_routing_output: null })
    const audit = await eventually(
      'the audit',
      () => call(server.url, 'GET /analytics/payment-audit?payment_id=p_broken', { headers: { ...merchant.key, ...tenant } }),
      ({ json: told }) => told.timeline.length > 0,
    )
    expect(audit.json.timeline[0].details_json.selection_reason.network_problem).toContain('no JSON')
  })

  test('reports teach the gateway of a hybrid decision, and nothing after a network decision', async () => {
    await decide(NETWORK, { paymentId: 'p_network' })
    expect((await report('p_network', 'alpha')).status).toBe(200)
    expect((await report('p_network', 'alpha', { 'x-strict': 'true' })).status).toBe(404)
    await decide(HYBRID, { paymentId: 'p_hybrid' })
    const last = await report('p_hybrid', 'beta')
    const headers = { ...merchant.key, ...positionOf(last) }
    const body = decisionRequest(merchant.id, 'p_after', { eligibleGatewayList: ['alpha', 'beta'] }, { paymentMethod: 'DEBIT' })
    expect((await call(server.url, 'POST /decide-gateway', { body, headers })).json.gateway_priority_map).toEqual({ alpha: 1, beta: 0.99 })
  })
})

describe('records (network.md 12)', () => {
  test('the audit of a network decision tells its costs, and what was skipped', async () => {
    await setFlag(true)
    await decide(NETWORK, { payment: { amount: 60, metadata: debitMetadata(['MASTERCARD', 'ACCEL', 'JCB']) }, paymentId: 'p_told' })
    const audit = await eventually(
      'the audit',
      () => call(server.url, 'GET /analytics/payment-audit?payment_id=p_told', { headers: { ...merchant.key, ...tenant } }),
      ({ json }) => json.timeline.length > 0,
    )
    expect(audit.json.timeline[0]).toMatchObject({ routing_approach: NETWORK, gateway: 'alpha' })
    expect(audit.json.timeline[0].details_json.response.debit_routing_output).toMatchObject({
      networks: [
        { network: 'ACCEL', saving_percentage: 18.58 },
        { network: 'MASTERCARD', saving_percentage: 0 },
      ],
      skipped_networks: ['JCB'],
      card_data_source: 'metadata',
      merchant_category_code: 'merchant_category_code_0001',
      acquirer_country: 'US',
      fee_table_version: expect.any(String),
    })
    const told = await call(server.url, 'GET /decisions/p_told', { headers: merchant.key })
    expect(told.json.decision.winner).toMatchObject({ gateway: 'alpha', reason: 'FIRST_CANDIDATE' })
    expect(told.json.in_words.join(' ')).toContain('ACCEL')
  })
})
