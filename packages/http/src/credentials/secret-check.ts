import { hash, timingSafeEqual } from 'node:crypto'

const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer')

/**
 * Compares with a secret in a time that says nothing about it. An empty secret matches nothing: a deployment that sets
 * none has no admin.
 */
export const createSecretCheck = (secret: string): ((candidate: unknown) => boolean) => {
  const expected = digestOf(secret)
  return (candidate) => typeof candidate === 'string' && secret !== '' && timingSafeEqual(digestOf(candidate), expected)
}
