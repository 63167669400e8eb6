import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runtimeCollections as collections } from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { type Argon2, argon2 } from '@switchyard/http'
import type { EventLog } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import { sampleAdmin as admin, bearer, createSampleClient, failure, type SampleClient } from '../sample-client.fixture.ts'
import { type SampleCommandApi, startSampleCommandApi } from '../sample-command-api.fixture.ts'

const codec = createEventCodec(publishedSchemaIds(), { strict: true })

/** A log in which another process closes the merchant just before an event of this type. */
const closingBefore = (type: string): EventLog => {
  const log = createMemoryLog()
  return {
    ...log,
    append: async (topic, records) => {
      const found = records.find(({ headers }) => headers.type === `switchyard.config.${type}`)
      if (found !== undefined && found.headers.actor === 'admin') {
        const value = codec.encode({ type: 'MerchantClosed', data: { merchantId: found.key, at: 1 } })
        await log.append(topic, [{ key: found.key, value, headers: { id: 'closed', type: 'switchyard.config.MerchantClosed' } }])
      }
      return await log.append(topic, records)
    },
  }
}

describe('a merchant that is closed while a request is on its way', () => {
  let api: SampleCommandApi | undefined
  let client: SampleClient

  const start = async (type: string): Promise<void> => {
    api = await startSampleCommandApi(closingBefore(type), createMemoryStore({ collections }), () => 1)
    client = createSampleClient(api.url)
  }
  beforeEach(() => {
    api = undefined
  })
  afterEach(() => api?.stop())

  test.each([
    ['FeatureEnabled', '/merchant-account/m1/features/autopilot', { enabled: true }],
    ['DebitRoutingEnabled', '/merchant-account/m1/debit-routing', { enabled: true }],
  ])('%s: the request is answered as for an unknown merchant', async (type, path, body) => {
    await start(type)
    await client.createMerchant('m1')
    const answer = await client.call('POST', path, admin, body)
    expect(answer).toMatchObject({ status: 404, body: { message: 'MerchantId not found' } })
    await client.createMerchant('m1')
    const read = await client.call('GET', path.replace('/autopilot', ''), admin)
    expect(JSON.stringify(read.body)).not.toContain('true')
  })

  const algorithm = { created_by: 'm1', name: 'a', algorithm: { type: 'single', data: { gateway_name: 'alpha' } } }
  const arms = { control_algorithm_id: 'sr_routing', variant_algorithm_id: 'a' }
  const data = { ...arms, variant_split_pct: 49, min_sample_size: 10, guardrail_threshold_pp: 3 }
  const experiment = { ...algorithm, rule_id: 'e', algorithm: { type: 'ab_test', data } }
  const named = { created_by: 'm1', routing_algorithm_id: 'a' }
  test.each([
    ['RoutingAlgorithmDrafted', '/routing/create', algorithm],
    ['RoutingAlgorithmRevised', '/routing/update', { ...algorithm, routing_algorithm_id: 'a' }],
    ['RoutingAlgorithmActivated', '/routing/activate', named],
    ['ExperimentArmPromoted', '/routing/promote', { ...named, routing_algorithm_id: 'e', arm: 'variant' }],
  ])('%s: a request about its algorithms is answered as for an unknown merchant', async (type, path, body) => {
    await start(type)
    await client.createMerchant('m1')
    if (type !== 'RoutingAlgorithmDrafted') await client.call('POST', '/routing/create', admin, { ...algorithm, rule_id: 'a' })
    if (type === 'ExperimentArmPromoted') await client.call('POST', '/routing/create', admin, experiment)
    expect(await client.call('POST', path, admin, body)).toMatchObject({ status: 404, body: { message: 'MerchantId not found' } })
  })

  test.each([
    [
      'SuccessRateScoringConfigured',
      { type: 'successRate', data: { defaultLatencyThreshold: 90, defaultBucketSize: 20, defaultHedgingPercent: 5 } },
    ],
    ['EliminationConfigured', { type: 'elimination', data: { threshold: 0.5 } }],
    ['DebitRoutingDefaultsConfigured', { type: 'debitRouting', data: { merchantCategoryCode: '5411', acquirerCountry: 'US' } }],
  ])('%s: a rule that was to be stored is answered as for an unknown merchant', async (type, config) => {
    await start(type)
    await client.createMerchant('m1')
    const answer = await client.call('POST', '/rule/create', admin, { merchant_id: 'm1', config })
    expect(answer).toMatchObject({ status: 404, body: { message: 'MerchantId not found' } })
  })

  test('its first key is none, and nothing shows one', async () => {
    await start('ApiKeyIssued')
    const created = await client.call('POST', '/merchant-account/create', admin, { merchant_id: 'm1' })
    expect(created).toMatchObject({ status: 200, body: { api_key: null } })
    expect(await client.call('POST', '/api-key/create', admin, { merchant_id: 'm1' })).toMatchObject({ status: 404 })
    expect(await client.keysOf('m1')).toEqual([])
  })
})

test('a merchant that is registered again elsewhere as soon as the earlier one is closed keeps its own history', async () => {
  const log = createMemoryLog()
  /** Another process registers the id before this one has looked. */
  const registeringBehind: EventLog = {
    ...log,
    append: async (topic, records) => {
      const closed = records.find(({ headers }) => headers.type === 'switchyard.config.MerchantClosed')
      if (closed === undefined) return await log.append(topic, records)
      const { key } = closed
      const value = codec.encode({ type: 'MerchantRegistered', data: { merchantId: key, name: null, deciderInput: null, at: 1 } })
      const registered = { key, value, headers: { id: 'again', type: 'switchyard.config.MerchantRegistered' } }
      return (await log.append(topic, [...records, registered])).slice(0, -1)
    },
  }
  const endedBefore: number[] = []
  const api = await startSampleCommandApi(registeringBehind, createMemoryStore({ collections }), () => 1, {
    endHistory: async ({ merchantRegistrationCount }) => void endedBefore.push(merchantRegistrationCount),
  })
  const client = createSampleClient(api.url)
  await client.createMerchant('m1')
  expect(await client.call('DELETE', '/merchant-account/m1', admin)).toMatchObject({ status: 200 })
  expect(endedBefore).toEqual([2])
  await api.stop()
})

describe('a merchant that is closed, and perhaps registered again, while the password of somebody invited is hashed', () => {
  let whileHashing: () => Promise<unknown> = async () => {}
  let api: SampleCommandApi
  let client: SampleClient
  const slow: Argon2 = {
    ...argon2,
    hash: async (...given) => {
      await whileHashing()
      return await argon2.hash(...given)
    },
  }

  beforeEach(async () => {
    api = await startSampleCommandApi(createMemoryLog(), createMemoryStore({ collections }), () => 1, { argon2: slow })
    client = createSampleClient(api.url)
  })
  afterEach(() => api.stop())

  const invite = async (meanwhile: typeof whileHashing) => {
    await client.createMerchant('m1')
    const headers = bearer(await client.signUp('ann@example.test', 'm1'))
    whileHashing = meanwhile
    const answer = await client.call('POST', '/merchant/members/invite', headers, { email: 'eve@example.test', role: 'admin' })
    whileHashing = async () => {}
    return answer
  }
  const close = () => client.call('DELETE', '/merchant-account/m1', admin)

  test('the admin of the earlier one invites nobody to the merchant that has its id now', async () => {
    const answer = await invite(async () => {
      await close()
      await client.createMerchant('m1')
    })
    expect(answer).toMatchObject(failure(404, 'Merchant not found'))
    const owner = bearer(await client.signUp('owner@example.test', 'm1'))
    expect(await client.list('/merchant/members', owner)).toMatchObject([{ email: 'owner@example.test' }])
  })

  test('an admin whose account is closed meanwhile invites nobody any more', async () => {
    const answer = await invite(() => client.call('POST', '/admin/users/deactivate', admin, { email: 'ann@example.test' }))
    expect(answer).toMatchObject(failure(401, 'Invalid or expired token'))
    expect((await api.events()).filter(({ type }) => type === 'UserSignedUp')).toHaveLength(1)
  })

  test('nobody gets an account for a merchant that is gone', async () => {
    expect(await invite(close)).toMatchObject(failure(404, 'Merchant not found'))
    expect((await api.events()).filter(({ type }) => type === 'UserSignedUp')).toHaveLength(1)
  })
})

describe('a merchant that is closed and registered again while a request waits for its turn', () => {
  let isArmed = false
  let api: SampleCommandApi
  let client: SampleClient

  beforeEach(async () => {
    const log = createMemoryLog()
    const passing: EventLog = {
      ...log,
      endPosition: async (topic, key) => {
        if (isArmed) {
          isArmed = false
          const closed = codec.encode({ type: 'MerchantClosed', data: { merchantId: key, at: 1 } })
          const registered = codec.encode({ type: 'MerchantRegistered', data: { merchantId: key, name: null, deciderInput: null, at: 1 } })
          await log.append(topic, [
            { key, value: closed, headers: { id: 'closed', type: 'switchyard.config.MerchantClosed' } },
            { key, value: registered, headers: { id: 'registered', type: 'switchyard.config.MerchantRegistered' } },
          ])
        }
        return await log.endPosition(topic, key)
      },
    }
    api = await startSampleCommandApi(passing, createMemoryStore({ collections }), () => 1)
    client = createSampleClient(api.url)
  })
  afterEach(() => api.stop())

  const elimination = { merchant_id: 'm1', config: { type: 'elimination', data: { threshold: 0.5 } } }
  const requests: readonly (readonly [string, string, object | undefined])[] = [
    ['POST', '/rule/create', elimination],
    ['POST', '/api-key/create', { merchant_id: 'm1' }],
    ['POST', '/merchant-account/m1/features/autopilot', { enabled: true }],
    ['DELETE', '/merchant-account/m1', undefined],
  ]

  test.each(requests)('%s %s by a key of the earlier one changes nothing of the new one', async (method, path, body) => {
    const headers = { 'x-api-key': await client.createMerchant('m1') }
    isArmed = true
    expect((await client.call(method, path, headers, body)).status).toBe(409)
    const types = (await api.events()).map(({ type }) => type)
    expect(types).toEqual(['MerchantRegistered', 'ApiKeyIssued', 'MerchantClosed', 'MerchantRegistered'])
  })

  test.each(requests)('%s %s by the deployment’s admin is for whichever has the id', async (method, path, body) => {
    await client.createMerchant('m1')
    isArmed = true
    expect((await client.call(method, path, admin, body)).status).toBe(200)
  })
})
