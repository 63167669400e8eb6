import { beforeEach, describe, expect, test } from '@jest/globals'
import type { ConfigEvent } from '@switchyard/events'
import { apiKeys } from '../api-keys/api-keys.ts'
import { merchants } from '../merchants/merchants.ts'
import { sessions } from '../sessions/sessions.ts'
import { users } from '../users/users.ts'
import { type CredentialDirectory, createCredentialDirectory } from './credential-directory.ts'

interface FoldedStates {
  readonly stateOf: <State>(slice: { readonly name: string; readonly initialState: State }, key: string) => State
  readonly onChange: (listener: (key: string) => void) => void
  readonly record: (key: string, event: ConfigEvent) => void
}

/** The fold of the slices under test, without a log. */
const createFoldedStates = (): FoldedStates => {
  const states = new Map<string, unknown>()
  const listeners: ((key: string) => void)[] = []
  const slices = [merchants, apiKeys, users, sessions]
  const nameOf = (slice: string, key: string): string => JSON.stringify([slice, key])
  return {
    stateOf: <State>(slice: { readonly name: string; readonly initialState: State }, key: string) =>
      (states.get(nameOf(slice.name, key)) ?? slice.initialState) as State,
    onChange: (listener) => listeners.push(listener),
    record: (key, event) => {
      for (const slice of slices) {
        if (!slice.folds.some((type) => type === event.type)) continue
        const state = states.get(nameOf(slice.name, key)) ?? slice.initialState
        states.set(nameOf(slice.name, key), slice.evolve(state as never, event as never))
      }
      for (const listener of listeners) listener(key)
    },
  }
}

describe('credential directory', () => {
  let states: FoldedStates
  let directory: CredentialDirectory
  const register = (at: number): void =>
    states.record('m1', { type: 'MerchantRegistered', data: { merchantId: 'm1', deciderInput: null, at } })
  const close = (at: number): void => states.record('m1', { type: 'MerchantClosed', data: { merchantId: 'm1', at } })
  const issue = (keyId: string): void =>
    states.record('m1', {
      type: 'ApiKeyIssued',
      data: { merchantId: 'm1', keyId, keyHash: `hash-${keyId}`, keyPrefix: 'DE_', description: null, at: 1 },
    })
  const join = (merchantRegistrationCount: number): void =>
    states.record('u1', {
      type: 'MembershipGranted',
      data: { userId: 'u1', merchantId: 'm1', role: 'ADMIN', merchantRegistrationCount, at: 1 },
    })

  beforeEach(() => {
    states = createFoldedStates()
    directory = createCredentialDirectory(states)
  })

  test('finds a key by hash and by id', () => {
    register(1)
    issue('k1')
    expect(directory.keyByHash('hash-k1')).toEqual({ keyId: 'k1', merchantId: 'm1', active: true })
    expect(directory.keyById('k1')).toEqual(directory.keyByHash('hash-k1'))
    expect(directory.keyByHash('k1')).toBeUndefined()
  })

  test('a revoked key is known as inactive', () => {
    register(1)
    issue('k1')
    states.record('m1', { type: 'ApiKeyRevoked', data: { merchantId: 'm1', keyId: 'k1', at: 2 } })
    expect(directory.keyByHash('hash-k1')?.active).toBe(false)
  })

  test('keys of a closed merchant are forgotten, also when the id comes back', () => {
    register(1)
    issue('k1')
    close(2)
    expect(directory.keyByHash('hash-k1')).toBeUndefined()
    register(3)
    expect([directory.hasMerchant('m1'), directory.keyById('k1')]).toEqual([true, undefined])
  })

  test('knows revoked sessions by user', () => {
    states.record('u1', { type: 'SessionRevoked', data: { userId: 'u1', sessionId: 's1', expiresAt: 9, at: 1 } })
    expect([
      directory.isSessionRevoked('u1', 's1'),
      directory.isSessionRevoked('u1', 's2'),
      directory.isSessionRevoked('u2', 's1'),
    ]).toEqual([true, false, false])
  })

  test('a membership counts while its merchant exists', () => {
    join(1)
    expect(directory.isMember('u1', 'm1')).toBe(false)
    register(1)
    expect(directory.isMember('u1', 'm1')).toBe(true)
    close(2)
    expect(directory.membershipsOf('u1')).toEqual([])
  })

  test('a membership of a closed merchant does not open a later merchant of the same id, however soon it comes', () => {
    register(1)
    join(1)
    close(2)
    register(2)
    expect(directory.isMember('u1', 'm1')).toBe(false)
    join(2)
    expect(directory.isMember('u1', 'm1')).toBe(true)
  })
})
