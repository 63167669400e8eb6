import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { MEMBERSHIP_COUNT_MAX, OPEN_LINK_COUNT_MAX, RESET_INTERVAL_MS } from '../limits.ts'
import { type UsersEvent, users } from './users.ts'

const given = specificationOf(users)
const fold = (...events: readonly UsersEvent[]) => events.reduce(users.evolve, users.initialState)

const account = { userId: 'u1', email: 'ops@example.test', passwordHash: 'phc' }
const signedUpAs = (emailVerified: boolean): UsersEvent => ({ type: 'UserSignedUp', data: { ...account, emailVerified, at: 5 } })
const signedUp = signedUpAs(true)
const unproved = signedUpAs(false)
const joined = { userId: 'u1', merchantId: 'm1', role: 'ADMIN', merchantRegistrationCount: 1, at: 5 } as const
const granted: UsersEvent = { type: 'MembershipGranted', data: { ...joined, origin: 'SIGNED_UP', invitationId: null } }
const signUp = { type: 'SignUp', ...account, merchantId: null, merchantRegistrationCount: 1, verification: null, at: 5 } as const
const joinOwn = { type: 'JoinOwnMerchant', userId: 'u1', merchantId: 'm1', merchantRegistrationCount: 1, at: 5 } as const
const invite = { type: 'InviteUser', ...account, ...joined, invitation: { linkId: 'i1', expiresAt: 900 } } as const
const invited: UsersEvent = { type: 'MembershipGranted', data: { ...joined, origin: 'INVITED', invitationId: 'i1' } }
const firstPassword: UsersEvent = {
  type: 'PasswordResetRequested',
  data: { userId: 'u1', resetId: 'i1', cause: 'INVITED', expiresAt: 900, at: 5 },
}

describe('signing up', () => {
  test('a new address signs up', () => {
    given().when(signUp).emits(signedUp)
  })
  test('into a merchant makes the user its admin, and at home there', () => {
    given()
      .when({ ...signUp, merchantId: 'm1' })
      .emits(signedUp, granted)
    expect(fold(signedUp, granted).homeMerchantId).toBe('m1')
  })
  test('with an address that has to be proved asks for the proof', () => {
    given()
      .when({ ...signUp, verification: { linkId: 'v1', expiresAt: 100 } })
      .emits(unproved, { type: 'EmailVerificationRequested', data: { userId: 'u1', verificationId: 'v1', expiresAt: 100, at: 5 } })
  })
  test('an address that is taken is rejected, proved or not', () => {
    for (const past of [signedUp, unproved]) given(past).when(signUp).isRejectedWith({ code: 'EMAIL_TAKEN', email: 'ops@example.test' })
  })
})

describe('joining', () => {
  test('a merchant of one’s own', () => {
    given(signedUp)
      .when(joinOwn)
      .emits({ type: 'MembershipGranted', data: { ...joined, origin: 'ONBOARDED', invitationId: null } })
  })
  test('nobody joins without an account', () => {
    given().when(joinOwn).isRejectedWith({ code: 'USER_NOT_FOUND', userId: 'u1' })
  })
  test('whoever is invited without an account gets one, with a link to set a password', () => {
    given().when(invite).emits(signedUp, invited, firstPassword)
  })
  test('whoever has an account is told only', () => {
    given(signedUp).when(invite).emits(invited)
  })
  test('an account that has proved nothing gets a link too: what somebody else set before is overwritten', () => {
    given(unproved).when(invite).emits(invited, firstPassword)
  })
  test('nobody is a member twice', () => {
    given(signedUp, granted)
      .when({ ...invite, role: 'MEMBER' })
      .isRejectedWith({ code: 'ALREADY_MEMBER', userId: 'u1' })
  })
  test('membership of a closed merchant is none of the next one with its id', () => {
    given(signedUp, granted)
      .when({ ...invite, merchantRegistrationCount: 2 })
      .emits({ type: 'MembershipGranted', data: { ...joined, origin: 'INVITED', invitationId: 'i1', merchantRegistrationCount: 2 } })
  })
  test('an invitation does not change where a user is at home', () => {
    const other: UsersEvent = { type: 'MembershipGranted', data: { ...joined, merchantId: 'm2', origin: 'INVITED', invitationId: 'i2' } }
    expect(fold(signedUp, granted, other)).toMatchObject({
      homeMerchantId: 'm1',
      memberships: [{ merchantId: 'm1' }, { merchantId: 'm2' }],
    })
  })
  test('the number of merchants of one user is bounded', () => {
    const many = Array.from(
      { length: MEMBERSHIP_COUNT_MAX },
      (_, i): UsersEvent => ({
        type: 'MembershipGranted',
        data: { ...joined, merchantId: `other-${i}`, origin: 'ONBOARDED', invitationId: null },
      }),
    )
    given(signedUp, ...many)
      .when(joinOwn)
      .isRejectedWith({ code: 'MEMBERSHIP_LIMIT_REACHED', membershipCountMax: MEMBERSHIP_COUNT_MAX })
  })
})

describe('passwords', () => {
  const change = { type: 'ChangePassword', userId: 'u1', passwordHash: 'new', passwordGeneration: 0, at: 9 } as const
  const changedBy = (resetId: string | null): UsersEvent => ({
    type: 'PasswordChanged',
    data: { userId: 'u1', passwordHash: 'new', resetId, at: 9 },
  })
  const requestedAt = (resetId: string, at: number): UsersEvent => ({
    type: 'PasswordResetRequested',
    data: { userId: 'u1', resetId, cause: 'REQUESTED', expiresAt: at + 3_600_000, at },
  })
  const requestAt = (linkId: string, at: number) =>
    ({ type: 'RequestPasswordReset', userId: 'u1', link: { linkId, expiresAt: at + 3_600_000 }, at }) as const
  const reset = { type: 'ResetPassword', userId: 'u1', resetId: 'r1', passwordHash: 'new', at: 9 } as const
  const invalid = { code: 'LINK_INVALID', userId: 'u1' } as const

  test('its owner changes it; what began with it is over', () => {
    given(signedUp).when(change).emits(changedBy(null))
    expect(fold(signedUp, changedBy(null)).account).toMatchObject({ passwordHash: 'new', passwordGeneration: 1 })
  })
  test('of two who change it at the same time, the second has named an old one', () => {
    given(signedUp, changedBy(null)).when(change).isRejectedWith({ code: 'PASSWORD_MOVED_ON', userId: 'u1' })
  })
  test('a link is asked for, and asking again at once changes nothing', () => {
    given(signedUp).when(requestAt('r1', 0)).emits(requestedAt('r1', 0))
    given(signedUp, requestedAt('r1', 0))
      .when(requestAt('r2', RESET_INTERVAL_MS - 1))
      .emitsNothing()
    given(signedUp, requestedAt('r1', 0)).when(requestAt('r2', RESET_INTERVAL_MS)).emits(requestedAt('r2', RESET_INTERVAL_MS))
  })
  test('a request of a clock that was ahead and has been set back is none at once', () => {
    const ahead = requestedAt('r1', 86_400_000)
    given(signedUp, ahead).when(requestAt('r2', 0)).emits(requestedAt('r2', 0))
    given(signedUp, ahead)
      .when(requestAt('r2', 86_400_000 - 1))
      .emitsNothing()
  })
  test('nobody without an account gets a link', () => {
    given().when(requestAt('r1', 0)).isRejectedWith({ code: 'USER_NOT_FOUND', userId: 'u1' })
  })
  test('a link sets it once, up to and including its end', () => {
    given(signedUp, requestedAt('r1', 5)).when(reset).emits(changedBy('r1'))
    given(signedUp, requestedAt('r1', 5), changedBy('r1')).when(reset).isRejectedWith(invalid)
    given(signedUp, requestedAt('r1', 5))
      .when({ ...reset, at: 3_600_005 })
      .emits({ type: 'PasswordChanged', data: { userId: 'u1', passwordHash: 'new', resetId: 'r1', at: 3_600_005 } })
    given(signedUp, requestedAt('r1', 5))
      .when({ ...reset, at: 3_600_006 })
      .isRejectedWith(invalid)
  })
  test('a change makes open links void', () => {
    given(signedUp, requestedAt('r1', 5), changedBy(null)).when(reset).isRejectedWith(invalid)
  })
  test('several links may be open; of too many the oldest is void', () => {
    const many = Array.from({ length: OPEN_LINK_COUNT_MAX + 1 }, (_, i) => requestedAt(`r${i}`, i))
    expect(fold(signedUp, ...many).resets.map(({ linkId }) => linkId)).toEqual(['r1', 'r2', 'r3'])
  })
  test('who used a link owns the address; who changed a password has not proved it', () => {
    expect(fold(unproved, requestedAt('r1', 5), changedBy('r1')).account?.emailVerified).toBe(true)
    expect(fold(unproved, changedBy(null)).account?.emailVerified).toBe(false)
  })
})

describe('accounts that are closed to their owners', () => {
  const deactivate = { type: 'SetUserActivity', userId: 'u1', active: false, at: 9 } as const
  const reactivate = { type: 'SetUserActivity', userId: 'u1', active: true, at: 9 } as const
  const deactivated: UsersEvent = { type: 'UserDeactivated', data: { userId: 'u1', at: 9 } }
  const reactivated: UsersEvent = { type: 'UserReactivated', data: { userId: 'u1', at: 9 } }
  const requested: UsersEvent = {
    type: 'PasswordResetRequested',
    data: { userId: 'u1', resetId: 'r1', cause: 'REQUESTED', expiresAt: 99, at: 5 },
  }

  test('are closed once and opened once; who is unknown is neither', () => {
    given(signedUp).when(deactivate).emits(deactivated)
    given(signedUp, deactivated).when(deactivate).emitsNothing()
    given(signedUp, deactivated).when(reactivate).emits(reactivated)
    given(signedUp).when(reactivate).emitsNothing()
    for (const command of [deactivate, reactivate]) given().when(command).isRejectedWith({ code: 'USER_NOT_FOUND', userId: 'u1' })
  })
  test('keep their password and memberships; sessions and links of before are over for good', () => {
    const { account, memberships, resets } = fold(signedUp, granted, requested, deactivated, reactivated)
    expect(account).toMatchObject({ passwordHash: 'phc', active: true, passwordGeneration: 1 })
    expect([memberships.length, resets]).toEqual([1, []])
  })
  test('get no link, neither asked for nor with an invitation', () => {
    given(signedUp, deactivated)
      .when({ type: 'RequestPasswordReset', userId: 'u1', link: { linkId: 'r2', expiresAt: 99 }, at: 9 })
      .isRejectedWith({ code: 'ACCOUNT_INACTIVE', userId: 'u1' })
    given(signedUp, requested, deactivated)
      .when({ type: 'ResetPassword', userId: 'u1', resetId: 'r1', passwordHash: 'new', at: 9 })
      .isRejectedWith({ code: 'LINK_INVALID', userId: 'u1' })
    given(unproved, deactivated).when(invite).emits(invited)
  })
  test('are not taken by signing up anew', () => {
    given(signedUp, deactivated).when(signUp).isRejectedWith({ code: 'EMAIL_TAKEN', email: 'ops@example.test' })
  })
})

describe('another hash of the same password', () => {
  const rehash = { type: 'RehashPassword', userId: 'u1', passwordHash: 'costlier', formerHash: 'phc', at: 9 } as const
  const rehashed: UsersEvent = { type: 'PasswordRehashed', data: { userId: 'u1', passwordHash: 'costlier', at: 9 } }
  test('replaces the one that it was checked against, and ends nothing', () => {
    given(signedUp).when(rehash).emits(rehashed)
    expect(fold(signedUp, rehashed).account).toMatchObject({ passwordHash: 'costlier', passwordGeneration: 0 })
  })
  test('comes too late when there is another already', () => {
    given(signedUp, rehashed).when(rehash).emitsNothing()
    given().when(rehash).emitsNothing()
  })
})

describe('addresses', () => {
  const asked: UsersEvent = { type: 'EmailVerificationRequested', data: { userId: 'u1', verificationId: 'v1', expiresAt: 100, at: 5 } }
  const verify = { type: 'VerifyEmail', userId: 'u1', verificationId: 'v1', at: 100 } as const
  const verified: UsersEvent = { type: 'EmailVerified', data: { userId: 'u1', verificationId: 'v1', at: 100 } }
  test('are proved by a link, once, up to and including its end', () => {
    given(unproved, asked).when(verify).emits(verified)
    expect(fold(unproved, asked, verified).account?.emailVerified).toBe(true)
    given(unproved, asked, verified).when(verify).isRejectedWith({ code: 'LINK_INVALID', userId: 'u1' })
    given(unproved, asked)
      .when({ ...verify, at: 101 })
      .isRejectedWith({ code: 'LINK_INVALID', userId: 'u1' })
  })
})
