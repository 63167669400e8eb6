import { beforeEach, describe, expect, test } from '@jest/globals'
import { assert, createKeySpace } from '@switchyard/kernel'
import { type CredentialDirectory, createCredentialDirectory } from './credential-directory.ts'
import { createFoldedStates, type FoldedStates, granted } from './folded-states.fixture.ts'

describe('credential directory', () => {
  let states: FoldedStates
  let directory: CredentialDirectory
  const register = (at: number): void =>
    states.record('m1', { type: 'MerchantRegistered', data: { merchantId: 'm1', name: null, deciderInput: null, at } })
  const close = (at: number): void => states.record('m1', { type: 'MerchantClosed', data: { merchantId: 'm1', at } })
  const issue = (keyId: string): void =>
    states.record('m1', {
      type: 'ApiKeyIssued',
      data: { merchantId: 'm1', keyId, keyHash: `hash-${keyId}`, keyPrefix: 'DE_', description: null, expiresAt: 77, at: 1 },
    })
  const join = (merchantRegistrationCount: number): void => states.record('u1', granted('u1', 'm1', 'ADMIN', merchantRegistrationCount))

  beforeEach(() => {
    states = createFoldedStates()
    directory = createCredentialDirectory(states, { superAdminEmails: [] })
  })

  test('finds a key by hash and by id', () => {
    register(1)
    issue('k1')
    expect(directory.keyByHash('hash-k1')).toMatchObject({ keyId: 'k1', merchantId: 'm1', active: true, expiresAt: 77, isCurrent: true })
    expect(directory.keyById('k1')).toEqual(directory.keyByHash('hash-k1'))
    expect(directory.keyByHash('k1')).toBeUndefined()
  })

  test('the merchant of a key that was used is found where the keys of the states have it, and so are others', () => {
    const space = createKeySpace()
    const table = space.table<string>()
    for (const key of ['m0', 'm1', 'm2']) table.set(key, `of ${key}`)
    directory = createCredentialDirectory(states, { superAdminEmails: [] }, space)
    register(1)
    issue('k1')
    const key = directory.keyByHash('hash-k1')
    assert(key !== undefined, 'the key was issued')
    expect(key.merchantPlace).toBe(space.placeOf('m1'))
    directory.expectMerchantOf(key)
    expect(['m1', 'm2', 'm3', 'm0'].map((merchantId) => table.get(merchantId))).toEqual(['of m1', 'of m2', undefined, 'of m0'])
  })

  test('a revoked key is known as inactive', () => {
    register(1)
    issue('k1')
    states.record('m1', { type: 'ApiKeyRevoked', data: { merchantId: 'm1', keyId: 'k1', at: 2 } })
    expect(directory.keyByHash('hash-k1')?.active).toBe(false)
  })

  test('whoever kept a key is told that it was revoked, or that its merchant was closed', () => {
    register(1)
    issue('k1')
    const first = directory.keyByHash('hash-k1')
    states.record('m1', { type: 'ApiKeyRevoked', data: { merchantId: 'm1', keyId: 'k1', at: 2 } })
    const second = directory.keyByHash('hash-k1')
    expect([first?.isCurrent, second?.isCurrent]).toEqual([false, true])
    close(3)
    expect([second?.isCurrent, directory.keyByHash('hash-k1')]).toEqual([false, undefined])
  })

  test('keys of a closed merchant are forgotten, also when the id comes back', () => {
    register(1)
    issue('k1')
    close(2)
    expect(directory.keyByHash('hash-k1')).toBeUndefined()
    register(3)
    expect([directory.hasMerchant('m1'), directory.keyById('k1')]).toEqual([true, undefined])
  })

  test('knows the merchant of an open hand-off code', () => {
    const code = { email: null, permissions: [], grantLevel: 'profile', grantId: 'm1', expiresAt: 100 }
    states.record('m1', { type: 'HandoffCodeIssued', data: { merchantId: 'm1', codeHash: 'lost', ...code, at: 1 } })
    register(1)
    states.record('m1', { type: 'HandoffCodeIssued', data: { merchantId: 'm1', codeHash: 'c1', ...code, at: 2 } })
    states.record('m1', { type: 'HandoffCodeIssued', data: { merchantId: 'm1', codeHash: 'c2', ...code, at: 2 } })
    expect(['lost', 'c1', 'c2'].map(directory.merchantOfHandoff)).toEqual([undefined, 'm1', 'm1'])
    states.record('m1', { type: 'HandoffCodeRedeemed', data: { merchantId: 'm1', codeHash: 'c1', at: 3 } })
    expect(['c1', 'c2'].map(directory.merchantOfHandoff)).toEqual([undefined, 'm1'])
    close(4)
    expect(directory.merchantOfHandoff('c2')).toBeUndefined()
  })

  test('a membership counts while its merchant exists', () => {
    join(1)
    expect(directory.membershipsOf('u1')).toEqual([])
    register(1)
    expect(directory.membershipsOf('u1')).toHaveLength(1)
    close(2)
    expect(directory.membershipsOf('u1')).toEqual([])
  })

  test('a membership of a closed merchant does not open a later merchant of the same id, however soon it comes', () => {
    register(1)
    join(1)
    close(2)
    register(2)
    expect([directory.membershipsOf('u1'), directory.membersOf('m1')]).toEqual([[], []])
    join(2)
    expect(directory.membershipsOf('u1')).toHaveLength(1)
  })

  test('lists the members of a merchant by their addresses', () => {
    register(1)
    for (const email of ['zoe@example.test', 'ann@example.test']) {
      states.record(email, { type: 'UserSignedUp', data: { userId: email, email, passwordHash: '', emailVerified: true, at: 1 } })
      states.record(email, granted(email, 'm1', email === 'ann@example.test' ? 'ADMIN' : 'MEMBER'))
    }
    expect(directory.membersOf('m1')).toEqual([
      { userId: 'ann@example.test', email: 'ann@example.test', role: 'ADMIN' },
      { userId: 'zoe@example.test', email: 'zoe@example.test', role: 'MEMBER' },
    ])
    expect(directory.membersOf('m2')).toEqual([])
  })
})
