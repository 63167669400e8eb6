import { fromBase64, toBase64, utf8 } from './bytes.ts'

const PREFIX = 'whsec_'

/** Bytes of the key in a secret that begins with `whsec_`. */
const SECRET_KEY_BYTES = { min: 24, max: 64 } as const

/** Characters of a secret without that prefix. */
const RAW_SECRET_LENGTH = { min: 24, max: 128 } as const

/** A secret's text from random bytes: `whsec_` and their base64. */
export const secretOf = (random: Uint8Array): string => PREFIX + toBase64(random)

/**
 * What is wrong with a secret that a merchant chose, or nothing: after `whsec_` base64 of 24 to 64 bytes, else 24 to 128 visible
 * ASCII characters.
 */
export const secretFault = (secret: string): string | undefined => {
  if (secret.startsWith(PREFIX)) {
    const length = fromBase64(secret.slice(PREFIX.length))?.length
    if (length === undefined) return 'after whsec_ the secret must be base64 with padding'
    const { min, max } = SECRET_KEY_BYTES
    return length < min || length > max ? `the secret must hold ${min} to ${max} bytes after whsec_` : undefined
  }
  const { min, max } = RAW_SECRET_LENGTH
  if (secret.length < min || secret.length > max) return `the secret must have ${min} to ${max} characters`
  return /^[\x21-\x7e]+$/.test(secret) ? undefined : 'the secret must consist of visible ASCII characters'
}

/** What may be shown of a secret: how it begins and its last three characters. */
export const secretHint = (secret: string): string => `${secret.startsWith(PREFIX) ? PREFIX : ''}…${secret.slice(-3)}`

/** The key of the older scheme: the secret's text as it is. */
export const textKey = (secret: string): Uint8Array => utf8(secret)

/** The key of Standard Webhooks: the bytes behind `whsec_`, else the text as it is. */
export const standardKey = (secret: string): Uint8Array =>
  (secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : undefined) ?? utf8(secret)
