import { hashApiKey } from '../credentials/api-key.ts'
import { KNOWN_KEY_COUNT_MAX } from '../limits.ts'
import type { CredentialLookup } from './credential-lookup.ts'

/**
 * Finds API keys by their text. The hash of a key that was found is remembered, in memory only, because hashing costs more
 * than the rest of the check; whether the key is still valid is asked of the directory each time.
 */
export const createKeyLookup = (
  directory: Pick<CredentialLookup, 'keyByHash'>,
): ((apiKey: string) => ReturnType<CredentialLookup['keyByHash']>) => {
  const hashes = new Map<string, string>()
  return (apiKey) => {
    const known = hashes.get(apiKey)
    if (known !== undefined) return directory.keyByHash(known)
    const hash = hashApiKey(apiKey)
    const key = directory.keyByHash(hash)
    if (key === undefined) return undefined
    if (hashes.size >= KNOWN_KEY_COUNT_MAX) hashes.clear()
    hashes.set(apiKey, hash)
    return key
  }
}
