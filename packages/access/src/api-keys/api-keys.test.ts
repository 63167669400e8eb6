import { describe, expect, test } from '@jest/globals'
import { specificationOf } from '@switchyard/testing'
import { ACTIVE_KEY_COUNT_MAX, INVALID_KEY_COUNT_MAX } from '../limits.ts'
import { type ApiKeysEvent, apiKeys } from './api-keys.ts'

const given = specificationOf(apiKeys)
const registered: ApiKeysEvent = { type: 'MerchantRegistered', data: { merchantId: 'm1', name: null, deciderInput: null, at: 1 } }
const closed: ApiKeysEvent = { type: 'MerchantClosed', data: { merchantId: 'm1', at: 9 } }
const issuedKey = (keyId: string): ApiKeysEvent => ({
  type: 'ApiKeyIssued',
  data: { merchantId: 'm1', keyId, keyHash: `hash-${keyId}`, keyPrefix: 'DE_01234567', description: 'checkout', expiresAt: null, at: 2 },
})
const revokedKey = (keyId: string): ApiKeysEvent => ({ type: 'ApiKeyRevoked', data: { merchantId: 'm1', keyId, at: 3 } })
const issued = issuedKey('k1')
const revoked = revokedKey('k1')
const issue = { type: 'IssueApiKey', ...(issued.data as Extract<ApiKeysEvent, { type: 'ApiKeyIssued' }>['data']) } as const
const revoke = { type: 'RevokeApiKey', merchantId: 'm1', keyId: 'k1', at: 3 } as const
const fold = (...events: readonly ApiKeysEvent[]) => events.reduce(apiKeys.evolve, apiKeys.initialState)

describe('API keys', () => {
  test('a registered merchant gets a key', () => {
    given(registered).when(issue).emits(issued)
  })
  test('an unknown merchant gets none', () => {
    given().when(issue).isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId: 'm1' })
  })
  test('a key is revoked', () => {
    given(registered, issued).when(revoke).emits(revoked)
  })
  test('revoking a revoked key records nothing', () => {
    given(registered, issued, revoked).when(revoke).emitsNothing()
  })
  test('revoking an unknown key is rejected', () => {
    given(registered).when(revoke).isRejectedWith({ code: 'API_KEY_NOT_FOUND', keyId: 'k1' })
  })
  test('a merchant has a bounded number of active keys; revoked ones do not count', () => {
    const many = Array.from({ length: ACTIVE_KEY_COUNT_MAX }, (_, i) => issuedKey(`many-${i}`))
    given(registered, ...many)
      .when(issue)
      .isRejectedWith({ code: 'API_KEY_LIMIT_REACHED', activeKeyCountMax: ACTIVE_KEY_COUNT_MAX })
    given(registered, ...many, revokedKey('many-0'))
      .when(issue)
      .emits(issued)
  })
  test.each([2, 1, 0])('a key whose end (%i) is not ahead is not issued', (expiresAt) => {
    given(registered)
      .when({ ...issue, expiresAt })
      .isRejectedWith({ code: 'API_KEY_EXPIRY_PASSED', expiresAt })
  })
  test('a key that has expired is no active one, and of such keys a bounded number is remembered', () => {
    const short = (keyId: string): ApiKeysEvent => ({ ...issued, data: { ...issue, keyId, expiresAt: 3 } }) as ApiKeysEvent
    const many = Array.from({ length: ACTIVE_KEY_COUNT_MAX }, (_, i) => short(`many-${i}`))
    given(registered, ...many)
      .when({ ...issue, at: 3, expiresAt: 9 })
      .emits({ type: 'ApiKeyIssued', data: { ...(issued.data as object), at: 3, expiresAt: 9 } } as ApiKeysEvent)
    const { keys } = fold(registered, ...many, { type: 'ApiKeyIssued', data: { ...issue, keyId: 'last', at: 4 } } as ApiKeysEvent)
    expect(keys).toHaveLength(INVALID_KEY_COUNT_MAX + 1)
    expect(
      fold(registered, ...many, short('x'), { type: 'ApiKeyIssued', data: { ...issue, keyId: 'last', at: 4 } } as ApiKeysEvent).keys[0]
        ?.keyId,
    ).toBe('many-1')
  })
  test('revoked keys stay in the list, inactive', () => {
    expect(fold(registered, issued, revoked).keys).toMatchObject([{ keyId: 'k1', active: false, issuedAt: 2 }])
  })
  test('the oldest revoked keys leave a full list', () => {
    const many = Array.from({ length: INVALID_KEY_COUNT_MAX + 1 }, (_, i) => [issuedKey(`many-${i}`), revokedKey(`many-${i}`)]).flat()
    const { keys } = fold(registered, ...many)
    expect([keys.length, keys[0]?.keyId]).toEqual([INVALID_KEY_COUNT_MAX, 'many-1'])
  })
  test('keys die with their merchant and do not rise with its id', () => {
    expect(fold(registered, issued, closed)).toEqual(apiKeys.initialState)
    expect(fold(registered, issued, closed, registered).keys).toEqual([])
  })
  test('a key that was issued while its merchant was closed opens nothing', () => {
    expect(fold(registered, closed, issued, registered).keys).toEqual([])
  })
})
