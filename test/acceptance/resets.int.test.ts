import { beforeEach, describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant, type TestMerchant } from '../support/client.ts'
import { feedbackClient, positionOf, tenant } from '../support/feedback-client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const { configure, decide, report, audit, scoreAfter, reasonsOf } = feedbackClient(
  () => server.url,
  () => merchant,
)

describe('POST /gateway-score/reset', () => {
  const reset = (body: unknown, headers: Readonly<Record<string, string>> = merchant.key) =>
    call(server.url, 'POST /gateway-score/reset', { body, headers: { ...tenant, ...headers } })

  test('scores begin anew, the settings of people stay, and outcomes of earlier decisions are ignored', async () => {
    await configure({ subLevelInputConfig: [{ paymentMethodType: 'CARD', bucketSize: 5 }] })
    for (const paymentId of ['p_1', 'p_2']) await decide(paymentId)
    await report('p_1', 'FAILURE')
    const before = await report('p_2', 'FAILURE', { gateway: 'adyen' })
    expect(await scoreAfter(before)).toBeCloseTo(0.8, 10)
    const done = await reset({ merchant_id: ` ${merchant.id} ` })
    expect(done).toMatchObject({ status: 200, json: { merchant_id: merchant.id, deleted_keys: 4, removed_overrides: 0 } })
    expect((await decide('p_3')).json.gateway_priority_map).toEqual({ stripe: 1, adyen: 1, checkout: 1 })
    const late = await report('p_2', 'FAILURE')
    expect(await scoreAfter(late)).toBe(1)
    expect((await reasonsOf('p_2', late)).at(-1)).toMatchObject({ disposition: 'reset', counted_as: null })
    expect(await scoreAfter(await report('p_3', 'FAILURE'))).toBeCloseTo(0.8, 10)
    const again = await reset({ merchantId: merchant.id })
    expect(again.json).toEqual({ merchant_id: merchant.id, deleted_keys: 2, removed_overrides: 0 })
    expect((await reset({ merchant_id: merchant.id })).json).toMatchObject({ deleted_keys: 0, removed_overrides: 0 })
    const rule = await call(server.url, 'POST /rule/get', {
      body: { merchant_id: merchant.id, algorithm: 'successRate' },
      headers: merchant.key,
    })
    expect(rule.json.config.data.subLevelInputConfig).toMatchObject([{ paymentMethodType: 'CARD', bucketSize: 5 }])
  })

  test('a merchant whose id begins alike is left alone', async () => {
    const other = merchant
    merchant = await createMerchant(server.url, `${other.id}_eu`)
    await configure({})
    await decide('p_1')
    const failed = await report('p_1', 'FAILURE')
    expect((await reset({ merchant_id: other.id }, other.key)).json.deleted_keys).toBe(0)
    expect(await scoreAfter(failed)).toBeCloseTo(0.9, 10)
  })

  test.each([
    ['nobody', { merchant_id: '*' }, admin, 200, { merchant_id: '*', deleted_keys: 0, removed_overrides: 0 }],
    ['a blank id', { merchant_id: ' ' }, admin, 400, { code: 'TE_00', message: 'Missing required param: merchant_id', data: null }],
    ['no id', {}, admin, 422, { code: 'TE_03' }],
    ['both names', { merchant_id: 'a', merchantId: 'a' }, admin, 422, { code: 'TE_03' }],
    ['no credential', { merchant_id: 'a' }, {}, 401, { code: 'TE_04' }],
  ])('%s', async (_name, body, headers, status, json) => {
    expect(await reset(body, headers)).toMatchObject({ status, json })
  })

  test('a merchant that does not exist was refused as one of somebody else: with every credential it has nothing to reset', async () => {
    const unknown = `${merchant.id}_unknown`
    expect(await reset({ merchant_id: unknown })).toMatchObject({
      status: 200,
      json: { merchant_id: unknown, deleted_keys: 0, removed_overrides: 0 },
    })
  })

  test("another's scores and a missing tenant are refused", async () => {
    const other = await createMerchant(server.url)
    expect((await reset({ merchant_id: merchant.id }, other.key)).status).toBe(403)
    expect(
      (await call(server.url, 'POST /gateway-score/reset', { body: { merchant_id: merchant.id }, headers: merchant.key })).status,
    ).toBe(400)
  })
})

describe('a merchant that is closed and registered again', () => {
  test('starts with fresh scores and sees nothing of the earlier one', async () => {
    await configure({})
    await decide('p_1')
    const failed = await report('p_1', 'FAILURE')
    expect(await scoreAfter(failed)).toBeCloseTo(0.9, 10)
    await audit('p_1', failed)
    await call(server.url, `DELETE /merchant-account/${merchant.id}`, { headers: merchant.key })
    merchant = await createMerchant(server.url, merchant.id)
    expect((await decide('p_2')).json.gateway_priority_map.stripe).toBe(1)
    const answer = await report('p_2', 'CHARGED')
    expect((await audit('p_1', answer)).json).toMatchObject({ results: [], timeline: [] })
    expect((await audit('p_2', answer)).json.timeline).toHaveLength(2)
    const overview = await call(server.url, 'GET /analytics/overview?range=1d', {
      headers: { ...merchant.key, ...tenant, ...positionOf(answer) },
    })
    expect(overview.json.outcome_counts).toMatchObject({ approved: 1, declined: 0 })
    expect(overview.json.top_scores).toMatchObject([{ gateway: 'stripe', score_value: 1 }])
  })

  test('leaves nothing of its payments behind: the same payment id begins anew', async () => {
    await configure({})
    await decide('p_same')
    const failed = await report('p_same', 'FAILURE')
    await audit('p_same', failed)
    await call(server.url, `DELETE /merchant-account/${merchant.id}`, { headers: merchant.key })
    merchant = await createMerchant(server.url, merchant.id)
    await decide('p_same')
    const answer = await report('p_same', 'CHARGED')
    const { json } = await audit('p_same', answer)
    expect(json.results).toMatchObject([{ latest_status: 'CHARGED', event_count: 2 }])
    expect(JSON.stringify(json.results)).not.toContain('FAILURE')
  })
})
