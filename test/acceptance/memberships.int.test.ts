import { describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const server = useServer({ SWITCHYARD_SUPER_ADMIN_EMAILS: 'Root@example.test' })

const password = 'Blue#Sky2024'
const as = (token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  return (request: string, body?: unknown) => call(server.url, request, body === undefined ? { headers } : { headers, body })
}
const signUp = async (email: string): Promise<string> =>
  (await call(server.url, 'POST /auth/signup', { body: { email, password } })).json.token
const logIn = (email: string, secret: string) => call(server.url, 'POST /auth/login', { body: { email, password: secret } })

describe('people and their merchants', () => {
  test('onboarding, inviting, switching, and a changed password', async () => {
    const onboarded = await as(await signUp('ann@example.test'))('POST /onboarding/merchant', { merchant_name: 'Blue Shop' })
    expect(onboarded).toMatchObject({
      status: 200,
      json: { merchant_id: expect.stringMatching(/^merchant_[0-9a-f]{12}$/), merchant_name: 'Blue Shop' },
    })
    const ann = as(onboarded.json.token)
    expect((await ann('GET /auth/merchants')).json).toEqual(onboarded.json.merchants)

    const invited = await ann('POST /merchant/members/invite', { email: 'Bob@example.test', role: 'superuser' })
    expect(invited.json).toEqual({ email: 'bob@example.test', is_new_user: true, password: expect.any(String), role: 'member' })
    expect((await ann('GET /merchant/members')).json).toMatchObject([
      { email: 'ann@example.test', role: 'admin' },
      { email: 'bob@example.test', role: 'member' },
    ])
    const bobs = await logIn('bob@example.test', invited.json.password)
    expect(bobs.json).toMatchObject({ merchant_id: onboarded.json.merchant_id, role: 'member' })
    expect((await as(bobs.json.token)('POST /merchant/members/invite', { email: 'eve@example.test' })).status).toBe(403)

    const second = await as(bobs.json.token)('POST /onboarding/merchant', { merchant_name: 'Red Shop' })
    const bob = as(second.json.token)
    const switched = await bob('POST /auth/switch-merchant', { merchant_id: onboarded.json.merchant_id })
    expect(switched.json).toMatchObject({ merchant_id: onboarded.json.merchant_id, role: 'member' })
    expect((await as(switched.json.token)(`GET /merchant-account/${onboarded.json.merchant_id}`)).status).toBe(200)
    expect((await bob('POST /auth/switch-merchant', { merchant_id: 'nobody' })).status).toBe(404)

    const changed = await bob('POST /auth/change-password', { current_password: invited.json.password, new_password: 'Green#Sea2025' })
    expect(changed.json).toEqual({ message: 'Password updated successfully.' })
    expect([(await bob('GET /auth/me')).status, (await as(switched.json.token)('GET /auth/me')).status]).toEqual([401, 401])
    expect([
      (await logIn('bob@example.test', invited.json.password)).status,
      (await logIn('bob@example.test', 'Green#Sea2025')).status,
    ]).toEqual([401, 200])
  })

  test('a super admin looks for a merchant, enters it, and leaves', async () => {
    const { id } = await createMerchant(server.url)
    const root = as(await signUp('root@example.test'))
    expect((await root('POST /auth/super-admin/lookup', { query: id })).json).toEqual([{ merchant_id: id, merchant_name: id, members: [] }])
    const view = await root('POST /auth/super-admin/enter-merchant', { merchant_id: id })
    expect(view.json).toMatchObject({ merchant_id: id, role: 'admin', merchants: [] })
    const viewing = as(view.json.token)
    expect((await viewing(`GET /merchant-account/${id}/features`)).status).toBe(200)
    expect((await viewing('GET /auth/me')).json).toMatchObject({ is_super_admin_view: true, merchant_id: id })
    expect((await viewing('POST /auth/super-admin/exit')).json).toMatchObject({ merchant_id: '', email: 'root@example.test' })
    expect((await as(await signUp('mallory@example.test'))('POST /auth/super-admin/lookup', { query: id })).status).toBe(403)
  })

  test('a session is handed over by a code that works once, also for ten at once', async () => {
    const { id } = await createMerchant(server.url)
    const { json } = await call(server.url, 'POST /auth/admin/merchant-token', { body: { merchant_id: id }, headers: admin })
    expect(json).toEqual({ code: expect.stringMatching(/^DE_[0-9a-f]{64}$/), expires_in: 60 })
    const redeem = () => call(server.url, 'POST /auth/admin/merchant-token/exchange', { body: { code: json.code } })
    const answers = await Promise.all(Array.from({ length: 10 }, redeem))
    const [session, ...more] = answers.filter(({ status }) => status === 200)
    expect([more.length, session?.json.user_id]).toEqual([0, `hs_${id}`])
    expect((await as(session?.json.token)(`GET /merchant-account/${id}`)).status).toBe(200)
  })

  test('a forgotten password is answered alike for everybody', async () => {
    await signUp('forgetful@example.test')
    const ask = (email: string) => call(server.url, 'POST /auth/forgot-password', { body: { email } })
    const [known, unknown] = [await ask('forgetful@example.test'), await ask('stranger@example.test')]
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    expect((await call(server.url, 'POST /auth/reset-password', { body: { token: 'x', new_password: 'Green#Sea2025' } })).status).toBe(400)
    expect((await call(server.url, 'GET /auth/verify-email?token=x')).status).toBe(400)
    expect((await call(server.url, 'GET /auth/verify-email')).status).toBe(400)
  })

  test('guessing a password is slowed down, and says for how long', async () => {
    await signUp('guessed@example.test')
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await logIn('guessed@example.test', 'Wrong#Sky2024')).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
    const refused = await logIn('guessed@example.test', password)
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})
