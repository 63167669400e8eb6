import { beforeEach, describe, expect, test } from '@jest/globals'
import { call, createMerchant, eventually, type TestMerchant } from '../support/client.ts'
import { feedbackClient } from '../support/feedback-client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()
let merchant: TestMerchant
beforeEach(async () => {
  merchant = await createMerchant(server.url)
})

const { configure, decide, report, audit, scoreAfter, reasonsOf, toggle } = feedbackClient(
  () => server.url,
  () => merchant,
)

const SUCCESSES = [
  'CHARGED',
  'AUTHORIZED',
  'COD_INITIATED',
  'VOIDED',
  'VOID_INITIATED',
  'CAPTURE_INITIATED',
  'CAPTURE_FAILED',
  'VOID_FAILED',
  'AUTO_REFUNDED',
  'PARTIAL_CHARGED',
  'TO_BE_CHARGED',
]
const FAILURES = ['AUTHENTICATION_FAILED', 'AUTHORIZATION_FAILED', 'JUSPAY_DECLINED', 'FAILURE', 'DECLINED']
const OPEN = ['STARTED', 'PENDING_VBV', 'VBV_SUCCESSFUL', 'AUTHORIZING', 'NOP', 'PENDING']

describe('every status', () => {
  test.each([
    ...SUCCESSES.map((status) => [status, 0.9, 'counted', 'success'] as const),
    ...FAILURES.map((status) => [status, 0.8, 'counted', 'failure'] as const),
    ...OPEN.map((status) => [status, 0.9, 'pending', null] as const),
  ])('%s, reported at once, leaves the score at %d: %s', async (status, score, disposition, countedAs) => {
    await configure({})
    await decide('p_0')
    await report('p_0', 'FAILURE')
    await decide('p_1')
    const answer = await report('p_1', status)
    expect(answer.status).toBe(200)
    expect(await scoreAfter(answer)).toBeCloseTo(score, 10)
    expect(await reasonsOf('p_1', answer)).toMatchObject([{ disposition, counted_as: countedAs, reason: expect.any(String) }])
  })

  test.each(OPEN)('%s, reported when the latency threshold is over, is a failure', async (status) => {
    await configure({ defaultLatencyThreshold: 0 })
    await decide('p_1')
    const answer = await report('p_1', status)
    expect(await scoreAfter(answer)).toBeCloseTo(0.9, 10)
    expect(await reasonsOf('p_1', answer)).toMatchObject([{ disposition: 'counted', counted_as: 'failure' }])
  })

  test('a pending report becomes a failure when its threshold is over and nothing else is heard', async () => {
    await configure({ defaultLatencyThreshold: 0.2 })
    await decide('p_1')
    const started = await report('p_1', 'STARTED')
    expect(await reasonsOf('p_1', started)).toMatchObject([{ disposition: 'pending' }])
    // Every decision tells the fold the time; nothing else moves it.
    await eventually(
      'the pending payment counts',
      () => decide(`p_${Math.random()}`),
      ({ json }) => json.gateway_priority_map.stripe === 0.9,
    )
    await eventually(
      'the audit tells it',
      () => audit('p_1', started),
      ({ json }) => json.timeline.at(-1).details_json.selection_reason.counted_as === 'failure',
    )
    const charged = await report('p_1', 'CHARGED')
    expect(await scoreAfter(charged)).toBe(1)
    expect((await reasonsOf('p_1', charged)).map(({ disposition }) => disposition)).toEqual(['counted', 'corrected'])
  })

  test('an enforced failure is one whatever the status says', async () => {
    await configure({})
    await decide('p_1')
    expect(await scoreAfter(await report('p_1', 'CHARGED', { enforceDynamicRoutingFailure: true }))).toBeCloseTo(0.9, 10)
  })
})

describe('outcomes that do not count are visible with their reason', () => {
  test('repeats, conflicts, corrections, and gateways that were no candidate', async () => {
    await configure({})
    await decide('p_1')
    await report('p_1', 'DECLINED')
    await report('p_1', 'FAILURE')
    await report('p_1', 'CHARGED')
    await report('p_1', 'FAILURE')
    const last = await report('p_1', 'CHARGED', { gateway: 'elsewhere' })
    const reasons = await reasonsOf('p_1', last)
    expect(reasons.map(({ disposition }) => disposition)).toEqual(['counted', 'repeated', 'corrected', 'conflicting', 'foreign'])
    expect(new Set(reasons.map(({ reason }) => reason)).size).toBe(5)
  })

  test('an early outcome waits, and counts when the decision comes', async () => {
    await configure({})
    const early = await report('p_1', 'FAILURE')
    expect(await reasonsOf('p_1', early)).toMatchObject([{ disposition: 'waiting', reason: expect.stringContaining('waits') }])
    await decide('p_1')
    await eventually(
      'the early outcome counts',
      () => audit('p_1', early),
      ({ json }) => json.timeline[0]?.details_json.selection_reason.disposition === 'counted',
    )
  })

  test("another merchant's payment is refused and changes nothing", async () => {
    await configure({})
    await decide('p_1')
    const other = await createMerchant(server.url)
    const body = { merchantId: merchant.id, gateway: 'stripe', paymentId: 'p_1', status: 'FAILURE' }
    const refused = await call(server.url, 'POST /update-gateway-score', { body, headers: other.key })
    expect(refused).toMatchObject({ status: 403, json: { error_info: { code: 'MERCHANT_FOREIGN' } } })
    const theirs = { ...body, merchantId: other.id }
    const answer = await call(server.url, 'POST /update-gateway-score', { body: theirs, headers: other.key })
    expect(await scoreAfter(answer)).toBe(1)
  })
})

describe('the error-code filter', () => {
  const errorInfo = { connector: 'stripe', flow: 'Payment', subFlow: 'Authorize', errorCode: 'expired_card', errorMessage: 'expired' }
  const gsmInfo = {
    decision: 'do_default',
    stepUpPossible: false,
    clearPanPossible: false,
    alternateNetworkPossible: false,
    unifiedCode: 'UE_1000',
    unifiedMessage: 'Issue with Payment Method details',
    errorCategory: 'payment_method_details',
    standardisedCode: 'expired_card',
    description: expect.any(String),
    userGuidanceMessage: expect.any(String),
  }

  test('a known error is classified in the answer, whatever the flag; an unknown one is not', async () => {
    await configure({})
    await decide('p_1')
    const known = await report('p_1', 'FAILURE', { errorInfo })
    expect(known.json).toEqual({
      message: 'Gateway score updated successfully',
      merchant_id: merchant.id,
      gateway: 'stripe',
      payment_id: 'p_1',
      gsm_info: gsmInfo,
    })
    expect(await scoreAfter(known)).toBeCloseTo(0.9, 10)
    const unknown = await report('p_1', 'FAILURE', { errorInfo: { ...errorInfo, errorCode: 'never_heard_of' } })
    expect(unknown.json).not.toHaveProperty('gsm_info')
  })

  test("with the flag a failure of the payer's card is excused; a technical failure and any success count", async () => {
    await configure({})
    await toggle('gsm-scoring-filter')
    for (const paymentId of ['p_1', 'p_2', 'p_3']) await decide(paymentId)
    const excused = await report('p_1', 'FAILURE', { errorInfo })
    expect(excused.json.gsm_info).toEqual(gsmInfo)
    expect(await scoreAfter(excused)).toBe(1)
    expect(await reasonsOf('p_1', excused)).toMatchObject([{ disposition: 'excused', counted_as: null }])
    const technical = await report('p_2', 'FAILURE', { errorInfo: { ...errorInfo, errorCode: 'processing_error' } })
    expect(await scoreAfter(technical)).toBeCloseTo(0.9, 10)
    const success = await report('p_3', 'CHARGED', { errorInfo })
    expect(await reasonsOf('p_3', success)).toMatchObject([{ disposition: 'counted', counted_as: 'success' }])
  })

  test('the rows can be read', async () => {
    const { status, json } = await call(server.url, 'GET /gsm/options', { headers: merchant.key })
    expect(status).toBe(200)
    expect(json.rules).toContainEqual({ connector: 'stripe', flow: '*', subFlow: '*', code: 'expired_card', message: '*', ...gsmInfo })
    expect((await call(server.url, 'GET /gsm/options')).status).toBe(401)
  })
})
