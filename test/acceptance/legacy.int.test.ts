import { beforeEach, describe, expect, test } from '@jest/globals'
import { call, createMerchant, type TestMerchant } from '../support/client.ts'
import { feedbackClient, positionOf, tenant } from '../support/feedback-client.ts'
import { legacyDecision, legacyOutcome } from '../support/legacy-bodies.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const { audit, configure, decide, report, scoreAfter } = feedbackClient(
  () => server.url,
  () => merchant,
)

const decision = (paymentId: string, change: object = {}, transaction: object = {}) =>
  legacyDecision(merchant.id, paymentId, change, transaction)
const outcome = (paymentId: string, detail: object = {}, change: object = {}, card: object = {}) =>
  legacyOutcome(merchant.id, paymentId, { detail, change, card })
const send = (path: string, body: unknown) => call(server.url, `POST ${path}`, { body, headers: merchant.key })

describe('POST /decision_gateway', () => {
  test('answers the decision of the newer interface, wrapped', async () => {
    const { status, json } = await send('/decision_gateway', decision('p_1'))
    expect(status).toBe(200)
    expect(json).toEqual({
      decided_gateway: expect.objectContaining({
        decided_gateway: 'adyen',
        fallback_gateways: ['stripe'],
        routing_approach: 'PRIORITY_LOGIC',
        gateway_mga_id_map: {},
        is_rust_based_decider: true,
      }),
      filter_list: [],
      latency: expect.any(Number),
    })
    const shadow = await send('/decision_gateway', decision('p_2', { shouldConsumeResult: false }))
    expect(shadow.json.decided_gateway.is_rust_based_decider).toBe(false)
  })

  test('nothing to choose from is told in the decision envelope', async () => {
    expect(await send('/decision_gateway', decision('p_1', { enforceGatewayList: [] }))).toMatchObject({
      status: 400,
      json: { error_info: { code: 'GATEWAY_NOT_FOUND' } },
    })
  })

  test.each([
    ['a body of the newer interface', () => ({ merchantId: merchant.id, paymentInfo: {} }), 'orderReference'],
    ['no partition key', () => decision('p_1', {}, { partitionKey: undefined }), 'txnDetail.partitionKey'],
    ['no udfs', () => decision('p_1', { orderReference: {} }), 'orderReference.udfs'],
    ['no currency', () => decision('p_1', { orderReference: { udfs: [] } }, { currency: null }), 'missing field `txnDetail.currency`'],
    ['an unknown currency', () => decision('p_1', {}, { currency: 'eur' }), '`txnDetail.currency`: expected an ISO 4217 code'],
    ['a gateway without a name', () => decision('p_1', { enforceGatewayList: ['adyen', ''] }), 'enforceGatewayList[1]'],
  ])('%s is refused by name', async (_name, body, field) => {
    expect(await send('/decision_gateway', body())).toMatchObject({
      status: 400,
      json: {
        error_message: 'Error parsing request payload',
        error_info: { code: 'INVALID_INPUT', developer_message: expect.stringContaining(field) },
      },
    })
  })

  test("an unknown merchant and another's", async () => {
    const unknown = decision('p_1', { merchantAccount: { merchantId: 'nobody', gatewaySuccessRateBasedDeciderInput: '' } })
    expect(await send('/decision_gateway', unknown)).toMatchObject({ status: 400, json: { error_info: { code: 'MERCHANT_NOT_FOUND' } } })
    const other = await createMerchant(server.url)
    const foreign = decision('p_1', { merchantAccount: { merchantId: other.id, gatewaySuccessRateBasedDeciderInput: '' } })
    expect((await send('/decision_gateway', foreign)).status).toBe(403)
  })
})

describe('POST /update-score', () => {
  test('reports like the newer interface, and answers a text', async () => {
    await configure({})
    await decide('p_1')
    const answer = await send('/update-score', outcome('p_1'))
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([200, 'Success', 'text/plain; charset=utf-8'])
    expect(await scoreAfter(answer)).toBeCloseTo(0.9, 10)
  })

  test('a status that nobody knows is a failure; a failure can be enforced', async () => {
    await configure({})
    for (const paymentId of ['p_1', 'p_2']) await decide(paymentId)
    expect(await scoreAfter(await send('/update-score', outcome('p_1', { status: 'LOST' })))).toBeCloseTo(0.9, 10)
    const enforced = await send('/update-score', outcome('p_2', { status: 'CHARGED' }, { enforce_dynaic_routing_failure: true }))
    expect(await scoreAfter(enforced)).toBeCloseTo(0.8, 10)
  })

  test.each([
    ['no gateway', () => outcome('p_1', { gateway: null }), 'GATEWAY_NOT_FOUND', 'Gateway is empty'],
    ['a bad currency', () => outcome('p_1', { currency: 'euro' }), 'INVALID_REQUEST', 'Invalid request'],
    ['a bad card id', () => outcome('p_1', {}, {}, { id: 'x' }), 'INVALID_REQUEST', 'Invalid request'],
    ['an id that is no number', () => outcome('p_1', { id: 'x' }), 'INVALID_INPUT', 'Error parsing request payload'],
    ['no partition key', () => outcome('p_1', {}, {}, { partitionKey: undefined }), 'INVALID_INPUT', 'Error parsing request payload'],
    ['an unknown merchant', () => outcome('p_1', { merchantId: 'nobody' }), 'MERCHANT_NOT_FOUND', 'Merchant not found'],
    ['broken JSON', () => '{', 'INVALID_INPUT', 'Error parsing request payload'],
  ])('%s is 400', async (_name, body, code, message) => {
    expect(await send('/update-score', body())).toMatchObject({ status: 400, json: { error_message: message, error_info: { code } } })
  })
})

describe('a call of the older interface that is refused', () => {
  test("is an error of the credential's merchant, found by its payment", async () => {
    await send('/decision_gateway', decision('p_1', {}, { currency: 'eur' }))
    await send('/update-score', outcome('p_1', { gateway: null }))
    await send('/update-score', outcome('p_1', { merchantId: 'nobody' }))
    await send('/update-score', '{')
    await decide('p_2')
    const last = await report('p_2', 'CHARGED')
    const { json } = await audit('p_1', last)
    expect(json.timeline).toMatchObject([
      { flow_type: 'decide_gateway_error', error_code: 'INVALID_INPUT', payment_method: 'CREDIT' },
      { flow_type: 'update_gateway_score_error', error_code: 'GATEWAY_NOT_FOUND', gateway: null },
      { flow_type: 'update_gateway_score_error', error_code: 'MERCHANT_NOT_FOUND', gateway: 'stripe' },
    ])
    const overview = await call(server.url, 'GET /analytics/overview', { headers: { ...merchant.key, ...tenant, ...positionOf(last) } })
    expect(overview.json.total_errors).toBe(4)
  })
})
