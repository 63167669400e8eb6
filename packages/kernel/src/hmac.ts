/** What is signed, under which key, and how the digest is written. */
interface HmacInput {
  readonly key: Uint8Array
  readonly message: Uint8Array
  /** Lower-case hexadecimal digits, or base64 with padding. */
  readonly as: 'hex' | 'base64'
}

/** Keyed digests as a dependency (RFC 2104): HMAC-SHA256 or HMAC-SHA512 of a message under a key. */
export type Hmac = (hash: 'sha256' | 'sha512', input: HmacInput) => string
