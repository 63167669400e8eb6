import type { KeySpace } from '@switchyard/kernel'
import { apiKeys } from '../api-keys/api-keys.ts'
import type { ObservableStates } from './observable-states.ts'

/** What an API key opens. */
export interface KeyCredential {
  readonly keyId: string
  readonly merchantId: string
  /** Not revoked. */
  readonly active: boolean
  /** From when on it opens nothing, epoch milliseconds; null: it does not expire. */
  readonly expiresAt: number | null
  /** False once anything of the key has changed: who kept it looks it up again. */
  readonly isCurrent: boolean
  /** Where its merchant stands among the keys of the states; undefined when it stands nowhere yet. */
  readonly merchantPlace: number | undefined
  /** For whoever notes the use of keys: when it last did, in rounds of its own from 1 on. */
  notedInRound: number
}

/** All keys, by what they are looked up by. */
export interface KeyIndex {
  readonly byHash: ReadonlyMap<string, KeyCredential>
  readonly byId: ReadonlyMap<string, KeyCredential>
}

/** A {@link KeyIndex} that follows the states. */
export const indexKeys = (states: ObservableStates, { placeOf }: Pick<KeySpace, 'placeOf'>): KeyIndex => {
  const byHash = new Map<string, KeyCredential & { isCurrent: boolean }>()
  const byId = new Map<string, KeyCredential>()
  const indexed = new Map<string, readonly { readonly keyHash: string; readonly keyId: string }[]>()

  states.onChange((merchantId) => {
    const { keys } = states.stateOf(apiKeys, merchantId)
    const before = indexed.get(merchantId) ?? []
    if (keys === before) return
    for (const { keyHash, keyId } of before) {
      const outdated = byHash.get(keyHash)
      if (outdated !== undefined) outdated.isCurrent = false
      byHash.delete(keyHash)
      byId.delete(keyId)
    }
    const merchantPlace = placeOf(merchantId)
    for (const { keyHash, keyId, active, expiresAt } of keys) {
      const credential = { keyId, merchantId, active, expiresAt, isCurrent: true, merchantPlace, notedInRound: 0 }
      byHash.set(keyHash, credential)
      byId.set(keyId, credential)
    }
    if (keys.length === 0) indexed.delete(merchantId)
    else indexed.set(merchantId, keys)
  })
  return { byHash, byId }
}
