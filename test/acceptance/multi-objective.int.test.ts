import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type FitIdentity, fitEvents, statisticsOf } from '@switchyard/costs'
import { createEventCodec, EVENT_CATALOGUE, publishedSchemaIds } from '@switchyard/events'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { allRecords, eventOf, openLeftBehind } from '../support/replay.ts'
import { type RunningServer, startServer, temporaryFolder, testOnEmbedded } from '../support/server.ts'

const folder = temporaryFolder()
let server: RunningServer
let merchant: TestMerchant
const codec = createEventCodec(publishedSchemaIds(), { strict: true })

beforeAll(async () => {
  server = await startServer({ dataDir: folder.path })
  merchant = await createMerchant(server.url)
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const put = (path: string, body: object) =>
  call(server.url, `PUT /merchant-account/${merchant.id}/${path}`, { body, headers: merchant.key })
const overrideFee = (connector: string, pct_bps: number, fixed: number) => put(`connectors/${connector}/fee-override`, { pct_bps, fixed })

let payments = 0
/** Decides payments until one of them does not explore. */
const decide = async (change: object = {}, payment: object = {}) => {
  for (;;) {
    const body = decisionRequest(merchant.id, `p_${++payments}`, { enableMultiObjective: true, ...change }, { amount: 60, ...payment })
    const { status, json } = await call(server.url, 'POST /decide-gateway', { body, headers: merchant.key })
    expect(status).toBe(200)
    if (!json.routing_approach.endsWith('HEDGING')) return json
  }
}

describe('a decision that weighs approval and cost', () => {
  test('without any cost keeps the order, and says why', async () => {
    const json = await decide()
    expect(json.routing_approach).toBe('SR_SELECTION_V3_ROUTING')
    expect(json.multi_objective_info).toEqual({
      outcome: 'AUTH_WON',
      reason: expect.stringContaining('unknown'),
      costSavedBps: null,
      qualifiedCount: 0,
      margin: 1,
      evGapTop2: null,
    })
  })

  test('reckons with a fee from the answer to its PUT on', async () => {
    await overrideFee('stripe', 290, 0.3)
    await overrideFee('adyen', 194, 0.24)
    const json = await decide()
    expect(json).toMatchObject({ decided_gateway: 'adyen', routing_approach: 'SR_SELECTION_V3_ROUTING' })
    await overrideFee('checkout', 122, 0.35)
    expect(await decide()).toMatchObject({
      decided_gateway: 'checkout',
      fallback_gateways: ['adyen', 'stripe'],
      routing_approach: 'SR_SELECTION_MULTI_OBJECTIVE',
      gateway_priority_map: { adyen: 1, checkout: 1, stripe: 1 },
      multi_objective_info: {
        outcome: 'COST_WON',
        reason: 'checkout chosen instead of adyen: 53.67 bps cheaper for 0.00 pp of authorization',
        costSavedBps: expect.closeTo(53.667, 3),
        qualifiedCount: 3,
        margin: 1,
        evGapTop2: expect.closeTo(0.0053667, 6),
        ranked: [
          {
            psp: 'checkout',
            authRate: 1,
            costBps: expect.closeTo(180.333, 3),
            costSource: 'IN_HOUSE',
            costModel: { brand: 'visa', ccy: 'EUR', pctBps: 122, fixedFee: 0.35 },
            ev: expect.closeTo(0.9819667, 6),
            isSrHead: false,
            isChosen: true,
          },
          { psp: 'adyen', costBps: 234, isSrHead: true, isChosen: false },
          { psp: 'stripe', costBps: 340, isSrHead: false, isChosen: false },
        ],
        srHead: { psp: 'adyen', authRate: 1, costBps: 234 },
        chosen: { psp: 'checkout', authRate: 1, costBps: expect.closeTo(180.333, 3) },
      },
    })
  })

  test('is asked for by the request or the flag, and only where success rates decide', async () => {
    expect((await decide({ enableMultiObjective: false })).multi_objective_info).toBeNull()
    expect((await decide({ rankingAlgorithm: 'PL_BASED_ROUTING' })).multi_objective_info).toBeNull()
    const flag = `POST /merchant-account/${merchant.id}/features/multi-objective-routing`
    await call(server.url, flag, { body: { enabled: true }, headers: merchant.key })
    expect((await decide({ enableMultiObjective: null })).multi_objective_info).toMatchObject({ outcome: 'COST_WON' })
    await call(server.url, flag, { body: { enabled: false }, headers: merchant.key })
  })

  test('runs on the success-rate half of the hybrid', async () => {
    await call(server.url, `POST /merchant-account/${merchant.id}/debit-routing`, { body: { enabled: true }, headers: merchant.key })
    const json = await decide({ rankingAlgorithm: 'NTW_SR_HYBRID_ROUTING' })
    expect(json).toMatchObject({ decided_gateway: 'checkout', multi_objective_info: { outcome: 'COST_WON' } })
  })

  test('takes an override of a cluster above one of its connector, whatever of the cluster is not known', async () => {
    await put(`cost-clusters/${encodeURIComponent('stripe|visa|visacredit|credit|de|eur|')}/fee-override`, { pct_bps: 10, fixed: 0 })
    const json = await decide({}, { cardIssuerCountry: 'DE' })
    expect(json).toMatchObject({ decided_gateway: 'stripe' })
    expect(json.multi_objective_info.ranked[0].costModel).toEqual({
      brand: 'visa',
      variant: 'visacredit',
      issuer: 'DE',
      ccy: 'EUR',
      pctBps: 10,
      fixedFee: 0,
    })
  })
})

describe('what weighing has saved', () => {
  test('is expected at the decision, and realised by approvals', async () => {
    const payment = { currency: 'GBP', amount: 100 }
    const first = await decide({}, payment)
    const second = await decide({}, payment)
    const saved = (first.multi_objective_info.costSavedBps / 10_000) * 100
    const report = { merchantId: merchant.id, gateway: second.decided_gateway, paymentId: `p_${payments}`, status: 'CHARGED' }
    await call(server.url, 'POST /update-gateway-score', { body: report, headers: merchant.key })
    const read = () =>
      call(server.url, 'GET /analytics/cost-savings?currency=GBP', { headers: { ...merchant.key, 'x-tenant-id': 'public' } })
    const { json } = await eventually('the savings', read, ({ json: { totals } }) => totals?.realised_value > 0)
    expect(json).toMatchObject({ merchant_id: merchant.id, range: '1h', currency: 'GBP' })
    expect(json.totals).toEqual({
      saved_value: expect.closeTo(2 * saved, 9),
      cost_won_count: 2,
      total_decisions: 2,
      realised_value: expect.closeTo(saved, 9),
      auth_value_given_up: 0,
      net_value: expect.closeTo(2 * saved, 9),
    })
    expect(json.trend).toEqual([{ bucket_ms: expect.any(Number), saved_value: expect.closeTo(2 * saved, 9) }])
    expect(json.available_currencies.map(({ currency }: { currency: string }) => currency)).toEqual(['EUR', 'GBP'])
  })

  test('is nothing for a merchant that never weighed', async () => {
    const other = await createMerchant(server.url)
    const { json } = await call(server.url, 'GET /analytics/cost-savings', { headers: { ...other.key, 'x-tenant-id': 'public' } })
    expect(json).toMatchObject({ currency: null, available_currencies: [], trend: [], totals: { saved_value: 0, total_decisions: 0 } })
  })
})

describe('what is learned', () => {
  const fitNumber = (fitCount: number, pctBps: number): FitIdentity & { readonly pctBps: number } => ({
    merchantId: merchant.id,
    merchantRegistrationCount: 1,
    connector: 'rapyd',
    account: 'a1',
    fitId: `fit_${fitCount}`,
    fitCount,
    at: Date.UTC(2026, 0, fitCount),
    pctBps,
  })

  const learn = async (identity: ReturnType<typeof fitNumber>): Promise<void> => {
    const events = fitEvents(identity, statisticsOf([]), [
      {
        cluster: {
          cardNetwork: 'visa',
          variant: 'visacredit',
          funding: 'credit',
          issuerCountry: 'DE',
          currency: 'EUR',
          interchangeCategory: '',
          cardProduct: '',
        },
        basis: 'payments',
        fee: { pctBps: identity.pctBps, fixed: 0 },
        n: 500,
        gross: 10_000,
        errorBps: 2,
        slopeErrorBps: 1,
        explainedShare: 1,
        verdict: 'GOOD',
        tiers: [],
      },
    ])
    await server.stop()
    const left = openLeftBehind(folder.path)
    await left.log.append(
      'costs',
      events.map((event, index) => ({
        key: merchant.id,
        value: codec.encode(event),
        headers: { id: `${identity.fitId}_${index}`, type: EVENT_CATALOGUE[event.type].subject },
      })),
    )
    await left.close()
    server = await startServer({ dataDir: folder.path })
  }
  const weigh = async () => {
    const { multi_objective_info: info } = await decide({ eligibleGatewayList: ['rapyd', 'adyen'] }, { cardIssuerCountry: 'DE' })
    return info.ranked.find(({ psp }: { psp: string }) => psp === 'rapyd')
  }

  testOnEmbedded('is in the decisions of a process that has caught up, from the log', async () => {
    await learn(fitNumber(1, 70))
    expect(await weigh()).toMatchObject({ costBps: 70, costSource: 'IN_HOUSE', costModel: { pctBps: 70, variant: 'visacredit' } })
  })

  testOnEmbedded('and from what is stored, the newest fit of all', async () => {
    await learn(fitNumber(2, 80))
    expect(await weigh()).toMatchObject({ costBps: 80 })
  })

  testOnEmbedded('stands in the event of the decision, with the version of the model', async () => {
    await server.stop()
    const left = openLeftBehind(folder.path)
    const events = (await allRecords(left.log)).map(eventOf)
    await left.close()
    server = await startServer({ dataDir: folder.path })
    const decisions = events.flatMap((event) => (event.type === 'GatewayDecided' ? [event.data] : []))
    expect(decisions.filter(({ costChoice }) => costChoice === null).length).toBeGreaterThan(0)
    expect(decisions.findLast(({ costChoice }) => costChoice?.outcome === 'COST_WON')?.costChoice).toMatchObject({
      cause: 'PROMOTED',
      chosen: 'rapyd',
      head: 'adyen',
      modelVersion: expect.stringMatching(/^costs-\d+-\d+$/),
      ranked: [
        { gateway: 'rapyd', costBps: 80, source: 'EXACT' },
        { gateway: 'adyen', source: 'CONNECTOR_OVERRIDE' },
      ],
    })
  })
})

describe('rates by contract (cost.md 13)', () => {
  const pricedOn = async (gateway: string) => {
    const { multi_objective_info: info } = await decide({ eligibleGatewayList: [gateway, 'adyen'] })
    return (info.ranked ?? []).find(({ psp }: { psp: string }) => psp === gateway)
  }

  test('price decisions where the deployment says so, and nowhere else', async () => {
    await put('seed-costs', { rows: [{ psp: 'paypal', interchange_bps: 100, scheme_bps: 10, markup_bps: 20, fixed: 0 }] })
    expect(await pricedOn('paypal')).toBeUndefined()
    await server.stop()
    server = await startServer({ dataDir: folder.path, env: { SWITCHYARD_CONTRACT_RATES_DECIDE: 'true' } })
    expect(await pricedOn('paypal')).toMatchObject({ costBps: 130, costSource: 'SEED', costModel: { pctBps: 130 } })
  })
})
