import { describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const server = useServer({ SWITCHYARD_SUPER_ADMIN_EMAILS: 'root@example.test' })

const password = 'Blue#Sky2024'
const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` })

describe('people', () => {
  test('sign up without a merchant, log in, look at oneself, log out', async () => {
    const signedUp = await call(server.url, 'POST /auth/signup', { body: { email: ' Ops@Example.test ', password } })
    expect(signedUp).toMatchObject({ status: 200, json: { email: 'ops@example.test', merchant_id: '', role: 'admin', merchants: [] } })

    const loggedIn = await call(server.url, 'POST /auth/login', { body: { email: 'OPS@example.test', password } })
    expect(loggedIn).toMatchObject({ status: 200, json: { user_id: signedUp.json.user_id, token: expect.any(String) } })

    const session = bearer(loggedIn.json.token)
    expect((await call(server.url, 'GET /auth/me', { headers: session })).json).toEqual({
      user_id: signedUp.json.user_id,
      email: 'ops@example.test',
      merchant_id: '',
      role: 'admin',
      email_verified: true,
      merchants: [],
      is_super_admin: false,
      is_super_admin_view: false,
      permissions: ['routing:read', 'routing:write'],
    })
    expect((await call(server.url, 'POST /auth/logout', { headers: session })).json).toEqual({ message: 'Logged out successfully' })
    expect(await call(server.url, 'GET /auth/me', { headers: session })).toMatchObject({
      status: 401,
      json: { code: 'TE_04', message: 'Invalid or expired token' },
    })
    expect((await call(server.url, 'GET /auth/me', { headers: bearer(signedUp.json.token) })).status).toBe(200)
  })

  test('sign up into a merchant needs the admin secret, and gives a session for it', async () => {
    const { id } = await createMerchant(server.url)
    const body = { email: 'team@example.test', password, merchant_id: id }
    expect((await call(server.url, 'POST /auth/signup', { body })).status).toBe(401)
    const joined = await call(server.url, 'POST /auth/signup', { body, headers: admin })
    expect(joined).toMatchObject({
      status: 200,
      json: { merchant_id: id, role: 'admin', merchants: [{ merchant_id: id, merchant_name: id, role: 'admin' }] },
    })
    expect((await call(server.url, `GET /merchant-account/${id}/features`, { headers: bearer(joined.json.token) })).status).toBe(200)
    const unknown = { ...body, email: 'else@example.test', merchant_id: 'nobody' }
    expect(await call(server.url, 'POST /auth/signup', { body: unknown, headers: admin })).toMatchObject({
      status: 404,
      json: { message: 'Merchant not found' },
    })
  })

  test('people of a deleted merchant do not get into a later one of the same id', async () => {
    const { id } = await createMerchant(server.url)
    const body = { email: 'former@example.test', password, merchant_id: id }
    const joined = await call(server.url, 'POST /auth/signup', { body, headers: admin })
    await call(server.url, `DELETE /merchant-account/${id}`, { headers: admin })
    await createMerchant(server.url, id)
    const session = bearer(joined.json.token)
    expect((await call(server.url, `GET /merchant-account/${id}`, { headers: session })).status).toBe(401)
    expect((await call(server.url, 'POST /api-key/create', { body: { merchant_id: id }, headers: session })).status).toBe(401)
    expect((await call(server.url, 'POST /auth/login', { body })).json).toMatchObject({ merchant_id: '', merchants: [] })
  })

  test('one address signs up once, also ten times at once', async () => {
    const body = { email: 'only@example.test', password }
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(server.url, 'POST /auth/signup', { body })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      status: 409,
      json: { code: 'TE_04', message: 'Email already registered' },
    })
  })

  test('a wrong password and an unknown address get the same answer', async () => {
    await call(server.url, 'POST /auth/signup', { body: { email: 'known@example.test', password } })
    const wrong = await call(server.url, 'POST /auth/login', { body: { email: 'known@example.test', password: 'Wrong#Pass2024' } })
    const unknown = await call(server.url, 'POST /auth/login', { body: { email: 'unknown@example.test', password } })
    expect([wrong.status, wrong.json]).toEqual([unknown.status, unknown.json])
    expect(wrong).toMatchObject({ status: 401, json: { code: 'TE_04', message: 'Invalid email or password' } })
  })

  test.each(['StrongPass1', 'Aa1!aaaa', 'lower#only2024', 'UPPER#ONLY2024', 'No#Digits#Here'])(
    'the weak password %s is refused',
    async (weak) => {
      const answer = await call(server.url, 'POST /auth/signup', { body: { email: 'weak@example.test', password: weak } })
      expect(answer).toMatchObject({ status: 400, json: { code: 'TE_04', message: expect.stringContaining('at least 10 characters') } })
    },
  )

  test('the roster makes a super admin', async () => {
    const { json } = await call(server.url, 'POST /auth/signup', { body: { email: 'Root@example.test', password } })
    expect((await call(server.url, 'GET /auth/me', { headers: bearer(json.token) })).json.is_super_admin).toBe(true)
  })

  test('a bearer is final: a good key beside a bad token does not help, and people routes take no key', async () => {
    const { id, key } = await createMerchant(server.url)
    expect((await call(server.url, `GET /merchant-account/${id}`, { headers: { ...key, ...bearer('no.such.token') } })).status).toBe(401)
    expect((await call(server.url, 'GET /auth/me', { headers: key })).status).toBe(401)
  })

  test('neither password nor token stands in what the server printed', async () => {
    const { json } = await call(server.url, 'POST /auth/login', { body: { email: 'known@example.test', password } })
    expect(server.output()).not.toContain(password)
    expect(server.output()).not.toContain(json.token)
  })
})
