import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { runtimeCollections as collections } from '@switchyard/composition'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import type { EventLog, Mail } from '@switchyard/kernel'
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
import { type SampleCommandApi, type SampleOptions, startSampleCommandApi } from '../sample-command-api.fixture.ts'

const codec = createEventCodec(publishedSchemaIds(), { strict: true })
const START = Date.UTC(2031, 0, 2, 3, 4, 5, 678)
const OTHER = 'Green#Sea2025'
const tokenIn = ({ text }: Mail): string => /token=(\S+)/.exec(text)?.[1] ?? ''
const FORGOTTEN = { status: 200, body: { message: 'If an account exists for that email, a password reset link has been sent.' } }

describe('passwords', () => {
  let api: SampleCommandApi
  let client: SampleClient
  let now = START
  let log: EventLog

  const start = async (options?: SampleOptions): Promise<void> => {
    api = await startSampleCommandApi(log, createMemoryStore({ collections }), () => now, options)
    client = createSampleClient(api.url)
  }
  beforeEach(async () => {
    now = START
    log = createMemoryLog()
    await start()
  })
  afterEach(() => api.stop())

  const logIn = (secret: string, email = 'ops@example.test') => client.call('POST', '/auth/login', {}, { email, password: secret })
  const forget = (email: string) => client.call('POST', '/auth/forgot-password', {}, { email })
  const reset = (token: string, secret = OTHER) => client.call('POST', '/auth/reset-password', {}, { token, new_password: secret })
  const change = (token: string, current: string, next: string) =>
    client.call('POST', '/auth/change-password', bearer(token), { current_password: current, new_password: next })
  const me = async (token: string): Promise<number> => (await client.call('GET', '/auth/me', bearer(token))).status

  test('changing ends every session of the account, and the old password', async () => {
    const [first, second] = [await client.signUp('ops@example.test'), String((await logIn(password)).body['token'])]
    expect(await change(first, password, OTHER)).toMatchObject({ status: 200, body: { message: 'Password updated successfully.' } })
    expect([await me(first), await me(second)]).toEqual([401, 401])
    expect(await logIn(password)).toMatchObject(failure(401, 'Invalid email or password'))
    expect(await me(String((await logIn(OTHER)).body['token']))).toBe(200)
  })

  test('a session that has just ended elsewhere, with its account, changes no password', async () => {
    const token = await client.signUp('ops@example.test')
    await api.stop()
    const open = log
    let isArmed = false
    log = {
      ...open,
      endPosition: async (topic, key) => {
        if (isArmed) {
          isArmed = false
          const value = codec.encode({ type: 'UserDeactivated', data: { userId: key, at: now } })
          await open.append(topic, [{ key, value, headers: { id: 'closed', type: 'switchyard.config.UserDeactivated' } }])
        }
        return await open.endPosition(topic, key)
      },
    }
    await start()
    isArmed = true
    expect((await change(token, password, OTHER)).status).toBe(401)
    expect((await api.events()).map(({ type }) => type)).not.toContain('PasswordChanged')
  })

  test.each([
    ['a wrong current password, even with a weak new one', 'Wrong#Sky2024', 'weak', 401, 'Invalid email or password'],
    ['a weak new password', password, 'weak', 400, 'Password must be at least 10 characters long'],
  ])('changing is refused with %s', async (_name, current, next, status, message) => {
    const token = await client.signUp('ops@example.test')
    const answer = await change(token, current, next)
    expect([answer.status, answer.body['message']]).toEqual([status, expect.stringContaining(message)])
    expect(await me(token)).toBe(200)
  })

  test('a forgotten password is set by the link in a mail, once; all sessions are over', async () => {
    const token = await client.signUp('ops@example.test')
    expect(await forget(' OPS@example.test')).toMatchObject(FORGOTTEN)
    const mail = await api.mailTo('ops@example.test')
    expect(mail.text).toContain('https://app.example.test/reset-password?token=')
    const weak = await reset(tokenIn(mail), 'weak')
    expect([weak.status, weak.body['message']]).toEqual([400, expect.stringContaining('Password must be')])
    expect(await reset(tokenIn(mail))).toMatchObject({
      status: 200,
      body: { message: 'Password reset successfully. You can now sign in with your new password.' },
    })
    expect(await reset(tokenIn(mail), 'Third#Sea2026')).toMatchObject(failure(400, 'Invalid or expired password reset token'))
    expect([await me(token), (await logIn(password)).status, (await logIn(OTHER)).status]).toEqual([401, 401, 200])
  })

  test('a link ends after an hour', async () => {
    await client.signUp('ops@example.test')
    await forget('ops@example.test')
    const token = tokenIn(await api.mailTo('ops@example.test'))
    now += 3_600_001
    expect(await reset(token)).toMatchObject(failure(400, 'Invalid or expired password reset token'))
  })

  test('an unknown address gets the same answer, and nothing is recorded', async () => {
    await client.signUp('ops@example.test')
    const before = (await api.events()).length
    const [unknown, known] = [await forget('nobody@example.test'), await forget('ops@example.test')]
    expect([unknown.status, unknown.body, [...unknown.headers.keys()]]).toEqual([known.status, known.body, [...known.headers.keys()]])
    await api.mailTo('ops@example.test')
    await api.settled()
    expect((await api.events()).slice(before).map(({ type }) => type)).not.toContain('UserSignedUp')
    expect((await api.events()).filter(({ type }) => type === 'PasswordResetRequested')).toHaveLength(1)
  })

  test('the answer is sent before the log is asked: its time tells nothing about the account', async () => {
    await client.signUp('ops@example.test')
    await api.stop()
    let release: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const open = log
    log = {
      ...open,
      append: async (...records) => {
        await held
        return await open.append(...records)
      },
    }
    await start()
    expect(await forget('ops@example.test')).toMatchObject(FORGOTTEN)
    expect(await forget('nobody@example.test')).toMatchObject(FORGOTTEN)
    release()
    expect((await api.mailTo('ops@example.test')).subject).toBe('Set a new password')
  })

  test('no secret of a link stands in the log', async () => {
    await client.signUp('ops@example.test')
    await forget('ops@example.test')
    const token = tokenIn(await api.mailTo('ops@example.test'))
    expect(token).toMatch(/^[\w-]{86}$/)
    expect(JSON.stringify(await api.events())).not.toContain(token)
  })

  test.each([
    ['nothing', () => ''],
    ['text', () => 'x'],
    ['a changed link', (token: string) => `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`],
    ['a changed signature', (token: string) => `${token.slice(0, 60)}${token.charAt(60) === 'A' ? 'B' : 'A'}${token.slice(61)}`],
    ['a longer one', (token: string) => `${token}A`],
  ])('%s sets no password and proves nothing', async (_name, tamper) => {
    await client.signUp('ops@example.test')
    await forget('ops@example.test')
    const token = tamper(tokenIn(await api.mailTo('ops@example.test')))
    expect(await reset(token)).toMatchObject(failure(400, 'Invalid or expired password reset token'))
    expect(await client.call('GET', `/auth/verify-email?token=${token}`)).toMatchObject(
      failure(400, 'Invalid or expired verification token'),
    )
    expect((await logIn(password)).status).toBe(200)
  })

  test('a link to set a password proves no address, and the other way round', async () => {
    await client.signUp('ops@example.test')
    await forget('ops@example.test')
    const token = tokenIn(await api.mailTo('ops@example.test'))
    expect((await client.call('GET', `/auth/verify-email?token=${token}`)).status).toBe(400)
    expect((await reset(token)).status).toBe(200)
  })

  test('a mail that nobody took is sent by the next process, with the link that works', async () => {
    await api.stop()
    await start({ takesMail: () => false })
    await client.signUp('ops@example.test')
    await forget('ops@example.test')
    await api.settled()
    while (!(await api.events()).some(({ type }) => type === 'MailAttempted')) await new Promise((resolve) => setTimeout(resolve, 5))
    await api.stop().catch(() => {})
    now += 60_000
    await start()
    expect((await reset(tokenIn(await api.mailTo('ops@example.test')))).status).toBe(200)
  })

  describe('where addresses have to be proved', () => {
    beforeEach(async () => {
      await api.stop()
      await start({ settings: { emailVerification: true } })
    })

    test('logging in waits for the link in the mail', async () => {
      const signedUp = await client.call('POST', '/auth/signup', {}, { email: 'ops@example.test', password })
      expect(signedUp).toMatchObject({ status: 200, body: { message: expect.any(String), email_verification_required: true } })
      expect(signedUp.body['token']).toBeUndefined()
      expect(await logIn(password)).toMatchObject(failure(403, 'Email not verified'))
      expect(await logIn('Wrong#Sky2024')).toMatchObject(failure(401, 'Invalid email or password'))
      const mail = await api.mailTo('ops@example.test')
      expect(mail.text).toContain('https://app.example.test/verify-email?token=')
      const verify = () => client.call('GET', `/auth/verify-email?token=${tokenIn(mail)}`)
      expect(await verify()).toMatchObject({ status: 200, body: { message: 'Email verified successfully. You can now log in.' } })
      expect(await verify()).toMatchObject(failure(400, 'Invalid or expired verification token'))
      expect((await client.call('GET', '/auth/me', bearer(String((await logIn(password)).body['token'])))).body['email_verified']).toBe(
        true,
      )
    })

    test('HEAD, by which scanners look at links in mails, uses none up', async () => {
      await client.call('POST', '/auth/signup', {}, { email: 'ops@example.test', password })
      const path = `/auth/verify-email?token=${tokenIn(await api.mailTo('ops@example.test'))}`
      expect((await client.call('HEAD', path)).status).toBe(200)
      expect((await logIn(password)).status).toBe(403)
      expect((await client.call('GET', path)).status).toBe(200)
      expect((await client.call('HEAD', path)).status).toBe(400)
      expect((await client.call('HEAD', '/auth/verify-email?token=none')).status).toBe(400)
    })

    test('an address whose link has ended is not lost: a new password proves it', async () => {
      await client.call('POST', '/auth/signup', {}, { email: 'ops@example.test', password })
      const token = tokenIn(await api.mailTo('ops@example.test'))
      now += 86_400_001
      expect((await client.call('GET', `/auth/verify-email?token=${token}`)).status).toBe(400)
      await forget('ops@example.test')
      expect((await reset(tokenIn(await api.mailTo('ops@example.test')))).status).toBe(200)
      expect((await logIn(OTHER)).status).toBe(200)
    })

    test('signing up into a merchant is proved, too', async () => {
      await client.createMerchant('m1')
      const joined = await client.call('POST', '/auth/signup', admin, { email: 'ops@example.test', password, merchant_id: 'm1' })
      expect(joined.body['email_verification_required']).toBe(true)
    })
  })
})
