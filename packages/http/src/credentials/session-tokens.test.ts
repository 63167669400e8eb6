import { createHmac } from 'node:crypto'
import { beforeEach, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createVerifiedTokens } from '../gate/verified-tokens.ts'
import { VERIFIED_TOKEN_COUNT_MAX } from '../limits.ts'
import { SAMPLE_SUBJECT as subject } from './sample-subject.fixture.ts'
import type { SessionSubject } from './session.ts'
import { createSessionTokens, type SessionTokens } from './session-tokens.ts'

const secret = 'a secret of at least 32 bytes, yes'
const START = 1_760_000_000_500
const END = 1_760_086_400_000

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const sign = (header: object, payload: object, key: string = secret): string => {
  const signed = `${encode(header)}.${encode(payload)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}
const HS256 = { alg: 'HS256', typ: 'JWT' }
const genuine = { sub: 'u1', email: 'e', merchant_id: 'm1', role: 'admin', jti: 'j', iat: 1_760_000_000, exp: END / 1000 }

describe('session tokens', () => {
  let now: number
  let tokens: SessionTokens
  beforeEach(() => {
    now = START
    tokens = createSessionTokens({ secret, now: () => now, newId: () => 'jti-1', lifetimeMs: 86_400_000, handoffLifetimeMs: 1_200_000 })
  })

  test('carry the claims of the sheet', () => {
    const [, payload = ''] = tokens.issue(subject).split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({
      sub: 'u1',
      user_id: 'u1',
      email: 'ops@example.test',
      merchant_id: 'm1',
      role: 'admin',
      token_type: 'standard',
      jti: 'jti-1',
      perms: ['routing:read', 'routing:write'],
      iat: 1_760_000_000,
      exp: 1_760_086_400,
    })
  })
  test('come back as what they were issued for', () => {
    expect(tokens.verify(tokens.issue(subject))).toEqual({
      ...subject,
      sessionId: 'jti-1',
      permissions: ['routing:read', 'routing:write'],
      expiresAt: END,
    })
  })
  test.each<[string, Partial<SessionSubject>]>([
    ['a super admin at a merchant', { type: 'super_admin_view', grant: { level: 'profile', id: 'm1' }, passwordGeneration: 3 }],
    [
      'one that was handed over',
      { type: 'hs_redirect', grant: { level: 'org', id: 'o1' }, permissions: ['x'], merchantRegistrationCount: 2 },
    ],
  ])('say of %s all that it stands on', (_name, change) => {
    expect(tokens.verify(tokens.issue({ ...subject, ...change }))).toMatchObject({ ...subject, ...change })
  })
  test('of sessions that were handed over end sooner', () => {
    expect(tokens.verify(tokens.issue({ ...subject, type: 'hs_redirect' }))?.expiresAt).toBe(1_760_001_200_000)
  })
  test('of a session that goes on are of that session, and end with it', () => {
    const first = tokens.verify(tokens.issue(subject))
    now = START + 60_000
    tokens = createSessionTokens({ secret, now: () => now, newId: () => 'jti-2', lifetimeMs: 86_400_000, handoffLifetimeMs: 1 })
    const next = tokens.issue({ ...subject, merchantId: 'm2' }, first)
    expect(tokens.verify(next)).toMatchObject({ merchantId: 'm2', sessionId: 'jti-1', expiresAt: END })
  })
  test('are valid up to and including their end', () => {
    const token = tokens.issue(subject)
    now = END
    expect(tokens.verify(token)).toBeDefined()
    now = END + 1
    expect(tokens.verify(token)).toBeUndefined()
  })

  const { jti: _jti, ...withoutId } = genuine
  const { exp: _exp, ...withoutEnd } = genuine
  test.each([
    ['nothing', ''],
    ['text', 'a.b.c'],
    ['another secret', sign(HS256, genuine, 'another secret of at least 32 bytes')],
    ['alg none', `${encode({ alg: 'none' })}.${encode(genuine)}.`],
    ['alg none, signed', sign({ alg: 'none' }, genuine)],
    ['alg HS512', sign({ alg: 'HS512' }, genuine)],
    ['alg RS256', sign({ alg: 'RS256' }, genuine)],
    ['no id', sign(HS256, withoutId)],
    ['no end', sign(HS256, withoutEnd)],
    ['a role that is none', sign(HS256, { ...genuine, role: 'root' })],
    ['another type of session', sign(HS256, { ...genuine, token_type: 'root' })],
    ['a password count below none', sign(HS256, { ...genuine, pwd_gen: -1 })],
    ['a registration that is no count', sign(HS256, { ...genuine, reg: '1' })],
    ['a payload that is no object', sign(HS256, [1])],
    ['a very long one', `${sign(HS256, { ...genuine, email: 'e'.repeat(9_000) })}`],
  ])('are refused: %s', (_name, token) => {
    expect(tokens.verify(token)).toBeUndefined()
  })

  test('are refused, whatever their parts are', () => {
    const part = fc.oneof(fc.json(), fc.string()).map((text) => Buffer.from(text).toString('base64url'))
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { minLength: 1, maxLength: 4 }), (parts) => {
        expect(tokens.verify(parts.join('.'))).toBeUndefined()
      }),
    )
    expect(tokens.verify(`${Buffer.from('null').toString('base64url')}.e30.x`)).toBeUndefined()
  })

  test.each([
    ['absent', {}, ['routing:read', 'routing:write']],
    ['malformed', { perms: 'all' }, ['routing:read', 'routing:write']],
    ['one of another release', { perms: ['routing:read', 'other'] }, ['routing:read', 'other']],
    ['none', { perms: [] }, []],
  ])('permissions: %s', (_name, perms, permissions) => {
    expect(tokens.verify(sign(HS256, { ...genuine, ...perms }))?.permissions).toEqual(permissions)
  })

  test('a short secret is no secret', () => {
    expect(() => createSessionTokens({ secret: 'short', now: () => 0, newId: () => '', lifetimeMs: 1, handoffLifetimeMs: 1 })).toThrow(
      expect.objectContaining({ code: 'SETTING_INVALID' }),
    )
  })

  test('a remembered token still ends', () => {
    const verified = createVerifiedTokens(tokens, () => now)
    const token = tokens.issue(subject)
    expect([verified.verify(token), verified.verify(token)]).toEqual([tokens.verify(token), tokens.verify(token)])
    now = END + 1
    expect(verified.verify(token)).toBeUndefined()
  })

  test('remembers a bounded number of tokens, the least recently used make room', () => {
    let checkCount = 0
    const claims = { ...subject, sessionId: 's', permissions: [], expiresAt: END }
    const verified = createVerifiedTokens({ verify: () => (checkCount++, claims) }, () => now)
    for (let i = 0; i < VERIFIED_TOKEN_COUNT_MAX; i++) verified.verify(`t${i}`)
    verified.verify('t0')
    verified.verify('one more')
    expect(checkCount).toBe(VERIFIED_TOKEN_COUNT_MAX + 1)
    verified.verify('t0')
    expect(checkCount).toBe(VERIFIED_TOKEN_COUNT_MAX + 1)
    verified.verify('t1')
    expect(checkCount).toBe(VERIFIED_TOKEN_COUNT_MAX + 2)
  })
})
