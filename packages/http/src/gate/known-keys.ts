import { hashApiKey } from '../credentials/api-key.ts'
import { KNOWN_KEY_COUNT_MAX } from '../limits.ts'
import { ownText } from '../own-text.ts'
import type { CredentialLookup, KnownKey } from './credential-lookup.ts'

/**
 * Finds API keys by their text. One that was found is remembered, in memory only, until the directory says otherwise: hashing and
 * finding it by its hash cost more than the rest of the check.
 */
export const createKeyLookup = (directory: Pick<CredentialLookup, 'keyByHash'>): ((apiKey: string) => KnownKey | undefined) => {
  const found = new Map<string, KnownKey>()
  return (apiKey) => {
    const known = found.get(apiKey)
    if (known?.isCurrent === true) return known
    const key = directory.keyByHash(hashApiKey(apiKey))
    if (key === undefined) {
      found.delete(apiKey)
      return undefined
    }
    if (found.size >= KNOWN_KEY_COUNT_MAX) found.clear()
    found.set(ownText(apiKey), key)
    return key
  }
}
