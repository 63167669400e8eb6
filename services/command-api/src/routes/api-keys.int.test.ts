import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runtimeCollections as collections } from '@switchyard/composition'
import { OperatingError } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import { sampleAdmin as admin, bearer, createSampleClient, failure, type SampleClient } from '../sample-client.fixture.ts'
import { type SampleCommandApi, startSampleCommandApi } from '../sample-command-api.fixture.ts'

const START = Date.UTC(2031, 0, 2, 3, 4, 5, 678)
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const POSITION = /^config-\d+-\d+$/

describe('API keys', () => {
  let api: SampleCommandApi
  let client: SampleClient
  let now = START

  beforeEach(async () => {
    now = START
    api = await startSampleCommandApi(createMemoryLog(), createMemoryStore({ collections }), () => now)
    client = createSampleClient(api.url)
  })
  afterEach(() => api.stop())

  test('a new key works at once, is listed, and is dead as soon as it is revoked', async () => {
    const first = await client.createMerchant('m1')
    const { body, headers } = await client.call(
      'POST',
      '/api-key/create',
      { 'x-api-key': first },
      { merchant_id: 'm1', description: 'checkout' },
    )
    expect(body).toEqual({
      key_id: expect.stringMatching(UUID),
      api_key: expect.stringMatching(/^DE_[0-9a-f]{64}$/),
      key_prefix: String(body['api_key']).slice(0, 11),
      merchant_id: 'm1',
      description: 'checkout',
      created_at: '2031-01-02T03:04:05.678Z',
      expires_at: null,
    })
    expect(headers.get('x-log-position')).toMatch(POSITION)
    const own = { 'x-api-key': String(body['api_key']) }
    expect((await client.call('GET', '/merchant-account/m1', own)).status).toBe(200)

    const revoked = await client.call('DELETE', `/api-key/${String(body['key_id'])}`, own)
    expect(revoked).toMatchObject({ status: 200, body: { key_id: body['key_id'], message: 'API key revoked successfully' } })
    expect(await client.call('GET', '/merchant-account/m1', own)).toMatchObject(failure(401, 'API key is revoked'))
    const again = await client.call('DELETE', `/api-key/${String(body['key_id'])}`, admin)
    expect([again.status, again.headers.get('x-log-position')]).toEqual([200, null])
    expect((await client.keysOf('m1')).map((key) => key['is_active'])).toEqual([true, false])
    const actors = (await api.events()).filter(({ type }) => type === 'ApiKeyRevoked').map(({ actor }) => actor)
    expect(actors).toEqual([`key:${String(body['key_id'])}`])
  })

  test('a key works until it expires, and says so', async () => {
    const first = { 'x-api-key': await client.createMerchant('m1') }
    const expiresAt = new Date(now + 60_000).toISOString()
    const { body } = await client.call('POST', '/api-key/create', first, { merchant_id: 'm1', expires_at: expiresAt })
    expect(body['expires_at']).toBe(expiresAt)
    const short = { 'x-api-key': String(body['api_key']) }
    now += 59_999
    expect((await client.call('GET', '/merchant-account/m1', short)).status).toBe(200)
    now += 1
    expect(await client.call('GET', '/merchant-account/m1', short)).toMatchObject(failure(401, 'API key has expired'))
    expect((await client.keysOf('m1')).map((key) => [key['is_active'], key['expires_at']])).toEqual([
      [true, null],
      [false, expiresAt],
    ])
    const late = { merchant_id: 'm1', expires_at: new Date(now).toISOString() }
    expect(await client.call('POST', '/api-key/create', first, late)).toMatchObject(failure(400, 'expires_at must lie in the future'))
    for (const expires_at of ['tomorrow', '2031-13-01T00:00:00Z', 5]) {
      expect((await client.call('POST', '/api-key/create', first, { merchant_id: 'm1', expires_at })).status).toBe(422)
    }
  })

  test('an end that is beyond the year 9999 in UTC is refused: no list could show it', async () => {
    const first = { 'x-api-key': await client.createMerchant('m1') }
    const ending = (expires_at: string) => client.call('POST', '/api-key/create', first, { merchant_id: 'm1', expires_at })
    const refused = await ending('9999-12-31T23:59:59-00:01')
    expect([refused.status, refused.body['message']]).toEqual([422, expect.stringContaining('expires_at: must be before the year 10000')])
    expect((await ending('9999-12-31T23:59:59.999Z')).body['expires_at']).toBe('9999-12-31T23:59:59.999Z')
  })

  test('the list says when a key was used last, and does without when nobody knows', async () => {
    await api.stop()
    let uses: () => readonly { readonly keyId: string; readonly lastUsedAt: number }[] = () => []
    const log = createMemoryLog()
    api = await startSampleCommandApi(log, createMemoryStore({ collections }), () => now, { readKeyUses: () => uses() })
    client = createSampleClient(api.url)
    await client.createMerchant('m1')
    const [{ key_id: keyId } = {}] = await client.keysOf('m1')
    uses = () => [{ keyId: String(keyId), lastUsedAt: Date.UTC(2031, 0, 2, 3, 4) }]
    expect((await client.keysOf('m1'))[0]?.['last_used_at']).toBe('2031-01-02T03:04:00.000Z')
    uses = () => {
      throw new OperatingError('STORE_UNAVAILABLE', 'away', { retryable: true })
    }
    expect(Object.keys((await client.keysOf('m1'))[0] ?? {})).not.toContain('last_used_at')
  })

  test('belong to their merchant', async () => {
    const [one, two] = [{ 'x-api-key': await client.createMerchant('m1') }, { 'x-api-key': await client.createMerchant('m2') }]
    const keyId = String((await client.keysOf('m2'))[0]?.['key_id'])
    const foreign = 'Credential does not belong to merchant m2'
    expect(await client.call('POST', '/api-key/create', one, { merchant_id: 'm2' })).toMatchObject(failure(403, foreign))
    expect(await client.call('GET', '/api-key/list/m2', one)).toMatchObject(failure(403, foreign))
    expect(await client.call('DELETE', `/api-key/${keyId}`, one)).toMatchObject({ status: 403 })
    expect((await client.call('DELETE', `/api-key/${keyId}`, two)).status).toBe(200)
  })

  test('a session with the admin secret works on any merchant', async () => {
    await client.createMerchant('m1')
    await client.createMerchant('m2')
    const both = { ...bearer(await client.signUp('ops@example.test', 'm1')), ...admin }
    expect((await client.call('GET', '/api-key/list/m2', both)).status).toBe(200)
    expect((await client.call('POST', '/api-key/create', both, { merchant_id: 'm2' })).status).toBe(200)
  })

  test.each<[string, string, unknown, number, string]>([
    ['POST', '/api-key/create', { merchant_id: 'm9' }, 404, 'MerchantId not found'],
    ['POST', '/api-key/create', {}, 422, 'merchant_id'],
    ['POST', '/api-key/create', { merchant_id: 'm1', description: 'd'.repeat(256) }, 422, 'description'],
    ['DELETE', '/api-key/unknown', undefined, 404, 'API key not found'],
    ['DELETE', '/api-key/__proto__', undefined, 404, 'API key not found'],
    ['GET', '/api-key/create', undefined, 405, ''],
  ])('%s %s %j is refused', async (method, path, body, status, message) => {
    await client.createMerchant('m1')
    const answer = await client.call(method, path, admin, body)
    expect([answer.status, answer.body?.['message'] ?? '']).toEqual([status, expect.stringContaining(message)])
  })

  test('the list of an unknown merchant is empty', async () => {
    expect(await client.keysOf('m9')).toEqual([])
  })
})
