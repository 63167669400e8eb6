import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runtimeCollections as collections } from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import type { EventLog } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import { bearer, createSampleClient, failure, SAMPLE_PASSWORD as password, type SampleClient } from '../sample-client.fixture.ts'
import { type SampleCommandApi, startSampleCommandApi } from '../sample-command-api.fixture.ts'

const START = Date.UTC(2031, 0, 2, 3, 4, 5, 678)

describe('members', () => {
  let log: EventLog
  let api: SampleCommandApi
  let client: SampleClient
  let now = START

  beforeEach(async () => {
    now = START
    log = createMemoryLog()
    api = await startSampleCommandApi(log, createMemoryStore({ collections }), () => now)
    client = createSampleClient(api.url)
  })
  afterEach(() => api.stop())

  const onboard = async (token: string, name = 'Blue Shop') => {
    const { status, body } = await client.call('POST', '/onboarding/merchant', bearer(token), { merchant_name: name })
    return { status, body, token: String(body['token']), id: String(body['merchant_id']) }
  }
  const invite = (token: string, email: string, role?: string) =>
    client.call('POST', '/merchant/members/invite', bearer(token), { email, role })
  const members = (token: string) => client.list('/merchant/members', bearer(token))
  const logIn = (email: string, secret: unknown) => client.call('POST', '/auth/login', {}, { email, password: secret })

  test('a merchant of one’s own: its creator is admin, is at home there, and it has no key', async () => {
    const { status, body, token, id } = await onboard(await client.signUp('ann@example.test'), ' Blue Shop ')
    expect([status, body]).toEqual([
      200,
      {
        token: expect.any(String),
        merchant_id: expect.stringMatching(/^merchant_[0-9a-f]{12}$/),
        merchant_name: 'Blue Shop',
        merchants: [{ merchant_id: id, merchant_name: 'Blue Shop', role: 'admin' }],
      },
    ])
    expect((await client.call('GET', `/merchant-account/${id}`, bearer(token))).status).toBe(200)
    expect(await client.keysOf(id)).toEqual([])
    const second = await onboard(token, 'Red Shop')
    expect((await logIn('ann@example.test', password)).body).toMatchObject({ merchant_id: second.id, role: 'admin' })
  })

  test('whoever belongs to as many merchants as one can leaves no merchant behind that is nobody’s', async () => {
    const token = await client.signUp('ann@example.test')
    const [signedUp] = (await api.events()).filter(({ type }) => type === 'UserSignedUp')
    const userId = String(Object(signedUp?.data).userId)
    await api.stop()
    const codec = createEventCodec(publishedSchemaIds(), { strict: true })
    const grants = Array.from({ length: 1_000 }, (_, index) => {
      const membership = { userId, merchantId: `m_${index}`, role: 'ADMIN', merchantRegistrationCount: 1 } as const
      const data = { ...membership, origin: 'ONBOARDED', invitationId: null, at: now } as const
      const headers = { id: `grant_${index}`, type: 'switchyard.access.MembershipGranted' }
      return { key: userId, value: codec.encode({ type: 'MembershipGranted', data }), headers }
    })
    await log.append('config', grants)
    api = await startSampleCommandApi(log, createMemoryStore({ collections }), () => now)
    client = createSampleClient(api.url)
    expect(await onboard(token)).toMatchObject(failure(409, 'This user belongs to as many merchants as one can'))
    expect((await api.events()).map(({ type }) => type)).not.toContain('MerchantRegistered')
  })

  test.each([undefined, '', ' ', 'x'.repeat(256), 'a\nb', 5])('a merchant is not called %j', async (merchant_name) => {
    const token = await client.signUp('ann@example.test')
    expect((await client.call('POST', '/onboarding/merchant', bearer(token), { merchant_name })).status).toBe(422)
  })

  test('whoever is invited without an account gets one: a password shown once, a link by mail', async () => {
    const { token, id } = await onboard(await client.signUp('ann@example.test'))
    const { body } = await invite(token, ' Bob@example.test')
    expect(body).toEqual({ email: 'bob@example.test', is_new_user: true, password: expect.stringMatching(/^.{16}$/), role: 'member' })
    const loggedIn = await logIn('bob@example.test', body['password'])
    expect(loggedIn.body).toMatchObject({ merchant_id: id, role: 'member', merchants: [{ merchant_name: 'Blue Shop', role: 'member' }] })
    expect(await members(token)).toEqual([
      { user_id: expect.any(String), email: 'ann@example.test', role: 'admin' },
      { user_id: loggedIn.body['user_id'], email: 'bob@example.test', role: 'member' },
    ])
    const mail = await api.mailTo('bob@example.test')
    expect([mail.subject, mail.text]).toEqual(['You were invited', expect.stringContaining('member of Blue Shop')])
    const link = /token=(\S+)/.exec(mail.text)?.[1]
    expect((await client.call('POST', '/auth/reset-password', {}, { token: link, new_password: 'Green#Sea2025' })).status).toBe(200)
    expect((await logIn('bob@example.test', 'Green#Sea2025')).status).toBe(200)
    expect((await logIn('bob@example.test', body['password'])).status).toBe(401)
    expect(JSON.stringify(await api.events())).not.toContain(String(body['password']))
  })

  test('where addresses are proved a first password is shown to nobody: who invites a super admin does not become one', async () => {
    await api.stop()
    const options = { settings: { emailVerification: true } }
    api = await startSampleCommandApi(createMemoryLog(), createMemoryStore({ collections }), () => now, options)
    client = createSampleClient(api.url)
    await client.signUp('ann@example.test')
    const linkTo = async (email: string) => /token=(\S+)/.exec((await api.mailTo(email)).text)?.[1] ?? ''
    await client.call('GET', `/auth/verify-email?token=${await linkTo('ann@example.test')}`)
    const { token } = await onboard(String((await logIn('ann@example.test', password)).body['token']))
    expect((await invite(token, 'boss@example.test')).body).toEqual({ email: 'boss@example.test', is_new_user: true, role: 'member' })
    const link = await linkTo('boss@example.test')
    expect((await client.call('POST', '/auth/reset-password', {}, { token: link, new_password: 'Green#Sea2025' })).status).toBe(200)
    const boss = String((await logIn('boss@example.test', 'Green#Sea2025')).body['token'])
    expect((await client.call('GET', '/auth/me', bearer(boss))).body).toMatchObject({ is_super_admin: true, email_verified: true })
  })

  test('whoever has an account is told without a link, and keeps the password', async () => {
    const { token } = await onboard(await client.signUp('ann@example.test'))
    await client.signUp('bob@example.test')
    expect((await invite(token, 'bob@example.test', 'admin')).body).toEqual({
      email: 'bob@example.test',
      is_new_user: false,
      role: 'admin',
    })
    expect((await api.mailTo('bob@example.test')).text).not.toContain('token=')
    expect((await logIn('bob@example.test', password)).body).toMatchObject({ role: 'admin' })
    expect(await invite(token, 'bob@example.test')).toMatchObject(failure(409, 'User is already a member of this merchant'))
  })

  test('only exactly admin is an admin', async () => {
    const { token } = await onboard(await client.signUp('ann@example.test'))
    for (const role of ['superuser', 'ADMIN', '']) {
      expect((await invite(token, `${role || 'nobody'}@example.test`, role)).body['role']).toBe('member')
    }
  })

  test('members see the others, and invite nobody', async () => {
    const { token } = await onboard(await client.signUp('ann@example.test'))
    const { body } = await invite(token, 'bob@example.test')
    const bob = String((await logIn('bob@example.test', body['password'])).body['token'])
    expect(await members(bob)).toHaveLength(2)
    expect(await invite(bob, 'eve@example.test')).toMatchObject(failure(403, 'Insufficient permissions'))
  })

  test('a role is that of the membership, whatever an older token says', async () => {
    const { token, id } = await onboard(await client.signUp('ann@example.test'))
    const { body } = await invite(token, 'bob@example.test')
    const bob = String((await logIn('bob@example.test', body['password'])).body['token'])
    const own = await onboard(bob, 'Bob’s')
    expect((await client.call('GET', '/auth/me', bearer(own.token))).body).toMatchObject({ merchant_id: own.id, role: 'admin' })
    const switched = await client.call('POST', '/auth/switch-merchant', bearer(own.token), { merchant_id: id })
    expect(switched.body).toMatchObject({ merchant_id: id, role: 'member' })
  })

  test('without a merchant there is nobody to see or to invite', async () => {
    const token = await client.signUp('ann@example.test')
    expect(await members(token)).toEqual([])
    expect((await invite(token, 'bob@example.test')).status).toBe(400)
  })

  test('of many invitations of one address one takes effect', async () => {
    const { token } = await onboard(await client.signUp('ann@example.test'))
    const answers = await Promise.all(Array.from({ length: 5 }, () => invite(token, 'bob@example.test')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await members(token)).toHaveLength(2)
  })
})
