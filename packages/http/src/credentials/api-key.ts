import { hash } from 'node:crypto'

const RANDOM_BYTES = 32
const PREFIX_LENGTH = 11

/** Lower-case hex SHA-256 of the whole key, including its prefix: all that is ever stored of it. */
export const hashApiKey = (apiKey: string): string => hash('sha256', apiKey, 'hex')

/** A new key; `apiKey` is shown once and kept nowhere. */
export interface GeneratedApiKey {
  readonly apiKey: string
  /** The first 11 characters, to recognise it. */
  readonly keyPrefix: string
  readonly keyHash: string
}

/** Makes an API key (platform.md 5): `DE_` and 32 random bytes in lower-case hex. */
export const generateApiKey = (randomBytes: (count: number) => Uint8Array): GeneratedApiKey => {
  const apiKey = `DE_${Buffer.from(randomBytes(RANDOM_BYTES)).toString('hex')}`
  return { apiKey, keyPrefix: apiKey.slice(0, PREFIX_LENGTH), keyHash: hashApiKey(apiKey) }
}
