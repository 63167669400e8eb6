import { afterEach, describe, expect, test } from '@jest/globals'
import { runtimeCollections as collections } from '@switchyard/composition'
import { type Argon2, argon2 } from '@switchyard/http'
import type { EventLog, ReadStore } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import { sampleAdmin as admin, createSampleClient, SAMPLE_PASSWORD as password, type SampleClient } from '../sample-client.fixture.ts'
import { type SampleCommandApi, type SampleOptions, startSampleCommandApi } from '../sample-command-api.fixture.ts'

/** As many as are worth waiting for. */
const PASSWORD_CHECKS_MAX = 32
const WRONG = 'Wrong#Sky2024'
/** Of a hash all but its salt and its digest: what the work follows from. */
const parametersOf = (hashed: string): string => hashed.replace(/[^$]+\$[^$]+$/, '')

/** What goes on when it is released. */
const heldBack = (): { readonly held: Promise<void>; readonly release: () => void } => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  return { held, release: () => release() }
}
/** Long enough for all that are sent at once to be where they wait. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500))

describe('the work of hashing passwords', () => {
  let work: string[] = []
  const watched: Argon2 = {
    hash: async (...given) => {
      const hashed = await argon2.hash(...given)
      work.push(`hash ${parametersOf(hashed)}`)
      return hashed
    },
    verify: (hashed, ...given) => {
      work.push(`verify ${parametersOf(String(hashed))}`)
      return argon2.verify(hashed, ...given)
    },
  }
  let log: EventLog
  let store: ReadStore
  let api: SampleCommandApi
  let client: SampleClient
  const start = async (options: SampleOptions = {}): Promise<void> => {
    api = await startSampleCommandApi(log, store, () => Date.UTC(2031, 0, 2), { argon2: watched, ...options })
    client = createSampleClient(api.url)
    work = []
  }
  const startAnew = async (options?: SampleOptions): Promise<void> => {
    log = createMemoryLog()
    store = createMemoryStore({ collections })
    await start(options)
  }
  afterEach(() => api.stop())

  const workOf = async (ask: () => Promise<{ readonly status: number }>): Promise<readonly [number, ...string[]]> => {
    work = []
    const { status } = await ask()
    await api.settled()
    return [status, ...work]
  }
  const logIn = (email: string, secret: string) => client.call('POST', '/auth/login', {}, { email, password: secret })

  test('tells no account from none, whatever its state', async () => {
    await startAnew({ settings: { emailVerification: true } })
    await client.signUp('unproved@example.test')
    await client.signUp('closed@example.test')
    await client.call('POST', '/admin/users/deactivate', admin, { email: 'closed@example.test' })
    const unknown = await workOf(() => logIn('nobody@example.test', WRONG))
    expect(unknown).toEqual([401, expect.stringMatching(/^verify \$argon2id\$v=19\$m=64,t=1,p=1\$$/)])
    for (const email of ['unproved@example.test', 'closed@example.test']) expect(await workOf(() => logIn(email, WRONG))).toEqual(unknown)
    expect(await workOf(() => logIn('unproved@example.test', password))).toEqual([403, ...unknown.slice(1)])
    expect(await workOf(() => logIn('closed@example.test', password))).toEqual([403, ...unknown.slice(1)])
  })

  test('asking for a link is none, with an account and without', async () => {
    await startAnew()
    await client.signUp('ops@example.test')
    const forget = (email: string) => client.call('POST', '/auth/forgot-password', {}, { email })
    expect(await workOf(() => forget('ops@example.test'))).toEqual([200])
    expect(await workOf(() => forget('nobody@example.test'))).toEqual([200])
  })

  test('who logs in after the cost was changed gets a hash of that cost, and keeps the sessions', async () => {
    await startAnew()
    const token = await client.signUp('ops@example.test')
    await api.stop()
    await start({ passwordCost: { passCount: 2 } })
    const [old, costlier] = ['verify $argon2id$v=19$m=64,t=1,p=1$', '$argon2id$v=19$m=64,t=2,p=1$']
    expect(await workOf(() => logIn('ops@example.test', WRONG))).toEqual([401, old])
    expect(await workOf(() => logIn('ops@example.test', password))).toEqual([200, old, `hash ${costlier}`])
    expect(await workOf(() => logIn('ops@example.test', password))).toEqual([200, `verify ${costlier}`])
    expect((await client.call('GET', '/auth/me', { authorization: `Bearer ${token}` })).status).toBe(200)
    const recorded = (await api.events()).map(({ type, actor }) => [type, actor?.split(':')[0]])
    expect(recorded.filter(([type]) => type === 'PasswordRehashed')).toEqual([['PasswordRehashed', 'user']])
  })

  test('is bounded, also of those who waited for the log at the same time', async () => {
    const open = createMemoryLog()
    const [asking, hashing] = [heldBack(), heldBack()]
    log = { ...open, endPosition: async (...asked) => await asking.held.then(() => open.endPosition(...asked)) }
    store = createMemoryStore({ collections })
    const hash: Argon2['hash'] = async (...given) => await hashing.held.then(() => watched.hash(...given))
    const verify: Argon2['verify'] = async (...given) => await hashing.held.then(() => watched.verify(...given))
    await start({ argon2: { hash, verify } })
    const people = Array.from({ length: 60 }, (_, index) => `somebody${index}@example.test`)
    const asked = people.map((email, index) =>
      index % 2 === 0 ? logIn(email, WRONG) : client.call('POST', '/auth/signup', {}, { email, password }),
    )
    await pause()
    asking.release()
    await pause()
    hashing.release()
    const refused = (await Promise.all(asked)).filter(({ status }) => status === 503)
    expect(refused).toHaveLength(people.length - PASSWORD_CHECKS_MAX)
    expect(work).toHaveLength(PASSWORD_CHECKS_MAX)
  })
})
