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

test('a deployment may let its admin alone sign people up', async () => {
  const settings = { signupRequiresAdminSecret: true }
  const api = await startSampleCommandApi(createMemoryLog(), createMemoryStore({ collections }), () => Date.UTC(2031, 0, 2), { settings })
  const client = createSampleClient(api.url)
  const signUp = (headers: Record<string, string>, body: object) => client.call('POST', '/auth/signup', headers, body)
  const body = { email: 'ops@example.test', password }
  expect(await signUp({}, body)).toMatchObject(failure(401, 'Invalid admin secret'))
  expect((await signUp(admin, body)).status).toBe(200)
  // The secret is asked for first: who lacks it learns of no address.
  expect(await signUp({}, { ...body, password: 'weak' })).toMatchObject(failure(401, 'Invalid admin secret'))
  await api.stop()
})

describe('closing an account to its owner', () => {
  let api: SampleCommandApi
  let client: SampleClient

  beforeEach(async () => {
    api = await startSampleCommandApi(createMemoryLog(), createMemoryStore({ collections }), () => Date.UTC(2031, 0, 2))
    client = createSampleClient(api.url)
  })
  afterEach(() => api.stop())

  const set = (change: 'deactivate' | 'reactivate', email = 'ops@example.test', headers: Record<string, string> = admin) =>
    client.call('POST', `/admin/users/${change}`, headers, { email })
  const logIn = (secret = password) => client.call('POST', '/auth/login', {}, { email: 'ops@example.test', password: secret })
  const me = async (token: string): Promise<number> => (await client.call('GET', '/auth/me', bearer(token))).status

  test('ends its sessions at once, and says why to who knows the password only', async () => {
    const token = await client.signUp('ops@example.test')
    const closed = await set('deactivate', ' OPS@example.test')
    expect(closed).toMatchObject({ status: 200, body: { email: 'ops@example.test', is_active: false } })
    expect(closed.headers.get('x-log-position')).not.toBeNull()
    expect(await me(token)).toBe(401)
    expect(await logIn()).toMatchObject(failure(403, 'Account is inactive'))
    expect(await logIn('Wrong#Sky2024')).toMatchObject(failure(401, 'Invalid email or password'))
    expect(
      await client.call('POST', '/auth/change-password', bearer(token), { current_password: password, new_password: password }),
    ).toMatchObject(failure(401, 'Invalid or expired token'))
  })

  test('lets nobody back in by a link', async () => {
    await client.signUp('ops@example.test')
    await set('deactivate')
    expect((await client.call('POST', '/auth/forgot-password', {}, { email: 'ops@example.test' })).status).toBe(200)
    await api.settled()
    expect((await api.events()).map(({ type }) => type)).toEqual(['UserSignedUp', 'UserDeactivated'])
  })

  test('opening it again lets its owner log in; sessions of before stay over', async () => {
    const token = await client.signUp('ops@example.test')
    await set('deactivate')
    expect(await set('reactivate')).toMatchObject({ status: 200, body: { is_active: true } })
    expect(await me(token)).toBe(401)
    expect(await me(String((await logIn()).body['token']))).toBe(200)
  })

  test('twice changes nothing more', async () => {
    await client.signUp('ops@example.test')
    for (let i = 0; i < 2; i++) expect(await set('deactivate')).toMatchObject({ status: 200, body: { is_active: false } })
    expect((await api.events()).map(({ type, actor }) => [type, actor])).toEqual([
      ['UserSignedUp', 'admin'],
      ['UserDeactivated', 'admin'],
    ])
  })

  test('is the admin’s alone, and of accounts that exist', async () => {
    const token = await client.signUp('ops@example.test')
    for (const headers of [{}, bearer(token), { 'x-admin-secret': 'x' }])
      expect(await set('deactivate', 'ops@example.test', headers)).toMatchObject(failure(401, 'Invalid or missing x-admin-secret header'))
    expect(await set('deactivate', 'nobody@example.test')).toMatchObject(failure(404, 'User not found'))
    expect((await set('deactivate', ' ')).status).toBe(422)
    expect(await me(token)).toBe(200)
  })
})
