import { describe, expect, test } from '@jest/globals'
import { admin, call, createMerchant, decisionRequest } from '../support/client.ts'
import { useServer } from '../support/server.ts'

const server = useServer()

describe('merchant accounts', () => {
  test('created with the admin secret, read back, and its default key works at once', async () => {
    const created = await call(server.url, 'POST /merchant-account/create', {
      body: { merchant_id: 'm_new', gateway_success_rate_based_decider_input: null },
      headers: admin,
    })
    expect(created.status).toBe(200)
    expect(created.json).toEqual({
      message: 'Merchant account created successfully',
      merchant_id: 'm_new',
      gateway_success_rate_based_decider_input: null,
      api_key: expect.stringMatching(/^DE_[0-9a-f]{64}$/),
    })
    const read = await call(server.url, 'GET /merchant-account/m_new', { headers: { 'x-api-key': created.json.api_key } })
    expect(read).toMatchObject({ status: 200, json: { merchant_id: 'm_new', gateway_success_rate_based_decider_input: '' } })
  })

  test('the second creation of an id is refused and changes nothing', async () => {
    const { id, key } = await createMerchant(server.url)
    const again = await call(server.url, 'POST /merchant-account/create', { body: { merchant_id: id }, headers: admin })
    expect(again).toMatchObject({ status: 400, json: { code: 'TE_04', message: 'Merchant account already exists', data: null } })
    expect((await call(server.url, `GET /api-key/list/${id}`, { headers: key })).json).toHaveLength(1)
  })

  test('ten at once: exactly one takes effect', async () => {
    const body = { merchant_id: 'm_race' }
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => call(server.url, 'POST /merchant-account/create', { body, headers: admin })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
  })

  test.each([
    ['no secret', {}, { merchant_id: 'm_x' }, 401],
    ['a wrong secret', { 'x-admin-secret': 'nope' }, { merchant_id: 'm_x' }, 401],
    ['no merchant id', admin, {}, 422],
    ['an empty id', admin, { merchant_id: '' }, 422],
    ['an id of 65 characters', admin, { merchant_id: 'm'.repeat(65) }, 422],
    ['an id that is a number', admin, { merchant_id: 7 }, 422],
    ['a body that is not JSON', {}, '{"merchant_id"', 400],
  ])('%s is refused', async (_name, headers, body, status) => {
    const answer = await call(server.url, 'POST /merchant-account/create', { headers, body })
    expect(answer.status).toBe(status)
    expect(answer.json).toMatchObject({ code: expect.stringMatching(/^TE_0/), message: expect.any(String), data: null })
  })

  test('an id of 64 characters beyond the first plane is one of 64 characters', async () => {
    const created = (id: string) => call(server.url, 'POST /merchant-account/create', { headers: admin, body: { merchant_id: id } })
    expect(await created('😀'.repeat(64))).toMatchObject({ status: 200, json: { merchant_id: '😀'.repeat(64) } })
    expect((await created('😀'.repeat(65))).status).toBe(422)
  })

  test('after deletion nothing of it is left, and the id can be used again', async () => {
    const { id, key } = await createMerchant(server.url)
    await call(server.url, `POST /merchant-account/${id}/features/autopilot`, { body: { enabled: true }, headers: key })
    expect(await call(server.url, `DELETE /merchant-account/${id}`, { headers: key })).toMatchObject({
      status: 200,
      json: { message: 'Merchant account deleted successfully', merchant_id: id },
    })
    expect((await call(server.url, `GET /merchant-account/${id}`, { headers: admin })).status).toBe(404)
    expect((await call(server.url, `GET /merchant-account/${id}`, { headers: key })).status).toBe(401)
    const reborn = await createMerchant(server.url, id)
    const flags = await call(server.url, `GET /merchant-account/${id}/features`, { headers: reborn.key })
    expect(flags.json.features.every((flag: { enabled: boolean }) => !flag.enabled)).toBe(true)
    expect((await call(server.url, `GET /api-key/list/${id}`, { headers: reborn.key })).json).toHaveLength(1)
  })

  test('reading or deleting an unknown merchant is 404', async () => {
    for (const method of ['GET', 'DELETE']) {
      expect(await call(server.url, `${method} /merchant-account/nobody`, { headers: admin })).toMatchObject({
        status: 404,
        json: { code: 'TE_04', message: 'MerchantId not found', data: null },
      })
    }
  })
})

describe('API keys', () => {
  test('created, listed without the key, used, revoked, refused', async () => {
    const { id, key } = await createMerchant(server.url)
    const created = await call(server.url, 'POST /api-key/create', { body: { merchant_id: id, description: 'checkout' }, headers: key })
    expect(created.json).toMatchObject({
      key_id: expect.any(String),
      merchant_id: id,
      description: 'checkout',
      created_at: expect.stringMatching(/Z$/),
      expires_at: null,
    })
    expect(created.json.key_prefix).toBe(created.json.api_key.slice(0, 11))

    const listed = await call(server.url, `GET /api-key/list/${id}`, { headers: key })
    expect(listed.text).not.toContain(created.json.api_key)
    expect(listed.json).toContainEqual({
      key_id: created.json.key_id,
      key_prefix: created.json.key_prefix,
      merchant_id: id,
      description: 'checkout',
      is_active: true,
      created_at: created.json.created_at,
      expires_at: null,
      last_used_at: null,
    })

    const own = { 'x-api-key': created.json.api_key }
    expect((await call(server.url, `GET /merchant-account/${id}`, { headers: own })).status).toBe(200)
    for (let i = 0; i < 2; i++) {
      expect(await call(server.url, `DELETE /api-key/${created.json.key_id}`, { headers: key })).toMatchObject({
        status: 200,
        json: { key_id: created.json.key_id, message: 'API key revoked successfully' },
      })
    }
    const refused = await call(server.url, `GET /merchant-account/${id}`, { headers: own })
    expect(refused).toMatchObject({ status: 401, json: { message: 'API key is revoked' } })
    expect((await call(server.url, 'POST /decide-gateway', { body: decisionRequest(id, 'p1'), headers: own })).status).toBe(401)
  })

  test('an unknown key id is 404, an unknown merchant has no keys', async () => {
    expect((await call(server.url, 'DELETE /api-key/00000000-0000-4000-8000-000000000000', { headers: admin })).status).toBe(404)
    expect((await call(server.url, 'GET /api-key/list/nobody', { headers: admin })).json).toEqual([])
  })
})

describe('merchant isolation', () => {
  test("another merchant's key is 403 wherever a merchant is named, an unknown merchant 404 first", async () => {
    const mine = await createMerchant(server.url)
    const other = await createMerchant(server.url)
    const foreign: readonly (readonly [string, unknown?])[] = [
      [`GET /merchant-account/${other.id}`],
      [`DELETE /merchant-account/${other.id}`],
      [`GET /merchant-account/${other.id}/features`],
      [`POST /merchant-account/${other.id}/features/autopilot`, { enabled: true }],
      [`GET /merchant-account/${other.id}/debit-routing`],
      [`POST /merchant-account/${other.id}/debit-routing`, { enabled: true }],
      ['POST /api-key/create', { merchant_id: other.id }],
      [`GET /api-key/list/${other.id}`],
      ['POST /rule/get', { merchant_id: other.id, algorithm: 'successRate' }],
      ['POST /rule/create', { merchant_id: other.id, config: { type: 'elimination', data: { threshold: 0.3 } } }],
      [`POST /routing/list/${other.id}`],
      [`POST /routing/list/active/${other.id}`],
      ['POST /routing/create', { name: 'x', created_by: other.id, algorithm: { type: 'single', data: { gateway_name: 'a' } } }],
      ['POST /routing/evaluate', { created_by: other.id, parameters: {} }],
      ['POST /decide-gateway', decisionRequest(other.id, 'p1')],
      ['POST /update-gateway-score', { merchantId: other.id, gateway: 'stripe', paymentId: 'p1', status: 'CHARGED' }],
    ]
    for (const [request, body] of foreign) {
      const answer = await call(server.url, request, { body, headers: mine.key })
      expect([request, answer.status]).toEqual([request, 403])
      const lifted = await call(server.url, request.replace('DELETE', 'GET'), { body, headers: { ...mine.key, ...admin } })
      expect([request, lifted.status < 500 && lifted.status !== 403]).toEqual([request, true])
    }
    expect((await call(server.url, 'GET /merchant-account/nobody/debit-routing', { headers: mine.key })).status).toBe(404)
    expect((await call(server.url, `GET /merchant-account/${other.id}/features`, { headers: other.key })).status).toBe(200)
  })

  test("another merchant's key can't be revoked", async () => {
    const mine = await createMerchant(server.url)
    const other = await createMerchant(server.url)
    const [theirs] = (await call(server.url, `GET /api-key/list/${other.id}`, { headers: other.key })).json
    expect((await call(server.url, `DELETE /api-key/${theirs.key_id}`, { headers: mine.key })).status).toBe(403)
    expect((await call(server.url, `GET /merchant-account/${other.id}`, { headers: other.key })).status).toBe(200)
  })
})
