import { beforeEach, describe, expect, test } from '@jest/globals'
import { createFoldedStates, type FoldedStates, granted } from './folded-states.fixture.ts'
import { createSessionJudge, type SessionFacts, type SessionStanding } from './session-standing.ts'

const OVER = { running: false, unknown: false }
const UNKNOWN = { running: false, unknown: true }
const ADMIN = { running: true, role: 'admin' }
const MEMBER = { running: true, role: 'member' }

describe('the standing of a session', () => {
  let states: FoldedStates
  let standingOf: (session: SessionFacts) => SessionStanding
  const own: SessionFacts = {
    type: 'standard',
    userId: 'u1',
    sessionId: 's1',
    merchantId: 'm1',
    passwordGeneration: 0,
    merchantRegistrationCount: 0,
  }
  const view: SessionFacts = { ...own, type: 'super_admin_view' }
  const handedOver: SessionFacts = { ...own, type: 'hs_redirect', userId: 'hs_m1', merchantRegistrationCount: 1 }
  const register = (): void =>
    states.record('m1', { type: 'MerchantRegistered', data: { merchantId: 'm1', name: null, deciderInput: null, at: 1 } })
  const close = (): void => states.record('m1', { type: 'MerchantClosed', data: { merchantId: 'm1', at: 1 } })
  const signUp = (): void =>
    states.record('u1', {
      type: 'UserSignedUp',
      data: { userId: 'u1', email: 'u@example.test', passwordHash: '', emailVerified: true, at: 1 },
    })
  const join = (role: 'ADMIN' | 'MEMBER'): void => states.record('u1', granted('u1', 'm1', role))
  const changePassword = (): void =>
    states.record('u1', { type: 'PasswordChanged', data: { userId: 'u1', passwordHash: '', resetId: null, at: 1 } })
  const deactivate = (): void => states.record('u1', { type: 'UserDeactivated', data: { userId: 'u1', at: 1 } })
  const reactivate = (): void => states.record('u1', { type: 'UserReactivated', data: { userId: 'u1', at: 1 } })
  const revoke = (userId: string): void =>
    states.record(userId, { type: 'SessionRevoked', data: { userId, sessionId: 's1', expiresAt: 9, at: 1 } })

  beforeEach(() => {
    states = createFoldedStates()
    standingOf = createSessionJudge(states, (email) => email === 'u@example.test')
  })

  test('of one’s own: as long as account, password and membership last, with the role of the membership', () => {
    expect(standingOf(own)).toEqual(UNKNOWN)
    signUp()
    expect(standingOf(own)).toEqual(UNKNOWN)
    register()
    join('MEMBER')
    expect(standingOf(own)).toEqual(MEMBER)
    join('ADMIN')
    expect(standingOf(own)).toEqual(ADMIN)
    changePassword()
    expect(standingOf(own)).toEqual(OVER)
    expect(standingOf({ ...own, passwordGeneration: 1 })).toEqual(ADMIN)
    expect(standingOf({ ...own, passwordGeneration: 2 })).toEqual(UNKNOWN)
  })
  test('an account that is closed to its owner has none, and those of before do not come back with it', () => {
    signUp()
    register()
    join('ADMIN')
    deactivate()
    expect([own, view].map(standingOf)).toEqual([OVER, OVER])
    reactivate()
    expect([own, view].map(standingOf)).toEqual([OVER, OVER])
    expect(standingOf({ ...own, passwordGeneration: 1 })).toEqual(ADMIN)
  })
  test('of one’s own without a merchant: as long as the account lasts', () => {
    signUp()
    expect(standingOf({ ...own, merchantId: '' })).toEqual(ADMIN)
  })
  test('a membership ends with its merchant, and is none in the next one of that id', () => {
    signUp()
    register()
    join('ADMIN')
    close()
    expect(standingOf(own)).toEqual(UNKNOWN)
    register()
    expect(standingOf(own)).toEqual(UNKNOWN)
  })
  test('a session that was revoked is over, whatever its kind; others of the user go on', () => {
    signUp()
    register()
    join('ADMIN')
    revoke('u1')
    revoke('hs_m1')
    expect([own, view, handedOver].map(standingOf)).toEqual([OVER, OVER, OVER])
    expect(standingOf({ ...own, sessionId: 's2' })).toEqual(ADMIN)
  })
  test('a super admin’s view: as long as the roster and the password say so', () => {
    signUp()
    expect(standingOf(view)).toEqual(ADMIN)
    expect(createSessionJudge(states, () => false)(view)).toEqual(OVER)
    changePassword()
    expect(standingOf(view)).toEqual(OVER)
  })
  test('one that was handed over: as long as its merchant lasts, and not in the next one of that id', () => {
    expect(standingOf(handedOver)).toEqual(UNKNOWN)
    register()
    expect(standingOf(handedOver)).toEqual(ADMIN)
    close()
    expect(standingOf(handedOver)).toEqual(OVER)
    register()
    expect(standingOf(handedOver)).toEqual(OVER)
    expect(standingOf({ ...handedOver, merchantRegistrationCount: 2 })).toEqual(ADMIN)
  })
})
