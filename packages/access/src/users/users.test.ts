import { createHash } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import fc from 'fast-check'
import { normaliseEmail, userIdOf } from './email.ts'
import { isStrongPassword } from './password-rule.ts'
import { type UsersEvent, users } from './users.ts'

const given = specificationOf(users)
const signedUp: UsersEvent = { type: 'UserSignedUp', data: { userId: 'u1', email: 'ops@example.test', passwordHash: 'phc', at: 5 } }
const granted: UsersEvent = {
  type: 'MembershipGranted',
  data: { userId: 'u1', merchantId: 'm1', role: 'ADMIN', merchantRegistrationCount: 1, at: 5 },
}
const signUp = {
  type: 'SignUp',
  userId: 'u1',
  email: 'ops@example.test',
  passwordHash: 'phc',
  merchantId: null,
  merchantRegistrationCount: 1,
  at: 5,
} as const
const grant = { type: 'GrantMembership', userId: 'u1', merchantId: 'm1', role: 'ADMIN', merchantRegistrationCount: 1, at: 5 } as const

describe('users', () => {
  test('a new address signs up', () => {
    given().when(signUp).emits(signedUp)
  })
  test('signing up into a merchant makes the user its admin', () => {
    given()
      .when({ ...signUp, merchantId: 'm1' })
      .emits(signedUp, granted)
  })
  test('an address that is taken is rejected', () => {
    given(signedUp).when(signUp).isRejectedWith({ code: 'EMAIL_TAKEN', email: 'ops@example.test' })
  })
  test('a user becomes member', () => {
    given(signedUp).when(grant).emits(granted)
  })
  test('the same membership again records nothing', () => {
    given(signedUp, granted).when(grant).emitsNothing()
  })
  test('nobody becomes member without an account', () => {
    given().when(grant).isRejectedWith({ code: 'USER_NOT_FOUND', userId: 'u1' })
  })
  test('another role replaces the one before it', () => {
    const member: UsersEvent = {
      type: 'MembershipGranted',
      data: { userId: 'u1', merchantId: 'm1', role: 'MEMBER', merchantRegistrationCount: 1, at: 6 },
    }
    expect([signedUp, granted, member].reduce(users.evolve, users.initialState).memberships).toEqual([
      { merchantId: 'm1', role: 'MEMBER', merchantRegistrationCount: 1 },
    ])
  })
})

describe('addresses', () => {
  const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')

  test('spellings of one address are one account', () => {
    expect(normaliseEmail('  Ops@Example.TEST ')).toBe('ops@example.test')
  })
  test('the id of an account never changes: it is the key of its events', () => {
    expect(userIdOf('ops@example.test', sha256Hex)).toMatchInlineSnapshot(`"ecb8d79b-2775-88fc-a16d-d02f26f0d461"`)
  })
  test('every id is a UUID of version 8', () => {
    fc.assert(
      fc.property(fc.string(), (email) => {
        expect(userIdOf(email, sha256Hex)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      }),
    )
  })
})

describe('password rule', () => {
  test.each([
    ['Password123!', true],
    ['Blue#Sky2024', true],
    ['StrongPass1', false],
    ['Aa1!aaaa', false],
    ['password123!', false],
    ['PASSWORD123!', false],
    ['Password!!!!', false],
    ['Password 123', true],
    ['Passwordé123', true],
    ['Aa1😀😀😀😀😀😀', false],
    ['Aa1😀😀😀😀😀😀😀', true],
  ])('%s -> %s', (password, strong) => {
    expect(isStrongPassword(password)).toBe(strong)
  })
})
