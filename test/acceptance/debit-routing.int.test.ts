import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { admin, call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { positionOf, tenant } from '../support/feedback-client.ts'
import { type RunningServer, runToEnd, startServer, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
const bins = join(folder.path, 'bins.csv')
const BINS = `card_bin_min,card_bin_max,card_network,issuer_country,card_type,is_regulated,regulated_name,is_prepaid,pan_or_token
4571730000000000000,4571739999999999999,VISA,US,debit,true,,false,pan
4571730000000000000,4571739999999999999,NYCE,US,debit,true,,false,pan
9300000000000000000,9300009999999999999,MASTERCARD,US,credit,true,,false,pan
`
let server: RunningServer
let merchant: TestMerchant
beforeAll(async () => {
  writeFileSync(bins, BINS)
  server = await startServer({ dataDir: join(folder.path, 'data'), env: { SWITCHYARD_BIN_TABLE_FILE: bins } })
})
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})
afterAll(async () => {
  await server.stop()
  folder.remove()
})

const flagPath = (id: string) => `/merchant-account/${id}/debit-routing`
const setFlag = (enabled: unknown, headers = merchant.key) =>
  call(server.url, `POST ${flagPath(merchant.id)}`, { body: { enabled }, headers })
const readFlag = (id = merchant.id) => call(server.url, `GET ${flagPath(id)}`, { headers: merchant.key })

const metadataOf = (networks: readonly string[], card: object = {}, document: object = {}): string =>
  JSON.stringify({
    merchant_category_code: 'merchant_category_code_0001',
    acquirer_country: 'US',
    co_badged_card_data: {
      co_badged_card_networks: networks,
      issuer_country: 'US',
      is_regulated: false,
      regulated_name: null,
      card_type: 'debit',
      ...card,
    },
    ...document,
  })
const DASHBOARD = ['VISA', 'NYCE', 'PULSE', 'STAR']
const decide = (rankingAlgorithm: string, payment: object = {}, change: object = {}, paymentId = `p_${Math.random()}`) =>
  call(server.url, 'POST /decide-gateway', {
    body: decisionRequest(
      merchant.id,
      paymentId,
      { rankingAlgorithm, eligibleGatewayList: ['alpha', 'beta'], ...change },
      {
        amount: 1000,
        currency: 'USD',
        country: 'US',
        paymentMethod: 'DEBIT',
        cardType: 'DEBIT',
        cardIsin: null,
        metadata: metadataOf(DASHBOARD),
        ...payment,
      },
    ),
    headers: merchant.key,
  })
const NETWORK = 'NTW_BASED_ROUTING'
const HYBRID = 'NTW_SR_HYBRID_ROUTING'
const info = (...rows: readonly (readonly [string, number])[]) =>
  rows.map(([network, saving_percentage]) => ({ network, saving_percentage }))

describe('the debit-routing flag (network.md 1.1)', () => {
  test('is off at first, is set and unset, repeatedly too, and stays', async () => {
    const off = { merchant_id: merchant.id, debit_routing_enabled: false }
    const on = { ...off, debit_routing_enabled: true }
    expect((await readFlag()).json).toEqual(off)
    for (const [enabled, expected] of [
      [false, off],
      [true, on],
      [true, on],
      [false, off],
      [true, on],
    ] as const) {
      expect(await setFlag(enabled)).toMatchObject({ status: 200, json: expected })
      expect((await readFlag()).json).toEqual(expected)
    }
  })

  test('every decision honours it as it stands', async () => {
    for (const enabled of [false, true, false]) {
      await setFlag(enabled)
      for (const algorithm of [NETWORK, HYBRID]) expect((await decide(algorithm)).status).toBe(enabled ? 200 : 400)
    }
  })

  test('an unknown merchant is not found, with whatever credential; another one is foreign', async () => {
    const notFound = { code: 'TE_04', message: 'MerchantId not found', data: null }
    for (const headers of [merchant.key, admin]) {
      expect(await call(server.url, `GET ${flagPath('m_none')}`, { headers })).toMatchObject({ status: 404, json: notFound })
      expect(await call(server.url, `POST ${flagPath('m_none')}`, { body: { enabled: true }, headers })).toMatchObject({
        status: 404,
        json: notFound,
      })
    }
    const other = await createMerchant(server.url)
    expect((await readFlag(other.id)).status).toBe(403)
  })

  test.each([
    ['no flag', {}, 422],
    ['no boolean', { enabled: 'true' }, 422],
    ['no JSON', '{', 400],
  ])('%s is refused', async (_name, body, status) => {
    expect((await call(server.url, `POST ${flagPath(merchant.id)}`, { body, headers: merchant.key })).status).toBe(status)
  })

  test('another content type is refused', async () => {
    const headers = { ...merchant.key, 'content-type': 'text/plain' }
    expect((await setFlag(true, headers)).status).toBe(415)
  })
})

describe('network decisions (network.md 7)', () => {
  beforeEach(async () => void (await setFlag(true)))

  test('every member of the answer is there', async () => {
    const { status, json } = await decide(NETWORK)
    expect(status).toBe(200)
    expect(json).toEqual({
      decided_gateway: 'alpha',
      fallback_gateways: ['beta'],
      gateway_priority_map: null,
      filter_wise_gateways: null,
      priority_logic_tag: null,
      routing_approach: 'NTW_BASED_ROUTING',
      gateway_before_evaluation: null,
      priority_logic_output: null,
      debit_routing_output: {
        co_badged_card_networks_info: info(['STAR', 0.11], ['VISA', 0], ['PULSE', 0], ['NYCE', 0]),
        issuer_country: 'US',
        is_regulated: false,
        regulated_name: null,
        card_type: 'debit',
      },
      reset_approach: 'NO_RESET',
      routing_dimension: null,
      routing_dimension_level: null,
      is_scheduled_outage: false,
      is_dynamic_mga_enabled: false,
      gateway_mga_id_map: null,
      is_rust_based_decider: true,
      latency: expect.any(Number),
      multi_objective_info: null,
    })
  })

  test.each([
    [
      'both fees the same: the request order',
      800,
      ['STAR', 'NYCE', 'VISA'],
      { is_regulated: true },
      info(['STAR', 0.1], ['NYCE', 0.1], ['VISA', 0]),
    ],
    ['another spelling of networks', 60, ['Mastercard', 'accel'], {}, info(['ACCEL', 18.58], ['MASTERCARD', 0])],
    ['skipped networks', 60, ['DISCOVER', 'AMEX', 'VISA'], {}, info(['VISA', 0])],
    ['no amount', 0, ['VISA', 'NYCE', 'PULSE'], {}, info(['VISA', 0], ['PULSE', 0], ['NYCE', 0])],
    [
      'the other name of the list',
      1000,
      [],
      { co_badged_card_networks: undefined, card_networks: ['STAR', 'VISA'] },
      info(['STAR', 0.11], ['VISA', 0]),
    ],
  ])('%s', async (_name, amount, networks, card, expected) => {
    const { json } = await decide(NETWORK, { amount, metadata: metadataOf(networks, card) })
    expect(json.debit_routing_output.co_badged_card_networks_info).toEqual(expected)
  })

  test('a card without data of its own is looked up', async () => {
    const metadata = metadataOf([], {}, { co_badged_card_data: null })
    const found = await decide(NETWORK, { metadata, cardIsin: '457173' })
    expect(found.json.debit_routing_output).toEqual({
      co_badged_card_networks_info: info(['NYCE', 0.09], ['VISA', 0]),
      issuer_country: 'US',
      is_regulated: true,
      regulated_name: null,
      card_type: 'debit',
    })
    expect((await decide(NETWORK, { metadata, cardIsin: '45717355' })).status).toBe(200)
    for (const cardIsin of [null, 'abc', '411111', '930000']) {
      expect((await decide(NETWORK, { metadata, cardIsin })).json.error_info.code).toBe('CO_BADGED_NETWORK_NOT_FOUND')
    }
  })

  test('what metadata leave open comes from the merchant', async () => {
    const metadata = metadataOf(['VISA', 'STAR'], {}, { merchant_category_code: undefined, acquirer_country: undefined })
    expect((await decide(NETWORK, { metadata })).json.error_info.developer_message).toContain('merchant_category_code')
    const config = { type: 'debitRouting', data: { merchantCategoryCode: 'merchant_category_code_0001', acquirerCountry: 'US' } }
    await call(server.url, 'POST /rule/create', { body: { merchant_id: merchant.id, config }, headers: merchant.key })
    expect((await decide(NETWORK, { metadata })).json.debit_routing_output.co_badged_card_networks_info).toEqual(
      info(['STAR', 0.11], ['VISA', 0]),
    )
  })

  const problem = (changes: object) => ({
    status: 'Invalid Request',
    error_code: 'invalid_request_error',
    priority_logic_tag: null,
    routing_approach: null,
    filter_wise_gateways: null,
    priority_logic_output: null,
    is_dynamic_mga_enabled: false,
    ...changes,
  })

  test.each([
    ['no metadata', null, 'metadata'],
    ['no JSON', '{', 'JSON'],
    ['no networks', metadataOf([]), 'names no network'],
    ['only unpriced ones', metadataOf(['RUPAY', 'JCB']), 'RUPAY, JCB'],
    ['a country in lower case', metadataOf(['VISA'], { issuer_country: 'us' }), 'issuer_country'],
    ['a card type in upper case', metadataOf(['VISA'], { card_type: 'DEBIT' }), 'card_type'],
  ])('%s: the whole error, and why', async (_name, metadata, why) => {
    const { status, json } = await decide(NETWORK, { metadata })
    const message = "Can't find the co-badged card network"
    expect(status).toBe(400)
    expect(json).toEqual(
      problem({
        error_message: message,
        error_info: { code: 'CO_BADGED_NETWORK_NOT_FOUND', user_message: message, developer_message: expect.stringContaining(why) },
      }),
    )
  })

  test('while the flag is off: the whole error, also for hybrid decisions', async () => {
    await setFlag(false)
    const message = `Debit routing is not enabled for merchant: ${merchant.id}`
    for (const algorithm of [NETWORK, HYBRID]) {
      const { status, json } = await decide(algorithm)
      expect(status).toBe(400)
      expect(json).toEqual(
        problem({
          status: 'Forbidden',
          error_code: 'debit_routing_not_enabled',
          error_message: message,
          error_info: {
            code: 'TE_05',
            user_message: 'Debit routing is not enabled for this merchant',
            developer_message: `${message}; POST /merchant-account/${merchant.id}/debit-routing enables it`,
          },
        }),
      )
    }
  })

  test('no candidates, a body that can not be read, an unknown merchant', async () => {
    expect(await decide(NETWORK, {}, { eligibleGatewayList: [] })).toMatchObject({
      status: 400,
      json: { error_info: { code: 'GATEWAY_NOT_FOUND' } },
    })
    expect(await decide(HYBRID, {}, { eligibleGatewayList: null })).toMatchObject({
      status: 400,
      json: { error_info: { code: 'GATEWAY_NOT_FOUND' } },
    })
    expect(await decide('ntw_based_routing')).toMatchObject({ status: 400, json: { error_info: { code: 'INVALID_INPUT' } } })
    expect(await decide(NETWORK, { amount: '1' })).toMatchObject({ status: 400, json: { error_code: '400' } })
    expect(await decide(NETWORK, {}, { merchantId: 'm_none' })).toMatchObject({
      status: 400,
      json: { error_info: { code: 'MERCHANT_NOT_FOUND' } },
    })
  })

  test('no metadata make it fail otherwise than with 400', async () => {
    const texts = fc.oneof(
      fc.string(),
      fc.json({ maxDepth: 2 }),
      fc.json({ maxDepth: 2 }).map((card) => `{"co_badged_card_data":${card}}`),
    )
    const amounts = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(-1, 1e308, 5e-324))
    await fc.assert(
      fc.asyncProperty(texts, amounts, fc.boolean(), async (text, amount, sound) => {
        const { status, json } = await decide(NETWORK, { metadata: sound ? metadataOf(DASHBOARD) : text, amount })
        expect(status).toBe(sound ? 200 : 400)
        if (sound)
          for (const row of json.debit_routing_output.co_badged_card_networks_info) expect(row.saving_percentage).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 150 },
    )
  })
})

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
    await decide(HYBRID, {}, {}, 'p_seen')
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
        metadata: metadataOf(['MASTERCARD', 'ACCEL', 'NYCE'], { regulated_name: 'none' }),
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
        co_badged_card_networks_info: info(['ACCEL', 0.69], ['NYCE', 0.25], ['MASTERCARD', 0]),
        regulated_name: 'none',
      },
      multi_objective_info: null,
    })
  })

  test('without usable networks: a decision by success rates, and the audit tells why', async () => {
    const { status, json } = await decide(HYBRID, { metadata: 'broken' }, {}, 'p_broken')
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
    await decide(NETWORK, {}, {}, 'p_network')
    expect((await report('p_network', 'alpha')).status).toBe(200)
    expect((await report('p_network', 'alpha', { 'x-strict': 'true' })).status).toBe(404)
    await decide(HYBRID, {}, {}, 'p_hybrid')
    const last = await report('p_hybrid', 'beta')
    const headers = { ...merchant.key, ...positionOf(last) }
    const body = decisionRequest(merchant.id, 'p_after', { eligibleGatewayList: ['alpha', 'beta'] }, { paymentMethod: 'DEBIT' })
    expect((await call(server.url, 'POST /decide-gateway', { body, headers })).json.gateway_priority_map).toEqual({ alpha: 1, beta: 0.99 })
  })
})

describe('records (network.md 12)', () => {
  test('the audit of a network decision tells its costs, and what was skipped', async () => {
    await setFlag(true)
    await decide(NETWORK, { amount: 60, metadata: metadataOf(['MASTERCARD', 'ACCEL', 'JCB']) }, {}, 'p_told')
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

test('a deployment whose tables can not be used does not start, and says why', async () => {
  writeFileSync(bins, BINS.replace('true', 'yes'))
  const { code, output } = await runToEnd({ dataDir: join(folder.path, 'other'), env: { SWITCHYARD_BIN_TABLE_FILE: bins } })
  expect(code).not.toBe(0)
  expect(output).toContain('line 2: is_regulated: must be true or false')
})
