import type { ApiKeyIssued, ApiKeyRevoked, MerchantClosed, MerchantRegistered } from '@switchyard/events'
import { accept, assertNever, type Decision, reject, type Slice } from '@switchyard/kernel'
import { ACTIVE_KEY_COUNT_MAX, INVALID_KEY_COUNT_MAX } from '../limits.ts'

/** Issues or revokes a key; `at` is epoch milliseconds. The key itself never gets here, only its hash. */
export type ApiKeysCommand = IssueApiKey | RevokeApiKey

interface IssueApiKey {
  readonly type: 'IssueApiKey'
  readonly merchantId: string
  readonly keyId: string
  /** Lower-case hex SHA-256 of the whole key. */
  readonly keyHash: string
  readonly keyPrefix: string
  readonly description: string | null
  /** From when on it is not valid, epoch milliseconds; null: it does not expire. */
  readonly expiresAt: number | null
  readonly at: number
}

interface RevokeApiKey {
  readonly type: 'RevokeApiKey'
  readonly merchantId: string
  readonly keyId: string
  readonly at: number
}

/** What the state of the keys follows from. */
export type ApiKeysEvent = MerchantRegistered | MerchantClosed | ApiKeyIssued | ApiKeyRevoked

/** Why a key is not issued or revoked; the limit counts keys that are still valid. */
export type ApiKeysRejection =
  | { readonly code: 'MERCHANT_NOT_FOUND'; readonly merchantId: string }
  | { readonly code: 'API_KEY_NOT_FOUND'; readonly keyId: string }
  | { readonly code: 'API_KEY_EXPIRY_PASSED'; readonly expiresAt: number }
  | { readonly code: 'API_KEY_LIMIT_REACHED'; readonly activeKeyCountMax: number }

/** A key as its merchant sees it; revoked is final. */
export interface ApiKey {
  readonly keyId: string
  readonly keyHash: string
  readonly keyPrefix: string
  readonly description: string | null
  /** Not revoked. */
  readonly active: boolean
  /** Epoch milliseconds. */
  readonly issuedAt: number
  /** From when on it is not valid, epoch milliseconds; null: it does not expire. */
  readonly expiresAt: number | null
}

/** The keys of one merchant, oldest first. */
export interface ApiKeysState {
  readonly registered: boolean
  readonly keys: readonly ApiKey[]
}

const initialState: ApiKeysState = { registered: false, keys: [] }

/** Neither revoked nor expired at a time (epoch milliseconds). */
const isValidKey =
  (at: number) =>
  ({ active, expiresAt }: ApiKey): boolean =>
    active && (expiresAt === null || at < expiresAt)

const issue = (command: IssueApiKey, { keys }: ApiKeysState): Decision<ApiKeysEvent, ApiKeysRejection> => {
  if (keys.filter(isValidKey(command.at)).length >= ACTIVE_KEY_COUNT_MAX)
    return reject({ code: 'API_KEY_LIMIT_REACHED', activeKeyCountMax: ACTIVE_KEY_COUNT_MAX })
  const { merchantId, keyId, keyHash, keyPrefix, description, expiresAt, at } = command
  if (expiresAt !== null && expiresAt <= at) return reject({ code: 'API_KEY_EXPIRY_PASSED', expiresAt })
  return accept({ type: 'ApiKeyIssued', data: { merchantId, keyId, keyHash, keyPrefix, description, expiresAt, at } })
}

const revoke = ({ merchantId, keyId, at }: RevokeApiKey, { keys }: ApiKeysState): Decision<ApiKeysEvent, ApiKeysRejection> => {
  const key = keys.find((candidate) => candidate.keyId === keyId)
  if (key === undefined) return reject({ code: 'API_KEY_NOT_FOUND', keyId })
  return key.active ? accept({ type: 'ApiKeyRevoked', data: { merchantId, keyId, at } }) : accept()
}

/** Keys that open nothing any more are remembered in a bounded number. */
const withoutOldestInvalid = (keys: readonly ApiKey[], at: number): readonly ApiKey[] => {
  const invalid = keys.filter((key) => !isValidKey(at)(key))
  if (invalid.length <= INVALID_KEY_COUNT_MAX) return keys
  return keys.filter((key) => key !== invalid[0])
}

/** API keys of a merchant (platform.md 5). They die with their merchant. Issuing and revoking commute. Key: merchant id. */
export const apiKeys: Slice<ApiKeysCommand, ApiKeysState, ApiKeysEvent, ApiKeysRejection> = {
  name: 'api-keys',
  version: 2,
  folds: ['MerchantRegistered', 'MerchantClosed', 'ApiKeyIssued', 'ApiKeyRevoked'],
  conflicts: 'commute',
  initialState,

  decide: (command, state) => {
    if (!state.registered) return reject({ code: 'MERCHANT_NOT_FOUND', merchantId: command.merchantId })
    switch (command.type) {
      case 'IssueApiKey':
        return issue(command, state)
      case 'RevokeApiKey':
        return revoke(command, state)
      default:
        return assertNever(command)
    }
  },

  evolve: (state, event) => {
    switch (event.type) {
      case 'MerchantRegistered':
        return { registered: true, keys: [] }
      case 'MerchantClosed':
        return initialState
      case 'ApiKeyIssued': {
        // A key that was issued while its merchant was being closed opens nothing, neither now nor for a merchant of that id to come.
        if (!state.registered) return state
        const { keyId, keyHash, keyPrefix, description, expiresAt, at } = event.data
        const issued: ApiKey = { keyId, keyHash, keyPrefix, description, active: true, issuedAt: at, expiresAt }
        return { ...state, keys: withoutOldestInvalid([...state.keys, issued], at) }
      }
      case 'ApiKeyRevoked': {
        const keys = state.keys.map((key) => (key.keyId === event.data.keyId ? { ...key, active: false } : key))
        return { ...state, keys: withoutOldestInvalid(keys, event.data.at) }
      }
      default:
        return assertNever(event)
    }
  },
}
