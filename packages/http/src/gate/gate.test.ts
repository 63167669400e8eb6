import { describe, expect, jest, test } from '@jest/globals'
import { hashApiKey } from '../credentials/api-key.ts'
import { SAMPLE_SUBJECT as user } from '../credentials/sample-subject.fixture.ts'
import type { SessionClaims } from '../credentials/session.ts'
import { createSessionTokens } from '../credentials/session-tokens.ts'
import { actorOf, mayActFor } from '../identity.ts'
import type { Identity, RouteRequest, RouteSpec } from '../route.ts'
import type { AccessRule } from './authentication.ts'
import { createGate } from './gate.ts'

const now = (): number => 1_760_000_000_000
const issuer = (newId: () => string) =>
  createSessionTokens({ secret: 's'.repeat(32), now, newId, lifetimeMs: 60_000, handoffLifetimeMs: 60_000 })
const tokens = issuer(() => 'session-1')
const bearer = `Bearer ${tokens.issue(user)}`
const revokedBearer = `Bearer ${issuer(() => 'revoked').issue(user)}`
const strangerBearer = `Bearer ${tokens.issue({ ...user, userId: 'stranger' })}`
const newcomerBearer = `Bearer ${tokens.issue({ ...user, userId: 'newcomer' })}`
const CURRENT = { isCurrent: true, merchantPlace: undefined, notedInRound: 0 }
const keys = new Map([
  [hashApiKey('good'), { keyId: 'k1', merchantId: 'm1', active: true, expiresAt: null, ...CURRENT }],
  [hashApiKey('lasting'), { keyId: 'k3', merchantId: 'm1', active: true, expiresAt: 1_760_000_000_001, ...CURRENT }],
  [hashApiKey('expired'), { keyId: 'k4', merchantId: 'm1', active: true, expiresAt: 1_760_000_000_000, ...CURRENT }],
  [hashApiKey('revoked'), { keyId: 'k2', merchantId: 'm1', active: false, expiresAt: null, ...CURRENT }],
])
const OVER = { running: false, unknown: false } as const
const merchantIds = new Set(['m1', 'm2'])
const options = {
  directory: {
    keyByHash: (hash: string) => keys.get(hash),
    expectMerchantOf: () => {},
    standingOf: ({ userId, sessionId }: SessionClaims) => {
      if (userId === 'newcomer') return { running: false, unknown: true } as const
      return userId === 'u1' && sessionId !== 'revoked' ? ({ running: true, role: 'admin' } as const) : OVER
    },
    hasMerchant: (merchantId: string) => merchantIds.has(merchantId),
  },
  tokens,
  adminSecret: 'test_admin',
  tenants: ['public'],
  now,
}
const gate = createGate(options)
const writing: AccessRule = { access: 'protected', permission: 'routing:write' }
const refusedWith = (status: number, message: string) => ({ refused: { status, body: { code: 'TE_04', message, data: null } } })

describe('the directory', () => {
  test('hears whose key opened a request, and of no key that opened none', () => {
    const expectMerchantOf = jest.fn()
    const { authenticate } = createGate({ ...options, directory: { ...options.directory, expectMerchantOf } })
    for (const apiKey of ['good', 'revoked', 'expired', 'bad']) authenticate(writing, { 'x-api-key': apiKey })
    expect(expectMerchantOf.mock.calls).toEqual([[keys.get(hashApiKey('good'))]])
  })
})

describe('protected routes', () => {
  test.each([
    ['nothing', {}, refusedWith(401, 'Missing authentication credentials')],
    ['a bearer', { authorization: bearer }, { identity: { kind: 'user', userId: 'u1', merchantId: 'm1', admin: false } }],
    ['a garbled bearer', { authorization: 'Bearer x' }, refusedWith(401, 'Invalid or expired token')],
    ['a revoked bearer', { authorization: revokedBearer }, refusedWith(401, 'Invalid or expired token')],
    [
      'no fallback behind a bad bearer',
      { authorization: 'Bearer x', 'x-api-key': 'good', 'x-admin-secret': 'test_admin' },
      refusedWith(401, 'Invalid or expired token'),
    ],
    ['a bearer without membership', { authorization: strangerBearer }, refusedWith(401, 'Invalid or expired token')],
    [
      'a bearer that may rest on news',
      { authorization: newcomerBearer },
      { ...refusedWith(401, 'Invalid or expired token'), unknown: true },
    ],
    ['a key that lasts', { 'x-api-key': 'lasting' }, { identity: { kind: 'key', keyId: 'k3' } }],
    ['a key from its end on', { 'x-api-key': 'expired' }, refusedWith(401, 'API key has expired')],
    ['a lower-case scheme', { authorization: bearer.replace('Bearer', 'bearer') }, refusedWith(401, 'Missing authentication credentials')],
    ['another scheme beside a key', { authorization: 'Basic x', 'x-api-key': 'good' }, { identity: { kind: 'key', keyId: 'k1' } }],
    ['a key', { 'x-api-key': 'good' }, { identity: { kind: 'key', keyId: 'k1', merchantId: 'm1', admin: false } }],
    ['a revoked key', { 'x-api-key': 'revoked' }, refusedWith(401, 'API key is revoked')],
    ['an unknown key', { 'x-api-key': 'bad' }, refusedWith(401, 'Invalid API key')],
    ['an empty key', { 'x-api-key': '' }, refusedWith(401, 'Invalid API key')],
    ['the admin secret', { 'x-admin-secret': 'test_admin' }, { identity: { kind: 'admin' } }],
    ['a wrong admin secret', { 'x-admin-secret': 'nope' }, refusedWith(401, 'Invalid admin secret')],
    ['a wrong admin secret beside a key', { 'x-admin-secret': 'nope', 'x-api-key': 'good' }, refusedWith(401, 'Invalid admin secret')],
    ['the admin secret beside a key', { 'x-admin-secret': 'test_admin', 'x-api-key': 'good' }, { identity: { kind: 'key', admin: true } }],
    ['the admin secret beside a bad key', { 'x-admin-secret': 'test_admin', 'x-api-key': 'bad' }, { identity: { kind: 'admin' } }],
    [
      'the admin secret beside a bearer',
      { 'x-admin-secret': 'test_admin', authorization: bearer },
      { identity: { kind: 'user', admin: true } },
    ],
    [
      'a wrong admin secret beside a bearer',
      { 'x-admin-secret': 'nope', authorization: bearer },
      { identity: { kind: 'user', admin: false } },
    ],
  ])('%s', (_name, headers, expected) => {
    expect(gate.authenticate(writing, headers)).toMatchObject(expected)
  })

  test('an empty admin secret admits nobody', () => {
    const closed = createGate({ ...options, adminSecret: '' })
    expect(closed.authenticate(writing, { 'x-admin-secret': '' })).toMatchObject(refusedWith(401, 'Invalid admin secret'))
    expect(closed.authenticate({ ...writing, access: 'admin' }, { 'x-admin-secret': '' })).toMatchObject({ refused: { status: 401 } })
    expect(closed.authenticate({ ...writing, access: 'public' }, { 'x-admin-secret': '' })).toEqual({ identity: { kind: 'anonymous' } })
  })

  test('a session without the permission is told which one it lacks', () => {
    const claims = { ...user, sessionId: 's', permissions: ['routing:read'] as const, expiresAt: now() + 1 }
    const reading = createGate({ ...options, tokens: { verify: () => claims } })
    const headers = { authorization: 'Bearer x' }
    expect(reading.authenticate(writing, headers)).toMatchObject(refusedWith(403, 'This session does not have routing:write'))
    expect(reading.authenticate({ access: 'protected', permission: 'routing:read' }, headers)).toMatchObject({ identity: { kind: 'user' } })
  })
})

describe('other routes', () => {
  test.each<[string, AccessRule['access'], Record<string, string>, object]>([
    ['public: anybody', 'public', {}, { identity: { kind: 'anonymous' } }],
    ['public: an admin is recognised', 'public', { 'x-admin-secret': 'test_admin' }, { identity: { kind: 'admin' } }],
    ['public: a wrong secret is anybody', 'public', { 'x-admin-secret': 'nope' }, { identity: { kind: 'anonymous' } }],
    ['admin: no secret', 'admin', { authorization: bearer }, refusedWith(401, 'Invalid or missing x-admin-secret header')],
    ['admin: wrong secret', 'admin', { 'x-admin-secret': 'nope' }, refusedWith(401, 'Invalid or missing x-admin-secret header')],
    ['admin: the secret', 'admin', { 'x-admin-secret': 'test_admin' }, { identity: { kind: 'admin' } }],
    ['session: a bearer', 'session', { authorization: bearer }, { identity: { kind: 'user' } }],
    ['session: a key is no session', 'session', { 'x-api-key': 'good' }, refusedWith(401, 'Invalid or expired token')],
    [
      'session: the admin secret is no session',
      'session',
      { 'x-admin-secret': 'test_admin' },
      refusedWith(401, 'Invalid or expired token'),
    ],
    ['session: revoked', 'session', { authorization: revokedBearer }, refusedWith(401, 'Invalid or expired token')],
  ])('%s', (_name, access, headers, expected) => {
    expect(gate.authenticate({ ...writing, access }, headers)).toMatchObject(expected)
  })

  test('logging out again takes a revoked session', () => {
    const rule: AccessRule = { access: 'session', permission: 'routing:write', revokedToken: 'accepted' }
    expect(gate.authenticate(rule, { authorization: revokedBearer })).toMatchObject({ identity: { sessionId: 'revoked' } })
  })

  test('analytics needs to know the merchant', () => {
    const rule: AccessRule = { access: 'protected', permission: 'routing:read', identity: 'required' }
    const message = 'Analytics access requires JWT or API key authentication'
    expect(gate.refuseIdentity(rule, { kind: 'admin' })).toEqual({ status: 401, body: { code: 'TE_03', message, data: null } })
    expect(gate.refuseIdentity(rule, { kind: 'key', keyId: 'k', merchantId: 'm1', admin: true })).toBeUndefined()
    expect(gate.refuseIdentity(writing, { kind: 'admin' })).toBeUndefined()
  })

  test.each([
    [{}, 'Tenant error: x-tenant-id not found in headers'],
    [{ 'x-tenant-id': 'públic' }, 'Tenant error: x-tenant-id not found in headers'],
    [{ 'x-tenant-id': '' }, 'Tenant error: Invalid x-tenant-id'],
    [{ 'x-tenant-id': 'Public' }, 'Tenant error: Invalid x-tenant-id'],
    [{ 'x-tenant-id': 'public' }, undefined],
  ])('tenant %j', (headers, message) => {
    const refused = gate.refuseTenant(headers)
    expect(refused).toEqual(message === undefined ? undefined : { status: 400, body: { code: 'TE_03', message, data: null } })
  })
})

describe('merchants', () => {
  const spec = (merchant: RouteSpec['merchant']): RouteSpec => ({
    ...writing,
    method: 'POST',
    path: '/x',
    tenant: false,
    body: 'json',
    hot: false,
    ...(merchant === undefined ? {} : { merchant }),
  })
  const inBody = spec({ in: 'body', name: 'merchant_id', whenUnknown: 'not-found' })
  const inPath = spec({ in: 'path', name: 'id', whenUnknown: 'allowed' })
  const key: Identity = { kind: 'key', keyId: 'k', merchantId: 'm1', admin: false }
  const request = (identity: Identity, named: unknown): RouteRequest => ({
    params: typeof named === 'string' ? { id: named } : {},
    query: new URLSearchParams(),
    body: { merchant_id: named },
    headers: {},
    identity,
    requestId: 'r',
    receivedAt: 0,
    remoteAddress: () => '127.0.0.1',
  })

  test.each<[string, RouteSpec, Identity, unknown, string | undefined]>([
    ['the own merchant', inBody, key, 'm1', undefined],
    ['another merchant', inBody, key, 'm2', 'MERCHANT_FOREIGN'],
    ['existence comes before ownership', inBody, key, 'm3', 'MERCHANT_NOT_FOUND'],
    ['an admin at an unknown one', inBody, { kind: 'admin' }, 'm3', 'MERCHANT_NOT_FOUND'],
    ['an admin anywhere', inBody, { kind: 'admin' }, 'm2', undefined],
    ['an admin beside a key anywhere', inBody, { ...key, admin: true }, 'm2', undefined],
    ['a list of the own, unknown merchant', inPath, { ...key, merchantId: 'm3' }, 'm3', undefined],
    ['a list of another, unknown merchant', inPath, key, 'm3', 'MERCHANT_FOREIGN'],
    ['nobody named: the handler refuses the body', inBody, key, undefined, undefined],
    ['no text named: the handler refuses the body', inBody, key, ['m2'], undefined],
    ['no merchant in the row', spec(undefined), key, 'm2', undefined],
  ])('%s', (_name, row, identity, named, code) => {
    const refusal = gate.refuseMerchant(row, request(identity, named))
    expect(refusal).toEqual(code === undefined ? undefined : { code, merchantId: named })
  })

  test('members that every object has name no merchant', () => {
    const row = spec({ in: 'body', name: 'constructor', whenUnknown: 'not-found' })
    expect(gate.refuseMerchant(row, request(key, 'm1'))).toBeUndefined()
  })

  test('a merchant that is not known yet is looked for once', async () => {
    const known = new Set<string>()
    const asked: string[] = []
    const refreshMerchant = async (merchantId: string): Promise<void> => {
      asked.push(merchantId)
      if (merchantId === 'm1') known.add(merchantId)
    }
    const directory = { ...options.directory, hasMerchant: (merchantId: string) => known.has(merchantId) }
    const refreshing = createGate({ ...options, directory, refreshMerchant })
    expect(await refreshing.refuseMerchant(inBody, request(key, 'm1'))).toBeUndefined()
    expect(await refreshing.refuseMerchant(inBody, request(key, 'm1'))).toBeUndefined()
    expect(await refreshing.refuseMerchant(inBody, request(key, 'm9'))).toEqual({ code: 'MERCHANT_NOT_FOUND', merchantId: 'm9' })
    expect(asked).toEqual(['m1', 'm9'])
  })
})

describe('identities', () => {
  const session = { ...user, sessionId: 's', expiresAt: 0, admin: false }
  test.each<[Identity, string, boolean]>([
    [{ kind: 'anonymous' }, 'anonymous', false],
    [{ kind: 'admin' }, 'admin', true],
    [{ kind: 'key', keyId: 'k1', merchantId: 'm1', admin: false }, 'key:k1', true],
    [{ kind: 'key', keyId: 'k1', merchantId: 'm2', admin: false }, 'key:k1', false],
    [{ kind: 'user', ...session }, 'user:u1', true],
    [{ kind: 'user', ...session, merchantId: 'm2' }, 'user:u1', false],
    [{ kind: 'user', ...session, merchantId: 'm2', admin: true }, 'user:u1', true],
  ])('%j is %s', (identity, actor, may) => {
    expect([actorOf(identity), mayActFor(identity, 'm1')]).toEqual([actor, may])
  })
  test('a user without a merchant acts for no merchant, not even one without a name', () => {
    expect(mayActFor({ kind: 'user', ...session, merchantId: '' }, '')).toBe(false)
  })
})
