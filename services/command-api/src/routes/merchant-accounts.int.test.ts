import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runtimeCollections as collections } from '@switchyard/composition'
import { createMemoryLog, type MemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import { sampleAdmin as admin, bearer, createSampleClient, failure, type SampleClient } from '../sample-client.fixture.ts'
import { type SampleCommandApi, startSampleCommandApi } from '../sample-command-api.fixture.ts'

const START = Date.UTC(2031, 0, 2, 3, 4, 5, 678)
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const POSITION = /^config-\d+-\d+$/

describe('merchants', () => {
  let api: SampleCommandApi
  let client: SampleClient
  let now = START
  let log: MemoryLog
  /** The first append behind an event of this type fails. */
  let failBehind = ''
  const forgetful = (kept: MemoryLog): MemoryLog => ({
    ...kept,
    append: async (topic, records) => {
      const positions = await kept.append(topic, records)
      if (failBehind !== '' && records.some(({ headers }) => headers.type.endsWith(failBehind))) kept.faults.failNextAppends(1)
      return positions
    },
  })

  beforeEach(async () => {
    now = START
    failBehind = ''
    log = createMemoryLog()
    api = await startSampleCommandApi(forgetful(log), createMemoryStore({ collections }), () => now)
    client = createSampleClient(api.url)
  })
  afterEach(() => api.stop())

  test('creating one answers its default key, once, and a log position', async () => {
    const deciderInput = '{"a":1}'
    const sent = { merchant_id: 'm_77', gateway_success_rate_based_decider_input: deciderInput, config: {} }
    const { status, headers, body } = await client.call('POST', '/merchant-account/create', admin, sent)
    expect([status, body]).toEqual([
      200,
      {
        message: 'Merchant account created successfully',
        merchant_id: 'm_77',
        gateway_success_rate_based_decider_input: deciderInput,
        api_key: expect.stringMatching(/^DE_[0-9a-f]{64}$/),
      },
    ])
    expect(headers.get('x-log-position')).toMatch(POSITION)
    expect(await client.keysOf('m_77')).toEqual([
      {
        key_id: expect.stringMatching(UUID),
        key_prefix: String(body['api_key']).slice(0, 11),
        merchant_id: 'm_77',
        description: 'Default API key',
        is_active: true,
        created_at: '2031-01-02T03:04:05.678Z',
        expires_at: null,
        last_used_at: null,
      },
    ])
    const read = await client.call('GET', '/merchant-account/m_77', { 'x-api-key': String(body['api_key']) })
    expect(read.body).toEqual({ merchant_id: 'm_77', gateway_success_rate_based_decider_input: deciderInput })
  })

  test('the key itself is nowhere in the log', async () => {
    const apiKey = await client.createMerchant('m1')
    const recorded = JSON.stringify(await api.events())
    expect(recorded).toContain('ApiKeyIssued')
    expect(recorded).not.toContain(apiKey.slice(12))
  })

  test('ids are unique, also when many ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.call('POST', '/merchant-account/create', admin, { merchant_id: 'm1' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
    expect(answers.find(({ status }) => status === 400)?.body).toEqual(failure(400, 'Merchant account already exists').body)
    expect(await client.keysOf('m1')).toHaveLength(1)
  })

  test.each<[string, Record<string, string>, unknown, number, string]>([
    ['no secret', {}, { merchant_id: 'm1' }, 401, 'Invalid or missing x-admin-secret header'],
    ['a wrong secret', { 'x-admin-secret': 'x' }, { merchant_id: 'm1' }, 401, 'Invalid or missing x-admin-secret header'],
    ['no JSON, and no secret', {}, '{', 400, 'Failed to parse the request body as JSON'],
    ['no id', admin, {}, 422, 'merchant_id'],
    ['an id that is no text', admin, { merchant_id: 7 }, 422, 'merchant_id'],
    ['an empty id', admin, { merchant_id: '' }, 422, 'merchant_id: must have 1 to 64 characters'],
    ['a blank id', admin, { merchant_id: ' ' }, 422, 'merchant_id: must have'],
    ['a long id', admin, { merchant_id: 'm'.repeat(65) }, 422, 'merchant_id: must have'],
    ['an id with a line break', admin, { merchant_id: 'm\n1' }, 422, 'merchant_id: must have'],
    ['an id that paths lose', admin, { merchant_id: '.' }, 422, 'merchant_id: must not be . or ..'],
    ['an id that paths take for a step up', admin, { merchant_id: '..' }, 422, 'merchant_id: must not be . or ..'],
    ['an id that is a route of its own', admin, { merchant_id: 'create' }, 422, 'merchant_id: must not be . or .. or create'],
    ['an id that turns what follows', admin, { merchant_id: 'm\u202e1' }, 422, 'merchant_id: must have'],
    ['half a character', admin, '{"merchant_id":"\\ud800"}', 400, 'Failed to parse'],
    [
      'an input that is no text',
      admin,
      { merchant_id: 'm1', gateway_success_rate_based_decider_input: {} },
      422,
      'gateway_success_rate_based',
    ],
  ])('are refused with %s', async (_name, headers, body, status, message) => {
    const answer = await client.call('POST', '/merchant-account/create', headers, body)
    expect([answer.status, answer.body['message']]).toEqual([status, expect.stringContaining(message)])
    expect(await api.events()).toEqual([])
  })

  test('a closed one is gone at once, with its keys and memberships, and comes back clean', async () => {
    const apiKey = await client.createMerchant('m1')
    const token = await client.signUp('ops@example.test', 'm1')
    expect(await client.call('DELETE', '/merchant-account/m1', { 'x-api-key': apiKey })).toMatchObject({
      status: 200,
      body: { message: 'Merchant account deleted successfully', merchant_id: 'm1' },
    })
    expect(await client.call('GET', '/merchant-account/m1', admin)).toMatchObject(failure(404, 'MerchantId not found'))
    expect(await client.call('DELETE', '/merchant-account/m1', admin)).toMatchObject(failure(404, 'MerchantId not found'))
    expect(await client.call('GET', '/merchant-account/m1', { 'x-api-key': apiKey })).toMatchObject(failure(401, 'Invalid API key'))
    expect(await client.keysOf('m1')).toEqual([])

    now += 3_600_000
    await client.createMerchant('m1')
    expect(await client.keysOf('m1')).toHaveLength(1)
    expect((await client.call('GET', '/merchant-account/m1', bearer(token))).status).toBe(401)
    expect((await client.call('GET', '/auth/me', bearer(token))).status).toBe(401)
  })

  test('when the log goes away behind the creation, the answer has no key but is no failure', async () => {
    failBehind = 'MerchantRegistered'
    const { status, body } = await client.call('POST', '/merchant-account/create', admin, { merchant_id: 'm1' })
    expect([status, body['api_key']]).toEqual([200, null])
    expect((await client.call('GET', '/merchant-account/m1', admin)).body).toEqual({
      merchant_id: 'm1',
      gateway_success_rate_based_decider_input: '',
    })
  })

  test('while the log is away nothing is created, and the answer says so', async () => {
    log.faults.failNextAppends(1)
    const { status, headers, body } = await client.call('POST', '/merchant-account/create', admin, { merchant_id: 'm1' })
    expect([status, headers.get('retry-after'), body['code'], body['message']]).toEqual([
      503,
      '1',
      'TE_01',
      expect.stringContaining('The event log cannot be reached'),
    ])
    expect(api.takeFailures()).toMatchObject([{ path: '/merchant-account/create', status: 503 }])
    expect(await client.createMerchant('m1')).toMatch(/^DE_/)
  })

  test('another process on the same log knows them at once', async () => {
    const elsewhere = await startSampleCommandApi(log, createMemoryStore({ collections }), () => now)
    await client.createMerchant('m1')
    const read = await createSampleClient(elsewhere.url).call('GET', '/merchant-account/m1', admin)
    expect(read.status).toBe(200)
    await elsewhere.stop()
  })
})
