/** Keyed digests as a dependency (RFC 2104): the bytes of HMAC-SHA256 or HMAC-SHA512 of `message` under `key`. */
export type Hmac = (hash: 'sha256' | 'sha512', key: Uint8Array, message: Uint8Array) => Uint8Array
