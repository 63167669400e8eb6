import { describe, expect, test } from '@jest/globals'
import { admin } from '../support/client.ts'
import { useServer } from '../support/server.ts'

type Headers = Readonly<Record<string, string>>

const server = useServer()

const password = 'Password123!'

/** A client that knows nothing of positions: it asks once, at once. */
const ask = async (request: string, body?: unknown, headers: Headers = admin) => {
  const [method = '', path = ''] = request.split(' ')
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(server.url + path, { method, headers: { 'content-type': 'application/json', ...headers }, ...sent })
  const text = await response.text()
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
}
const bearer = (token: unknown): Headers => ({ authorization: `Bearer ${String(token)}` })

let made = 0
const newMerchant = async (): Promise<{ readonly id: string; readonly key: Headers }> => {
  const id = `m_ryw_${++made}`
  const { json } = await ask('POST /merchant-account/create', { merchant_id: id })
  return { id, key: { 'x-api-key': json.api_key } }
}
const newPerson = async (merchantId: string): Promise<{ readonly email: string; readonly session: Headers }> => {
  const email = `ryw${++made}@example.test`
  const { json } = await ask('POST /auth/signup', { email, password, merchant_id: merchantId })
  return { email, session: bearer(json.token) }
}
const logIn = (email: string, secret = password) => ask('POST /auth/login', { email, password: secret }, {})

/** Right after the answer to a write, without asking twice (platform.md 14c). */
describe('a client reads what it wrote', () => {
  test('a merchant: signing up into it, reading it, its flags', async () => {
    const { id, key } = await newMerchant()
    expect((await ask('POST /auth/signup', { email: `first${made}@example.test`, password, merchant_id: id })).status).toBe(200)
    expect((await ask(`GET /merchant-account/${id}`, undefined, key)).status).toBe(200)
    expect((await ask(`GET /merchant-account/${id}/features`, undefined, key)).json.features).toHaveLength(7)
  })

  test('who signed up: who that is, the members, a guarded call', async () => {
    const { id } = await newMerchant()
    const { email, session } = await newPerson(id)
    expect((await ask('GET /auth/me', undefined, session)).json.merchant_id).toBe(id)
    expect((await ask('GET /merchant/members', undefined, session)).json).toMatchObject([{ email, role: 'admin' }])
    expect((await ask(`GET /merchant-account/${id}/debit-routing`, undefined, session)).status).toBe(200)
  })

  test('a changed password: the new one works, the old one is 401', async () => {
    const { email, session } = await newPerson((await newMerchant()).id)
    const changed = { current_password: password, new_password: 'Green#Sea2025' }
    expect((await ask('POST /auth/change-password', changed, session)).status).toBe(200)
    expect([(await logIn(email, 'Green#Sea2025')).status, (await logIn(email)).status]).toEqual([200, 401])
  })

  test('an invitation: the members, and the invited one’s first log-in', async () => {
    const { id } = await newMerchant()
    const { session } = await newPerson(id)
    const email = `invited${++made}@example.test`
    const { json } = await ask('POST /merchant/members/invite', { email }, session)
    expect((await ask('GET /merchant/members', undefined, session)).json).toHaveLength(2)
    expect((await logIn(email, json.password)).json).toMatchObject({ merchant_id: id, role: 'member' })
  })

  test('a key: listed, used, and refused once it is revoked', async () => {
    const { id, key } = await newMerchant()
    const { json } = await ask('POST /api-key/create', { merchant_id: id }, key)
    const own = { 'x-api-key': json.api_key }
    expect((await ask(`GET /api-key/list/${id}`, undefined, key)).json).toHaveLength(2)
    expect((await ask(`GET /merchant-account/${id}`, undefined, own)).status).toBe(200)
    await ask(`DELETE /api-key/${json.key_id}`, undefined, key)
    expect((await ask(`GET /merchant-account/${id}`, undefined, own)).status).toBe(401)
  })

  test('a log-out', async () => {
    const { session } = await newPerson((await newMerchant()).id)
    await ask('POST /auth/logout', undefined, session)
    expect((await ask('GET /auth/me', undefined, session)).status).toBe(401)
  })

  test('flags, there and back', async () => {
    const { id, key } = await newMerchant()
    for (const enabled of [true, false]) {
      await ask(`POST /merchant-account/${id}/features/elimination`, { enabled }, key)
      await ask(`POST /merchant-account/${id}/debit-routing`, { enabled }, key)
      const { features } = (await ask(`GET /merchant-account/${id}/features`, undefined, key)).json
      expect(features.find(({ feature }: { readonly feature: string }) => feature === 'elimination').enabled).toBe(enabled)
      expect((await ask(`GET /merchant-account/${id}/debit-routing`, undefined, key)).json.debit_routing_enabled).toBe(enabled)
    }
  })

  test('settings: created, updated, deleted', async () => {
    const { id: merchant_id, key } = await newMerchant()
    const get = () => ask('POST /rule/get', { merchant_id, algorithm: 'successRate' }, key)
    const configOf = (defaultBucketSize: number) => ({ type: 'successRate', data: { defaultBucketSize } })
    for (const [operation, size] of [['create', 200] as const, ['update', 240] as const]) {
      await ask(`POST /rule/${operation}`, { merchant_id, config: configOf(size) }, key)
      expect((await get()).json.config.data.defaultBucketSize).toBe(size)
    }
    await ask('POST /rule/delete', { merchant_id, algorithm: 'successRate' }, key)
    expect((await get()).status).toBe(404)
    const paymentInfo = { udfs: [1], fields: ['currency'] }
    await ask('POST /config-sr-dimension', { merchant_id, paymentInfo }, key)
    expect((await ask(`GET /config-sr-dimension/${merchant_id}`, undefined, key)).json.paymentInfo).toEqual(paymentInfo)
  })

  test('a deleted merchant, just after it was read', async () => {
    const { id, key } = await newMerchant()
    expect((await ask(`GET /merchant-account/${id}`, undefined, key)).status).toBe(200)
    await ask(`DELETE /merchant-account/${id}`, undefined, key)
    expect((await ask(`GET /merchant-account/${id}`)).status).toBe(404)
  })

  test('a hand-off code works once', async () => {
    const { id } = await newMerchant()
    const { code } = (await ask('POST /auth/admin/merchant-token', { merchant_id: id })).json
    const redeem = () => ask('POST /auth/admin/merchant-token/exchange', { code }, {})
    expect([(await redeem()).status, (await redeem()).status]).toEqual([200, 401])
  })

  test('a merchant of one’s own is among one’s merchants', async () => {
    const { session } = await newPerson((await newMerchant()).id)
    const { json } = await ask('POST /onboarding/merchant', { merchant_name: 'Mine' }, session)
    const listed = (await ask('GET /auth/merchants', undefined, bearer(json.token))).json
    expect(listed.map((each: { readonly merchant_id: string }) => each.merchant_id)).toContain(json.merchant_id)
  })

  test('an algorithm: activated, listed, evaluated', async () => {
    const { id: created_by, key } = await newMerchant()
    const algorithm = { type: 'priority', data: [{ gateway_name: 'adyen' }] }
    const { rule_id } = (await ask('POST /routing/create', { name: 'first', created_by, algorithm }, key)).json
    expect((await ask('POST /routing/activate', { created_by, routing_algorithm_id: rule_id }, key)).status).toBe(200)
    expect((await ask(`POST /routing/list/active/${created_by}`, undefined, key)).json).toMatchObject([{ id: rule_id }])
    const evaluated = await ask('POST /routing/evaluate', { created_by, payment_id: 'p', parameters: {} }, key)
    expect(JSON.stringify(evaluated.json)).toContain('adyen')
  })
})
