import { describe, expect, test } from '@jest/globals'
import { admin, call } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()

const ask = (request: string, body?: unknown, headers: Readonly<Record<string, string>> = admin) =>
  call(server.url, request, { headers, ...(body !== undefined && { body }) })

/** The examples of platform.md 14b, member by member and in their order. */
describe('the platform’s examples', () => {
  let bearer: Readonly<Record<string, string>>

  test('a merchant and its first key', async () => {
    const { status, text } = await ask('POST /merchant-account/create', {
      merchant_id: 'm_77',
      gateway_success_rate_based_decider_input: null,
    })
    const created =
      '{"message":"Merchant account created successfully","merchant_id":"m_77","gateway_success_rate_based_decider_input":null,"api_key":"DE_'
    expect([status, text]).toEqual([200, expect.stringMatching(/"api_key":"DE_[0-9a-f]{64}"}$/)])
    expect(text.slice(0, created.length)).toBe(created)
  })

  test('logging in, and who that is', async () => {
    const password = 'Blue#Sky2024'
    await ask('POST /auth/signup', { email: 'ops@example.test', password, merchant_id: 'm_77' })
    const session = await ask('POST /auth/login', { email: 'ops@example.test', password }, {})
    const { token, user_id } = session.json
    const merchants = [{ merchant_id: 'm_77', merchant_name: 'm_77', role: 'admin' }]
    const identity = { user_id, email: 'ops@example.test', merchant_id: 'm_77', role: 'admin' }
    expect(session.text).toBe(JSON.stringify({ token, ...identity, merchants }))
    bearer = { authorization: `Bearer ${token}` }
    const me = await ask('GET /auth/me', undefined, bearer)
    expect(me.json).toEqual({
      ...identity,
      email_verified: true,
      merchants,
      is_super_admin: false,
      is_super_admin_view: false,
      permissions: ['routing:read', 'routing:write'],
    })
  })

  test('a key', async () => {
    const { json } = await ask('POST /api-key/create', { merchant_id: 'm_77', description: 'checkout' }, bearer)
    expect(Object.keys(json).slice(0, 6)).toEqual(['key_id', 'api_key', 'key_prefix', 'merchant_id', 'description', 'created_at'])
    expect(json).toMatchObject({ key_prefix: json.api_key.slice(0, 11), merchant_id: 'm_77', description: 'checkout' })
    expect(new Date(json.created_at).toISOString()).toBe(json.created_at)
  })

  test('settings of scores, with every member', async () => {
    const entry = { paymentMethodType: 'CARD', currency: 'EUR', hedgingPercent: 8 }
    const config = { type: 'successRate', data: { defaultBucketSize: 160, subLevelInputConfig: [entry] } }
    const { status, text } = await ask('POST /rule/create', { merchant_id: 'm_77', config }, bearer)
    const unset = { latencyThreshold: null, bucketSize: null }
    const knobs = { lowerResetFactor: null, upperResetFactor: null, gatewayExtraScore: null }
    const stored = { paymentMethodType: 'CARD', paymentMethod: null, currency: 'EUR', ...unset, hedgingPercent: 8, ...knobs }
    const data = {
      defaultLatencyThreshold: null,
      defaultBucketSize: 160,
      defaultHedgingPercent: null,
      defaultLowerResetFactor: null,
      defaultUpperResetFactor: null,
      defaultGatewayExtraScore: null,
      subLevelInputConfig: [stored],
      margin: null,
    }
    const message = 'Success Rate Configuration created successfully'
    expect([status, text]).toEqual([200, JSON.stringify({ message, merchant_id: 'm_77', config: { type: 'successRate', data } })])
  })

  test('settings that are not there', async () => {
    const { status, text } = await ask('POST /rule/get', { merchant_id: 'm_77', algorithm: 'elimination' }, bearer)
    expect([status, text]).toEqual([404, '{"code":"TE_04","message":"Rule configuration not found","data":null}'])
  })

  test('a flag', async () => {
    const { status, text } = await ask('POST /merchant-account/m_77/features/autopilot', { enabled: true }, bearer)
    const slugs = [
      'gsm-scoring-filter',
      'explore-exploit-srv3',
      'ab-test-real-payments',
      'multi-objective-routing',
      'elimination',
      'auto-calibration',
    ]
    const features = [...slugs.map((feature) => ({ feature, enabled: false })), { feature: 'autopilot', enabled: true }]
    expect([status, text]).toEqual([200, JSON.stringify({ merchant_id: 'm_77', features })])
  })

  test('a tenant that is missing', async () => {
    const { status, text } = await ask('POST /gateway-score/reset', { merchant_id: 'm_77' }, bearer)
    expect([status, text]).toEqual([400, '{"code":"TE_03","message":"Tenant error: x-tenant-id not found in headers","data":null}'])
  })
})
