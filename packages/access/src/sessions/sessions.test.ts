import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { REVOKED_SESSION_COUNT_MAX } from '../limits.ts'
import { type SessionsEvent, sessions } from './sessions.ts'

const given = specificationOf(sessions)
const revoked = (sessionId: string, expiresAt: number, at: number): SessionsEvent => ({
  type: 'SessionRevoked',
  data: { userId: 'u1', sessionId, expiresAt, at },
})
const fold = (...events: readonly SessionsEvent[]) => events.reduce(sessions.evolve, sessions.initialState)
const revoke = { type: 'RevokeSession', userId: 'u1', sessionId: 's1', expiresAt: 100, at: 10 } as const

describe('sessions', () => {
  test('a session is revoked', () => {
    given()
      .when(revoke)
      .emits(revoked('s1', 100, 10))
  })
  test('revoking it again records nothing', () => {
    given(revoked('s1', 100, 10))
      .when(revoke)
      .emitsNothing()
  })
  test('who logs in is recorded, and changes no mark', () => {
    const started: SessionsEvent = { type: 'SessionStarted', data: { userId: 'u1', merchantId: 'm_1', at: 5 } }
    given(revoked('s1', 100, 1))
      .when({ type: 'StartSession', userId: 'u1', merchantId: 'm_1', at: 5 })
      .emits(started)
    expect(fold(revoked('s1', 100, 1), started).revoked).toHaveLength(1)
  })
  test('a mark stands up to and including the end of its session', () => {
    expect(fold(revoked('s1', 100, 10), revoked('s2', 300, 100)).revoked).toHaveLength(2)
  })
  test('a mark whose session would have ended is dropped by the next event', () => {
    expect(fold(revoked('s1', 100, 10), revoked('s2', 300, 101)).revoked).toEqual([{ sessionId: 's2', expiresAt: 300 }])
  })
  test('folding an event twice is folding it once', () => {
    expect(fold(revoked('s1', 100, 10), revoked('s1', 100, 10))).toEqual(fold(revoked('s1', 100, 10)))
  })
  test('the number of marks is bounded', () => {
    const many = Array.from({ length: REVOKED_SESSION_COUNT_MAX }, (_, i) => ({ sessionId: `many-${i}`, expiresAt: 100 }))
    expect(sessions.decide(revoke, { revoked: many })).toEqual({
      accepted: false,
      rejection: { code: 'TOO_MANY_REVOKED_SESSIONS', revokedSessionCountMax: REVOKED_SESSION_COUNT_MAX },
    })
    expect(sessions.decide({ ...revoke, at: 101, expiresAt: 200 }, { revoked: many }).accepted).toBe(true)
  })
})
