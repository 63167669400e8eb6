import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { call, createMerchant, type TestMerchant } from '../support/client.ts'
import { BINS, DASHBOARD_NETWORKS, debitClient, debitMetadata, HYBRID, NETWORK, networksInfo } from '../support/debit-client.ts'
import { type RunningServer, runToEnd, startServer, temporaryFolder } from '../support/server.ts'

const folder = temporaryFolder()
let server: RunningServer
let merchant: TestMerchant
const bins = join(folder.path, 'bins.csv')
beforeAll(async () => {
  writeFileSync(bins, BINS)
  server = await startServer({ dataDir: join(folder.path, 'data'), env: { SWITCHYARD_BIN_TABLE_FILE: bins } })
})
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const { setFlag, decide } = debitClient(
  () => server.url,
  () => merchant,
)

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
        co_badged_card_networks_info: networksInfo(['STAR', 0.11], ['VISA', 0], ['PULSE', 0], ['NYCE', 0]),
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
      networksInfo(['STAR', 0.1], ['NYCE', 0.1], ['VISA', 0]),
    ],
    ['another spelling of networks', 60, ['Mastercard', 'accel'], {}, networksInfo(['ACCEL', 18.58], ['MASTERCARD', 0])],
    ['skipped networks', 60, ['DISCOVER', 'AMEX', 'VISA'], {}, networksInfo(['VISA', 0])],
    ['no amount', 0, ['VISA', 'NYCE', 'PULSE'], {}, networksInfo(['VISA', 0], ['PULSE', 0], ['NYCE', 0])],
    [
      'the other name of the list',
      1000,
      [],
      { co_badged_card_networks: undefined, card_networks: ['STAR', 'VISA'] },
      networksInfo(['STAR', 0.11], ['VISA', 0]),
    ],
  ])('%s', async (_name, amount, networks, card, expected) => {
    const { json } = await decide(NETWORK, { payment: { amount, metadata: debitMetadata(networks, card) } })
    expect(json.debit_routing_output.co_badged_card_networks_info).toEqual(expected)
  })

  test('a card without data of its own is looked up', async () => {
    const metadata = debitMetadata([], {}, { co_badged_card_data: null })
    const found = await decide(NETWORK, { payment: { metadata, cardIsin: '457173' } })
    expect(found.json.debit_routing_output).toEqual({
      co_badged_card_networks_info: networksInfo(['NYCE', 0.09], ['VISA', 0]),
      issuer_country: 'US',
      is_regulated: true,
      regulated_name: null,
      card_type: 'debit',
    })
    expect((await decide(NETWORK, { payment: { metadata, cardIsin: '45717355' } })).status).toBe(200)
    for (const cardIsin of [null, 'abc', '411111', '930000']) {
      expect((await decide(NETWORK, { payment: { metadata, cardIsin } })).json.error_info.code).toBe('CO_BADGED_NETWORK_NOT_FOUND')
    }
  })

  test('what metadata leave open comes from the merchant', async () => {
    const metadata = debitMetadata(['VISA', 'STAR'], {}, { merchant_category_code: undefined, acquirer_country: undefined })
    expect((await decide(NETWORK, { payment: { metadata } })).json.error_info.developer_message).toContain('merchant_category_code')
    const config = { type: 'debitRouting', data: { merchantCategoryCode: 'merchant_category_code_0001', acquirerCountry: 'US' } }
    await call(server.url, 'POST /rule/create', { body: { merchant_id: merchant.id, config }, headers: merchant.key })
    expect((await decide(NETWORK, { payment: { metadata } })).json.debit_routing_output.co_badged_card_networks_info).toEqual(
      networksInfo(['STAR', 0.11], ['VISA', 0]),
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
    ['no networks', debitMetadata([]), 'names no network'],
    ['only unpriced ones', debitMetadata(['RUPAY', 'JCB']), 'RUPAY, JCB'],
    ['a country in lower case', debitMetadata(['VISA'], { issuer_country: 'us' }), 'issuer_country'],
    ['a card type in upper case', debitMetadata(['VISA'], { card_type: 'DEBIT' }), 'card_type'],
  ])('%s: the whole error, and why', async (_name, metadata, why) => {
    const { status, json } = await decide(NETWORK, { payment: { metadata } })
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
    expect(await decide(NETWORK, { change: { eligibleGatewayList: [] } })).toMatchObject({
      status: 400,
      json: { error_info: { code: 'GATEWAY_NOT_FOUND' } },
    })
    expect(await decide(HYBRID, { change: { eligibleGatewayList: null } })).toMatchObject({
      status: 400,
      json: { error_info: { code: 'GATEWAY_NOT_FOUND' } },
    })
    expect(await decide('ntw_based_routing')).toMatchObject({ status: 400, json: { error_info: { code: 'INVALID_INPUT' } } })
    expect(await decide(NETWORK, { payment: { amount: '1' } })).toMatchObject({ status: 400, json: { error_code: '400' } })
    expect(await decide(NETWORK, { change: { merchantId: 'm_none' } })).toMatchObject({
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
        const { status, json } = await decide(NETWORK, { payment: { metadata: sound ? debitMetadata(DASHBOARD_NETWORKS) : text, amount } })
        expect(status).toBe(sound ? 200 : 400)
        if (sound)
          for (const row of json.debit_routing_output.co_badged_card_networks_info) expect(row.saving_percentage).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 150 },
    )
  })
})

test('no member of a body makes it fail otherwise than with 400', async () => {
  await setFlag(true)
  const name = fc.constantFrom(
    'amount',
    'metadata',
    'cardIsin',
    'currency',
    'paymentMethodType',
    'udfs',
    'cardType',
    'country',
    'paymentId',
  )
  const top = fc.constantFrom('eligibleGatewayList', 'rankingAlgorithm', 'merchantId', 'paymentInfo', 'eliminationEnabled')
  const value = fc.oneof(
    fc.json({ maxDepth: 2 }).map((text): unknown => JSON.parse(text)),
    fc.constantFrom('', 'x'.repeat(9_000), -1, 1e308),
  )
  const change = fc.oneof(
    fc.tuple(name, value).map(([member, given]) => ({ payment: { [member]: given } })),
    fc.tuple(top, value).map(([member, given]) => ({ change: { [member]: given } })),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(NETWORK, HYBRID), change, async (algorithm, changed) => {
      expect([200, 400]).toContain((await decide(algorithm, changed)).status)
    }),
    { numRuns: 200 },
  )
})

test('a deployment whose tables can not be used does not start, and says why', async () => {
  writeFileSync(bins, BINS.replace('true', 'yes'))
  const { code, output } = await runToEnd({ dataDir: join(folder.path, 'other'), env: { SWITCHYARD_BIN_TABLE_FILE: bins } })
  expect(code).not.toBe(0)
  expect(output).toContain('line 2: is_regulated: must be true, false or empty')
})
