import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runtimeCollections as collections } from '@switchyard/composition'
import { createMemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import {
  sampleAdmin as admin,
  bearer,
  createSampleClient,
  failure,
  SAMPLE_PASSWORD as password,
  type SampleClient,
} from '../sample-client.fixture.ts'
import { type SampleCommandApi, startSampleCommandApi } from '../sample-command-api.fixture.ts'

const START = Date.UTC(2031, 0, 2, 3, 4, 5, 678)
const NOT_SUPPORTED = failure(403, 'Operation not supported for this session type')

describe('sessions', () => {
  let api: SampleCommandApi
  let client: SampleClient
  let now = START

  beforeEach(async () => {
    now = START
    api = await startSampleCommandApi(createMemoryLog(), createMemoryStore({ collections }), () => now)
    client = createSampleClient(api.url)
  })
  afterEach(() => api.stop())

  const me = (token: unknown) => client.call('GET', '/auth/me', bearer(String(token)))
  const post = (token: unknown, path: string, body?: object) => client.call('POST', path, bearer(String(token)), body)
  const logIn = async () => (await client.call('POST', '/auth/login', {}, { email: 'ops@example.test', password })).body

  const twoMerchants = async (): Promise<string> => {
    await client.createMerchant('m1')
    const token = await client.signUp('ops@example.test', 'm1')
    return String((await post(token, '/onboarding/merchant', { merchant_name: 'Mine' })).body['token'])
  }

  describe('switching', () => {
    test('gives a token for another merchant of one’s own; the one before goes on', async () => {
      const token = await twoMerchants()
      const switched = await post(token, '/auth/switch-merchant', { merchant_id: 'm1' })
      expect(switched.body).toMatchObject({ merchant_id: 'm1', role: 'admin', merchants: [{}, {}] })
      expect(switched.body['token']).not.toBe(token)
      expect((await me(switched.body['token'])).body['merchant_id']).toBe('m1')
      expect((await me(token)).status).toBe(200)
      expect(await client.list('/auth/merchants', bearer(token))).toEqual(switched.body['merchants'])
    })
    test('to a merchant of others, or to none, is refused alike', async () => {
      const token = await twoMerchants()
      await client.createMerchant('m2')
      for (const merchant_id of ['m2', 'm9'])
        expect(await post(token, '/auth/switch-merchant', { merchant_id })).toMatchObject(failure(404, 'Merchant not found'))
    })
    test('does not make a session longer, and logging out ends all its tokens', async () => {
      const token = await twoMerchants()
      now += 86_000_000
      const switched = String((await post(token, '/auth/switch-merchant', { merchant_id: 'm1' })).body['token'])
      expect((await me(switched)).status).toBe(200)
      await post(switched, '/auth/logout')
      expect([(await me(switched)).status, (await me(token)).status]).toEqual([401, 401])
    })
    test('a switched token ends with the session that it came of', async () => {
      const token = await twoMerchants()
      now += 86_000_000
      const switched = (await post(token, '/auth/switch-merchant', { merchant_id: 'm1' })).body['token']
      now += 402_000
      expect((await me(switched)).status).toBe(401)
    })
  })

  test('a session whose merchant is gone is over; logging in goes on elsewhere', async () => {
    const token = await twoMerchants()
    const switched = (await post(token, '/auth/switch-merchant', { merchant_id: 'm1' })).body['token']
    await client.call('DELETE', '/merchant-account/m1', admin)
    expect(await me(switched)).toMatchObject(failure(401, 'Invalid or expired token'))
    expect([(await me(token)).status, (await logIn())['merchant_id']]).toEqual([200, (await me(token)).body['merchant_id']])
  })

  describe('a super admin', () => {
    const enter = (token: unknown, merchant_id: string) => post(token, '/auth/super-admin/enter-merchant', { merchant_id })

    test('looks at any merchant, and comes back', async () => {
      await client.createMerchant('m1')
      const own = await client.signUp('boss@example.test')
      const view = await enter(own, 'm1')
      expect(view).toMatchObject({ status: 200, body: { email: 'boss@example.test', merchant_id: 'm1', role: 'admin', merchants: [] } })
      expect((await me(view.body['token'])).body).toMatchObject({
        is_super_admin: true,
        is_super_admin_view: true,
        merchants: [{ merchant_id: 'm1', merchant_name: 'm1', role: 'admin' }],
      })
      expect((await client.call('GET', '/merchant-account/m1', bearer(String(view.body['token'])))).status).toBe(200)
      const back = await post(view.body['token'], '/auth/super-admin/exit')
      expect((await me(back.body['token'])).body).toMatchObject({ merchant_id: '', is_super_admin: true, is_super_admin_view: false })
    })
    test('finds merchants by name, id and address', async () => {
      await client.createMerchant('m1')
      await client.signUp('ops@example.test', 'm1')
      const own = await client.signUp('boss@example.test')
      const found = [{ merchant_id: 'm1', merchant_name: 'm1', members: [{ email: 'ops@example.test', role: 'admin' }] }]
      expect(await client.postList('/auth/super-admin/lookup', bearer(own), { query: 'OPS@' })).toEqual(found)
      expect(await client.postList('/auth/super-admin/lookup', bearer(own), { query: 'm1' })).toEqual(found)
      expect(await client.postList('/auth/super-admin/lookup', bearer(own), { query: ' m ' })).toEqual([])
    })
    test('is who stands on the roster, with the right session', async () => {
      await client.createMerchant('m1')
      const [boss, other] = [await client.signUp('boss@example.test'), await client.signUp('ops@example.test', 'm1')]
      const view = (await enter(boss, 'm1')).body['token']
      expect(await enter(other, 'm1')).toMatchObject(failure(403, 'Insufficient permissions'))
      expect(await post(other, '/auth/super-admin/lookup', { query: 'm1' })).toMatchObject(failure(403, 'Insufficient permissions'))
      expect(await enter(boss, 'm9')).toMatchObject(failure(404, 'Merchant not found'))
      expect(await enter(view, 'm1')).toMatchObject(NOT_SUPPORTED)
      expect(await post(view, '/auth/super-admin/lookup', { query: 'm1' })).toMatchObject(NOT_SUPPORTED)
      expect(await post(boss, '/auth/super-admin/exit')).toMatchObject(NOT_SUPPORTED)
      for (const path of ['/auth/change-password', '/onboarding/merchant', '/merchant/members/invite'])
        expect(await post(view, path, {})).toMatchObject(NOT_SUPPORTED)
      expect((await client.list('/merchant/members', bearer(String(view)))).length).toBe(1)
      expect(await post(view, '/auth/switch-merchant', { merchant_id: 'm2' })).toMatchObject(failure(403, 'Insufficient permissions'))
    })
    test('sees nothing through a session of another password', async () => {
      await client.createMerchant('m1')
      const own = await client.signUp('boss@example.test')
      const view = (await enter(own, 'm1')).body['token']
      await post(own, '/auth/change-password', { current_password: password, new_password: 'Green#Sea2025' })
      expect((await me(view)).status).toBe(401)
    })
  })

  describe('handed over', () => {
    const issue = (body: object, headers = admin) => client.call('POST', '/auth/admin/merchant-token', headers, body)
    const redeem = (code: unknown) => client.call('POST', '/auth/admin/merchant-token/exchange', {}, { code })
    const INVALID = failure(401, 'Invalid or expired token')

    test('by a code that works once, within a minute', async () => {
      await client.createMerchant('m1')
      const { status, body } = await issue({ merchant_id: 'm1', email: 'pat@example.test' })
      expect([status, body]).toEqual([200, { code: expect.stringMatching(/^DE_[0-9a-f]{64}$/), expires_in: 60 }])
      now += 60_000
      const session = await redeem(body['code'])
      const merchants = [{ merchant_id: 'm1', merchant_name: 'm1', role: 'admin' }]
      expect(session.body).toEqual({
        token: expect.any(String),
        user_id: 'hs_m1',
        email: 'pat@example.test',
        merchant_id: 'm1',
        role: 'admin',
        merchants,
      })
      expect(await redeem(body['code'])).toMatchObject(INVALID)
      const late = await issue({ merchant_id: 'm1' })
      now += 60_001
      expect(await redeem(late.body['code'])).toMatchObject(INVALID)
      expect(JSON.stringify(await api.events())).not.toContain(String(body['code']).slice(3))
    })
    test('one of many who redeem a code at once gets the session', async () => {
      await client.createMerchant('m1')
      const { body } = await issue({ merchant_id: 'm1' })
      const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(body['code'])))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(9)
    })
    test('may do what the code says, ends after 20 minutes, and is nobody’s account', async () => {
      await client.createMerchant('m1')
      const code = (await issue({ merchant_id: 'm1', permissions: ['routing:read', 'other'] })).body['code']
      const { token } = (await redeem(code)).body
      expect((await me(token)).body).toEqual({
        user_id: 'hs_m1',
        email: '',
        merchant_id: 'm1',
        role: 'admin',
        email_verified: true,
        merchants: [{ merchant_id: 'm1', merchant_name: 'm1', role: 'admin' }],
        is_super_admin: false,
        is_super_admin_view: false,
        permissions: ['routing:read', 'other'],
      })
      expect((await client.call('GET', '/merchant-account/m1', bearer(String(token)))).status).toBe(200)
      expect(await post(token, '/api-key/create', { merchant_id: 'm1' })).toMatchObject(
        failure(403, 'This session does not have routing:write'),
      )
      for (const path of [
        '/auth/change-password',
        '/onboarding/merchant',
        '/merchant/members/invite',
        '/auth/super-admin/enter-merchant',
        '/auth/super-admin/exit',
      ])
        expect(await post(token, path, {})).toMatchObject(NOT_SUPPORTED)
      expect(await post(token, '/auth/switch-merchant', { merchant_id: 'm2' })).toMatchObject(failure(403, 'Insufficient permissions'))
      const again = await post(token, '/auth/switch-merchant', { merchant_id: 'm1' })
      expect((await me(again.body['token'])).body['permissions']).toEqual(['routing:read', 'other'])
      now += 1_201_000
      expect([(await me(token)).status, (await me(again.body['token'])).status]).toEqual([401, 401])
    })
    test('a code whose session would have a longer token than is looked at is refused', async () => {
      const merchantId = '決'.repeat(64)
      const issueLongest = (permission: string) =>
        issue({
          merchant_id: merchantId,
          permissions: Array.from({ length: 32 }, () => permission),
          email: '\u0001'.repeat(255),
          grant_level: 'org',
          grant_id: '\u0001'.repeat(64),
        })
      await client.createMerchant(merchantId)
      expect(await issueLongest('決'.repeat(64))).toMatchObject({ status: 422, body: { message: expect.stringContaining('permissions') } })
      const { token } = (await redeem((await issueLongest('a'.repeat(64))).body['code'])).body
      expect((await me(token)).status).toBe(200)
    })
    test('without permissions named: with all, or with none where the deployment wants them named', async () => {
      await client.createMerchant('m1')
      const all = (await redeem((await issue({ merchant_id: 'm1' })).body['code'])).body['token']
      expect((await me(all)).body['permissions']).toEqual(['routing:read', 'routing:write'])
      await api.stop()
      api = await startSampleCommandApi(createMemoryLog(), createMemoryStore({ collections }), () => now, {
        settings: { requireExplicitPermissions: true },
      })
      client = createSampleClient(api.url)
      await client.createMerchant('m1')
      const none = (await redeem((await issue({ merchant_id: 'm1' })).body['code'])).body['token']
      expect((await me(none)).body['permissions']).toEqual([])
      expect((await client.call('GET', '/merchant-account/m1', bearer(String(none)))).status).toBe(403)
    })
    test('is over when logged out, and with its merchant, also when the id comes back', async () => {
      await client.createMerchant('m1')
      const [one, two] = [
        (await redeem((await issue({ merchant_id: 'm1' })).body['code'])).body['token'],
        (await redeem((await issue({ merchant_id: 'm1' })).body['code'])).body['token'],
      ]
      const open = (await issue({ merchant_id: 'm1' })).body['code']
      await post(one, '/auth/logout')
      expect([(await me(one)).status, (await me(two)).status]).toEqual([401, 200])
      await client.call('DELETE', '/merchant-account/m1', admin)
      await client.createMerchant('m1')
      expect([(await me(two)).status, (await redeem(open)).status]).toEqual([401, 401])
    })
    test.each<[string, object, Record<string, string>, number, string]>([
      ['no secret', { merchant_id: 'm1' }, {}, 401, 'Invalid or expired token'],
      ['a wrong secret', { merchant_id: 'm1' }, { 'x-admin-secret': 'x' }, 401, 'Invalid or expired token'],
      ['an unknown merchant', { merchant_id: 'm9' }, admin, 404, 'Merchant not found'],
      ['no organization', { merchant_id: 'm1', grant_level: 'org' }, admin, 403, 'Insufficient permissions'],
      ['an empty merchant', { merchant_id: 'm1', grant_level: 'merchant', grant_id: '' }, admin, 403, 'Insufficient permissions'],
    ])('a code is refused with %s', async (_name, body, headers, status, message) => {
      await client.createMerchant('m1')
      expect(await issue(body, headers)).toMatchObject(failure(status, message))
    })
    test.each(['', 'DE_x', `DE_${'0'.repeat(64)}`])('%j is no code', async (code) => {
      expect(await redeem(code)).toMatchObject(INVALID)
    })
  })
})
