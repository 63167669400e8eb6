import { beforeAll, describe, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest, eventually, type TestMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const PAYMENT_COUNT = 30
const tenant = { 'x-tenant-id': 'public' }

const server = useServer({ SR_AUTO_CALIBRATION_INTERVAL_SECS: '1', SWITCHYARD_SR_AUTO_CALIBRATION__MIN_VOLUME: String(PAYMENT_COUNT) })
let merchant: TestMerchant

const post = (path: string, body: object) => call(server.url, `POST ${path}`, { body, headers: merchant.key })
const get = (path: string) => call(server.url, `GET ${path}`, { headers: { ...merchant.key, ...tenant } })
const toggle = (feature: string, enabled = true) => post(`/merchant-account/${merchant.id}/features/${feature}`, { enabled })
const settings = () => post('/rule/get', { merchant_id: merchant.id, algorithm: 'successRate' })
const feed = (query = '') => get(`/analytics/routing-events?range=1h${query}`)

interface FeedEvent {
  readonly event_type: string
  readonly outcome: string
}
const calibrations = ({ json }: { readonly json: { readonly events?: readonly FeedEvent[] } }): readonly FeedEvent[] =>
  (json.events ?? []).filter(({ event_type: type }) => type.startsWith('calibration'))

beforeAll(async () => {
  merchant = await createMerchant(server.url)
  for (let index = 0; index < PAYMENT_COUNT; index++) {
    const paymentId = `pay_${index}`
    const { json } = await post('/decide-gateway', decisionRequest(merchant.id, paymentId))
    await post('/update-gateway-score', { merchantId: merchant.id, gateway: json.decided_gateway, paymentId, status: 'CHARGED' })
  }
})

describe('the self-tuning', () => {
  test('with auto-calibration alone it says what it would do, and writes nothing', async () => {
    expect((await toggle('auto-calibration')).status).toBe(200)
    const seen = (answer: Parameters<typeof calibrations>[0]) => calibrations(answer).some(({ outcome }) => outcome === 'observe_only')
    const { json } = await eventually('a run', () => feed('&include=all'), seen)
    expect(json.events.find(({ outcome }: FeedEvent) => outcome === 'observe_only')).toMatchObject({
      event_type: 'calibration_evaluated',
      flow_type: 'autopilot_calibration',
      payment_method_type: 'CARD',
      payment_method: 'CREDIT',
      gateway: '',
      score: null,
      bucket_size: 100,
      payment_count: PAYMENT_COUNT,
      gateway_count: 3,
    })
    expect(calibrations(await feed())).toEqual([])
    expect((await settings()).status).toBe(404)
  })

  test('with autopilot it writes a row that decisions use, and tells of it', async () => {
    expect((await toggle('autopilot')).status).toBe(200)
    const { json } = await eventually(
      'a row',
      () => feed(),
      (answer) => calibrations(answer).length > 0,
    )
    expect(calibrations({ json })).toMatchObject([{ event_type: 'calibration_applied', outcome: 'applied', bucket_size: 100 }])
    const stored = await settings()
    expect(stored.json.config.data.subLevelInputConfig).toMatchObject([
      { paymentMethodType: 'CARD', paymentMethod: 'CREDIT', bucketSize: 100, source: 'autopilot' },
    ])
    const { hedgingPercent } = stored.json.config.data.subLevelInputConfig[0]
    expect(hedgingPercent).toBeGreaterThan(5)
    await post('/decide-gateway', decisionRequest(merchant.id, 'pay_tuned'))
    const told = await eventually(
      'the explanation',
      () => get('/decisions/pay_tuned'),
      ({ status }) => status === 200,
    )
    expect(told.json.decision.settings).toMatchObject({ bucket_size: 100, hedging_percent: hedgingPercent })
    expect(told.json.decision.settings_from).toMatchObject({ bucket_size: 'MERCHANT_ROW', hedging_percent: 'MERCHANT_ROW' })
  })

  test('the report says what was changed and what approvals did', async () => {
    const { status, json } = await get('/analytics/self-tuning?range=1h')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      merchant_id: merchant.id,
      mode: 'autopilot',
      total_results: 1,
      rows: [{ payment_method_type: 'CARD', payment_method: 'CREDIT', source: 'autopilot', bucket_size: 100 }],
      changes: [
        {
          outcome: 'applied',
          payment_method_type: 'CARD',
          bucket_size: 100,
          payment_count: PAYMENT_COUNT,
          before: { payment_count: expect.any(Number) },
          after: { payment_count: expect.any(Number), approval_rate: null },
          delta_pp: null,
        },
      ],
    })
    // Figures go by whole minutes: the payments, all of them approved, came in the minute of the change, or in the one before.
    const { before } = json.changes[0]
    expect(before.approval_rate).toBe(before.payment_count === 0 ? null : 1)
    expect(json.run_count).toBeGreaterThan(1)
    const { json: changes } = await get('/audit/changes?change=ScoringCalibrated')
    expect(changes.changes).toMatchObject([{ change: 'ScoringCalibrated', actor: 'system:tuner', subject: 'success-rate-scoring' }])
  })

  test('one call takes it back for good', async () => {
    const undone = await post('/self-tuning/undo', { merchant_id: merchant.id })
    expect(undone).toMatchObject({ status: 200, json: { merchant_id: merchant.id, removed_overrides: 1, autopilot: false } })
    const { json } = await get('/analytics/self-tuning')
    expect(json).toMatchObject({ mode: 'observe_only', rows: [] })
    const after = json.run_count
    await eventually(
      'another run',
      () => get('/analytics/self-tuning'),
      (answer) => answer.json.run_count > after + 1,
    )
    expect((await settings()).json.config.data.subLevelInputConfig).toEqual([])
    const again = await post('/self-tuning/undo', { merchant_id: merchant.id })
    expect(again).toMatchObject({ status: 200, json: { removed_overrides: 0 } })
  })

  test('a run that finds no payments is an event of the feed too, where all are asked for', async () => {
    const idle = await createMerchant(server.url)
    const headers = { ...idle.key, ...tenant }
    await call(server.url, `POST /merchant-account/${idle.id}/features/auto-calibration`, { body: { enabled: true }, headers })
    const read = (query: string) => call(server.url, `GET /analytics/routing-events?range=1h${query}`, { headers })
    const { json } = await eventually(
      'a run',
      () => read('&include=all'),
      (answer) => calibrations(answer).length > 0,
    )
    expect(json.events[0]).toMatchObject({
      id: `calibration_evaluated:${idle.id}:-:-:-:-:-:-:${json.events[0].bucket_ms}`,
      flow_type: 'autopilot_calibration',
      outcome: 'insufficient_traffic',
      payment_method_type: null,
      payment_method: null,
      payment_count: 0,
    })
    expect(calibrations(await read('&include=all&payment_method_type=CARD'))).toEqual([])
    expect(calibrations(await read(''))).toEqual([])
  })

  test.each([
    ['of nobody', {}, 422],
    ['of a merchant that is not there', { merchant_id: 'm_nobody' }, 404],
  ])('undoing that %s is refused', async (_, body, status) => {
    expect((await post('/self-tuning/undo', body)).status).toBe(status)
  })
})
