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
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const POSITION = /^config-\d+-\d+$/

describe('people', () => {
  let api: SampleCommandApi
  let client: SampleClient
  let now = START

  beforeEach(async () => {
    now = START
    api = await startSampleCommandApi(createMemoryLog(), createMemoryStore({ collections }), () => now)
    client = createSampleClient(api.url)
  })
  afterEach(() => api.stop())

  test('anybody signs up, without a merchant', async () => {
    const { status, body, headers } = await client.call(
      'POST',
      '/auth/signup',
      {},
      { email: ' Ops@Example.TEST ', password, merchant_id: ' ' },
    )
    expect([status, body]).toEqual([
      200,
      {
        token: expect.any(String),
        user_id: expect.stringMatching(UUID),
        email: 'ops@example.test',
        merchant_id: '',
        role: 'admin',
        merchants: [],
      },
    ])
    expect(headers.get('x-log-position')).toMatch(POSITION)
    expect((await client.call('GET', '/auth/me', bearer(String(body['token'])))).body).toEqual({
      user_id: body['user_id'],
      email: 'ops@example.test',
      merchant_id: '',
      role: 'admin',
      email_verified: true,
      merchants: [],
      is_super_admin: false,
      is_super_admin_view: false,
      permissions: ['routing:read', 'routing:write'],
    })
  })

  test('an admin signs people up into a merchant; logging in lands there', async () => {
    await client.createMerchant('m1')
    await client.signUp('ops@example.test', 'm1')
    const { body } = await client.call('POST', '/auth/login', {}, { email: 'OPS@example.test', password })
    expect(body).toMatchObject({ merchant_id: 'm1', role: 'admin', merchants: [{ merchant_id: 'm1', merchant_name: 'm1', role: 'admin' }] })
    expect((await client.call('GET', '/merchant-account/m1', bearer(String(body['token'])))).status).toBe(200)
  })

  test.each<[string, Record<string, string>, object, number, string]>([
    ['a merchant without the admin secret', {}, { merchant_id: 'm1' }, 401, 'Invalid admin secret'],
    ['a merchant with a wrong admin secret', { 'x-admin-secret': 'x' }, { merchant_id: 'm1' }, 401, 'Invalid admin secret'],
    ['an unknown merchant', admin, { merchant_id: 'm9' }, 404, 'Merchant not found'],
    ['a weak password', {}, { password: 'StrongPass1' }, 400, 'Password must be at least 10 characters long'],
    ['an address that is taken', {}, { email: 'TAKEN@example.test ' }, 409, 'Email already registered'],
    [
      'an address that is taken, and a weak password',
      {},
      { email: 'taken@example.test', password: 'weak' },
      409,
      'Email already registered',
    ],
    ['no address', {}, { email: undefined }, 422, 'email'],
    ['a blank address', {}, { email: ' ' }, 422, 'email'],
    ['a long address', {}, { email: 'e'.repeat(256) }, 422, 'email'],
    ['a long password', {}, { password: `${password}${'x'.repeat(1_024)}` }, 422, 'password'],
  ])('signing up is refused with %s', async (_name, headers, change, status, message) => {
    await client.createMerchant('m1')
    await client.signUp('taken@example.test')
    const before = (await api.events()).length
    const answer = await client.call('POST', '/auth/signup', headers, { email: 'new@example.test', password, ...change })
    expect([answer.status, answer.body['message']]).toEqual([status, expect.stringContaining(message)])
    expect(await api.events()).toHaveLength(before)
  })

  test('one address is one account, also when many sign up at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        client.call('POST', '/auth/signup', {}, { email: 'ops@example.test', password: `${password}${i}` }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
    const winner = answers.findIndex(({ status }) => status === 200)
    expect((await client.call('POST', '/auth/login', {}, { email: 'ops@example.test', password: `${password}${winner}` })).status).toBe(200)
  })

  test('an unknown address and a wrong password get the same answer', async () => {
    await client.signUp('ops@example.test')
    const [unknown, wrong] = [
      await client.call('POST', '/auth/login', {}, { email: 'nobody@example.test', password }),
      await client.call('POST', '/auth/login', {}, { email: 'ops@example.test', password: 'Wrong#Sky2024' }),
    ]
    expect(unknown).toMatchObject(failure(401, 'Invalid email or password'))
    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body])
  })

  test('passwords are nowhere in the log', async () => {
    await client.signUp('ops@example.test')
    const recorded = JSON.stringify(await api.events())
    expect(recorded).toContain('$argon2id$')
    expect(recorded).not.toContain(password)
  })

  test('logging out ends the session at once; doing it again is fine; other sessions go on', async () => {
    const token = await client.signUp('ops@example.test')
    const other = String((await client.call('POST', '/auth/login', {}, { email: 'ops@example.test', password })).body['token'])
    expect(await client.call('POST', '/auth/logout', bearer(token))).toMatchObject({
      status: 200,
      body: { message: 'Logged out successfully' },
    })
    expect(await client.call('GET', '/auth/me', bearer(token))).toMatchObject(failure(401, 'Invalid or expired token'))
    expect((await client.call('POST', '/auth/logout', bearer(token))).status).toBe(200)
    expect((await client.call('GET', '/auth/me', bearer(other))).status).toBe(200)
  })

  test('a session ends by itself after a day', async () => {
    const token = await client.signUp('ops@example.test')
    now += 86_400_000 + 1_000
    expect(await client.call('GET', '/auth/me', bearer(token))).toMatchObject(failure(401, 'Invalid or expired token'))
    expect(await client.call('POST', '/auth/logout', bearer(token))).toMatchObject(failure(401, 'Invalid or expired token'))
  })

  test('super admins are known by address, in any case', async () => {
    expect((await client.call('GET', '/auth/me', bearer(await client.signUp('boss@example.test')))).body).toMatchObject({
      is_super_admin: true,
    })
  })

  test('who am I takes a bearer only', async () => {
    const apiKey = await client.createMerchant('m1')
    expect(await client.call('GET', '/auth/me', { 'x-api-key': apiKey })).toMatchObject(failure(401, 'Invalid or expired token'))
  })
})
