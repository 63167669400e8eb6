import { createHmac } from 'node:crypto'
import type { Hmac } from '@switchyard/kernel'

/** {@link Hmac} by Node's own cryptography. */
export const nodeHmac: Hmac = (hash, { key, message, as }) => createHmac(hash, key).update(message).digest(as)
