import { apiKeys } from '../api-keys/api-keys.ts'
import { merchants } from '../merchants/merchants.ts'
import { sessions } from '../sessions/sessions.ts'
import { type Membership, type UserState, users } from '../users/users.ts'

/** The folded states that the directory indexes; the runtime's stream states fit. */
export interface ObservableStates {
  readonly stateOf: <State>(slice: { readonly name: string; readonly initialState: State }, key: string) => State
  /** Calls `listener` for every key whose states changed, and once for every key that is loaded. */
  readonly onChange: (listener: (key: string) => void) => void
}

/** What an API key opens. */
export interface KeyCredential {
  readonly keyId: string
  readonly merchantId: string
  readonly active: boolean
}

/** Answers the gate's questions from memory, without waiting: as current as the fold it stands on. */
export interface CredentialDirectory {
  /** `keyHash`: lower-case hex SHA-256 of the whole key. */
  readonly keyByHash: (keyHash: string) => KeyCredential | undefined
  readonly keyById: (keyId: string) => KeyCredential | undefined
  readonly isSessionRevoked: (userId: string, sessionId: string) => boolean
  readonly hasMerchant: (merchantId: string) => boolean
  /** Whether the user has a membership that {@link CredentialDirectory.membershipsOf} lists. */
  readonly isMember: (userId: string, merchantId: string) => boolean
  /** Memberships in merchants that exist; one that stems from a closed merchant of the same id does not count. */
  readonly membershipsOf: (userId: string) => readonly Membership[]
}

interface KeyIndex {
  readonly byHash: ReadonlyMap<string, KeyCredential>
  readonly byId: ReadonlyMap<string, KeyCredential>
}

const indexKeys = (states: ObservableStates): KeyIndex => {
  const byHash = new Map<string, KeyCredential>()
  const byId = new Map<string, KeyCredential>()
  const indexed = new Map<string, readonly { readonly keyHash: string; readonly keyId: string }[]>()

  states.onChange((merchantId) => {
    const { keys } = states.stateOf(apiKeys, merchantId)
    const before = indexed.get(merchantId) ?? []
    if (keys === before) return
    for (const { keyHash, keyId } of before) {
      byHash.delete(keyHash)
      byId.delete(keyId)
    }
    for (const { keyHash, keyId, active } of keys) {
      const credential: KeyCredential = { keyId, merchantId, active }
      byHash.set(keyHash, credential)
      byId.set(keyId, credential)
    }
    if (keys.length === 0) indexed.delete(merchantId)
    else indexed.set(merchantId, keys)
  })
  return { byHash, byId }
}

const indexRevokedSessions = (states: ObservableStates): ReadonlyMap<string, ReadonlySet<string>> => {
  const revokedByUser = new Map<string, ReadonlySet<string>>()
  states.onChange((userId) => {
    const { revoked } = states.stateOf(sessions, userId)
    if (revoked.length === 0) revokedByUser.delete(userId)
    else revokedByUser.set(userId, new Set(revoked.map(({ sessionId }) => sessionId)))
  })
  return revokedByUser
}

/** An index over the states of merchants, keys, people and sessions, kept current by their changes. Create it before the states start. */
export const createCredentialDirectory = (states: ObservableStates): CredentialDirectory => {
  const keys = indexKeys(states)
  const revokedByUser = indexRevokedSessions(states)

  const isCurrent = ({ merchantId, merchantRegistrationCount }: Membership): boolean => {
    const { registered, registrationCount } = states.stateOf(merchants, merchantId)
    return registered && merchantRegistrationCount === registrationCount
  }
  const userOf = (userId: string): UserState => states.stateOf(users, userId)

  return {
    keyByHash: (keyHash) => keys.byHash.get(keyHash),
    keyById: (keyId) => keys.byId.get(keyId),
    isSessionRevoked: (userId, sessionId) => revokedByUser.get(userId)?.has(sessionId) === true,
    hasMerchant: (merchantId) => states.stateOf(merchants, merchantId).registered,
    isMember: (userId, merchantId) =>
      userOf(userId).memberships.some((membership) => membership.merchantId === merchantId && isCurrent(membership)),
    membershipsOf: (userId) => userOf(userId).memberships.filter(isCurrent),
  }
}
