import { beforeEach, describe, expect, test } from '@jest/globals'
import { type Answer, admin, call, createMerchant, type TestMerchant } from '../support/client.ts'
import { feedbackClient, positionOf } from '../support/feedback-client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const { configure, decide, report } = feedbackClient(
  () => server.url,
  () => merchant,
)

describe('GET /decisions/{payment_id}', () => {
  const explain = (paymentId: string, last?: Answer, headers = merchant.key) =>
    call(server.url, `GET /decisions/${paymentId}`, { headers: { ...headers, ...(last && positionOf(last)) } })

  test('tells the decision as it was recorded and what came of it, in words and as data', async () => {
    await configure({ defaultBucketSize: 50 })
    const { json } = await decide('p/1')
    const answer = await report('p/1', 'FAILURE', { gateway: json.decided_gateway })
    const explained = await explain('p%2F1', answer)
    expect(explained).toMatchObject({
      status: 200,
      json: {
        merchant_id: merchant.id,
        payment_id: 'p/1',
        verdict: 'declined',
        decision: {
          candidates: expect.arrayContaining([{ gateway: json.decided_gateway, score: 1, rank: 1 }]),
          settings: { bucket_size: 50, hedging_percent: 0 },
          settings_from: { bucket_size: 'MERCHANT_DEFAULT' },
          exploration: { explored: false, percent: 0, draw: expect.any(Number) },
          winner: { gateway: json.decided_gateway, reason: 'TIE' },
          fallback_gateways: json.fallback_gateways,
        },
        outcomes: [{ status: 'FAILURE', disposition: 'counted', counted_as: 'failure', score_after: 0.98, sample_count: 1 }],
        in_words: expect.arrayContaining([expect.stringContaining('Its score was 0.98 afterwards.')]),
      },
    })
  })

  test('tells of each setting where it came from', async () => {
    const row = { paymentMethodType: 'CARD', paymentMethod: 'CREDIT' }
    await configure({
      defaultBucketSize: 50,
      defaultGatewayExtraScore: [{ gatewayName: 'adyen', gatewaySigmaFactor: 1 }],
      subLevelInputConfig: [
        { ...row, currency: 'EUR', hedgingPercent: 20 },
        { ...row, hedgingPercent: 10, gatewayExtraScore: [{ gatewayName: 'adyen', gatewaySigmaFactor: 2 }] },
      ],
    })
    await decide('p_1')
    expect((await explain('p_1', await report('p_1', 'CHARGED'))).json.decision).toMatchObject({
      settings: {
        bucket_size: 50,
        hedging_percent: 20,
        latency_threshold_ms: 90_000,
        extra_scores: [{ gateway: 'adyen', sigma_factor: 2 }],
      },
      settings_from: {
        bucket_size: 'MERCHANT_DEFAULT',
        hedging_percent: 'MERCHANT_ROW',
        latency_threshold_ms: 'DEPLOYMENT_DEFAULT',
        extra_scores: 'MERCHANT_ROW',
      },
    })
  })

  test('an unknown payment is 404; it is of the own merchant, and an admin has none', async () => {
    await configure({})
    const last = await report('p_1', 'CHARGED')
    expect((await explain('p_1', last)).status).toBe(200)
    expect(await explain('p_unknown')).toMatchObject({ status: 404, json: { code: 'TE_02' } })
    const other = await createMerchant(server.url)
    expect((await explain('p_1', last, other.key)).status).toBe(404)
    expect((await explain('p_1', undefined, admin)).status).toBe(401)
    expect((await call(server.url, 'GET /decisions/p_1')).status).toBe(401)
  })
})
