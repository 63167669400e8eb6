import { assertNever } from '@switchyard/kernel'
import type { Identity } from './route.ts'

/** Whether the caller may work on this merchant (law 9): its own one, or any with the admin secret. */
export const mayActFor = (identity: Identity, merchantId: string): boolean => {
  switch (identity.kind) {
    case 'anonymous':
      return false
    case 'admin':
      return true
    case 'key':
    case 'user':
      return identity.admin || (identity.merchantId !== '' && identity.merchantId === merchantId)
    default:
      return assertNever(identity)
  }
}

/** Who caused an event, as it stands in its headers: `user:<id>`, `key:<id>`, `admin` or `anonymous`. */
export const actorOf = (identity: Identity): string => {
  switch (identity.kind) {
    case 'anonymous':
    case 'admin':
      return identity.kind
    case 'key':
      return `key:${identity.keyId}`
    case 'user':
      return `user:${identity.userId}`
    default:
      return assertNever(identity)
  }
}
