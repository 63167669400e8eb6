import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runtimeCollections as collections } from '@switchyard/composition'
import { createMemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import { bearer, createSampleClient, SAMPLE_PASSWORD as password, type SampleClient } from '../sample-client.fixture.ts'
import { type SampleCommandApi, startSampleCommandApi } from '../sample-command-api.fixture.ts'

/** Attempts that the sample lets follow each other, of one account and from one address. */
const OF_ACCOUNT = 10
const FROM_ADDRESS = 100

describe('guessing passwords', () => {
  let api: SampleCommandApi
  let client: SampleClient
  let now = 0
  beforeEach(async () => {
    now = Date.UTC(2031, 0, 2)
    const settings = { trustedProxyCount: 1 }
    api = await startSampleCommandApi(createMemoryLog(), createMemoryStore({ collections }), () => now, { settings })
    client = createSampleClient(api.url)
  })
  afterEach(() => api.stop())

  const logIn = (email: string, secret: string, from = '1.2.3.4') =>
    client.call('POST', '/auth/login', { 'x-forwarded-for': from }, { email, password: secret })
  const guess = async (email: string, count: number, from?: string): Promise<readonly number[]> => {
    const statuses: number[] = []
    for (let i = 0; i < count; i++) statuses.push((await logIn(email, 'Wrong#Sky2024', from)).status)
    return statuses
  }

  test('an account is left alone after some failures, from wherever they come, and says when to try again', async () => {
    await client.signUp('ops@example.test')
    for (let i = 0; i < OF_ACCOUNT; i++) expect(await guess('ops@example.test', 1, `10.0.0.${i}`)).toEqual([401])
    const refused = await logIn('OPS@example.test ', password, '10.0.0.99')
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      429,
      '60',
      { code: 'TE_04', message: 'Too many attempts; try again in 60 s', data: null },
    ])
    now += 60_000
    expect((await logIn('ops@example.test', password, '10.0.0.99')).status).toBe(200)
  })

  test('an account that does not exist is left alone in the same way', async () => {
    await client.signUp('ops@example.test')
    const statuses = [await guess('ops@example.test', OF_ACCOUNT + 2), await guess('nobody@example.test', OF_ACCOUNT + 2, '5.6.7.8')]
    expect(statuses[0]).toEqual(statuses[1])
    const answers = [await logIn('ops@example.test', password), await logIn('nobody@example.test', password, '5.6.7.8')]
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    expect([...(answers[0]?.headers.keys() ?? [])]).toEqual([...(answers[1]?.headers.keys() ?? [])])
  })

  test('those that come at once are counted, too', async () => {
    await client.signUp('ops@example.test')
    const answers = await Promise.all(Array.from({ length: OF_ACCOUNT * 2 }, () => logIn('ops@example.test', 'Wrong#Sky2024')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(OF_ACCOUNT)
  })

  test('an address is left alone after failures with many accounts; others go on', async () => {
    await client.signUp('ops@example.test')
    for (let i = 0; i < FROM_ADDRESS; i++) await logIn(`user${i}@example.test`, 'Wrong#Sky2024')
    const refused = await logIn('ops@example.test', password)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6'])
    expect((await logIn('ops@example.test', password, '5.6.7.8')).status).toBe(200)
  })

  test('whoever knows the password is never slowed down', async () => {
    await client.signUp('ops@example.test')
    for (let i = 0; i < OF_ACCOUNT * 2; i++) expect((await logIn('ops@example.test', password)).status).toBe(200)
  })

  test('the current password is not guessed through a session', async () => {
    const token = await client.signUp('ops@example.test')
    const change = () =>
      client.call('POST', '/auth/change-password', bearer(token), { current_password: 'Wrong#Sky2024', new_password: 'Green#Sea2025' })
    for (let i = 0; i < OF_ACCOUNT; i++) expect((await change()).status).toBe(401)
    expect((await change()).status).toBe(429)
  })

  test('links are asked for so often, and logging in goes on', async () => {
    await client.signUp('ops@example.test')
    const forget = () => client.call('POST', '/auth/forgot-password', {}, { email: 'ops@example.test' })
    for (let i = 0; i < OF_ACCOUNT; i++) expect((await forget()).status).toBe(200)
    expect((await forget()).status).toBe(429)
    expect((await logIn('ops@example.test', password)).status).toBe(200)
    await api.settled()
    expect((await api.events()).filter(({ type }) => type === 'PasswordResetRequested')).toHaveLength(1)
  })
})
