import type { SessionClaims } from '../credentials/session.ts'

/** An API key as the directory knows it. */
export interface KnownKey {
  readonly keyId: string
  readonly merchantId: string
  readonly active: boolean
  /** From when on it opens nothing, epoch milliseconds; null: it does not expire. */
  readonly expiresAt: number | null
  /** Whether the directory still says so; from the moment on at which anything of the key changes it does not. */
  readonly isCurrent: boolean
  /** Where the directory has its merchant. */
  readonly merchantPlace: number | undefined
  /** For whoever notes the use of keys: when it last did, in rounds of its own from 1 on. */
  notedInRound: number
}

/** What the gate asks, answered from memory; the domain's credential directory fits. */
export interface CredentialLookup {
  readonly keyByHash: (keyHash: string) => KnownKey | undefined
  /** What is asked for next is mostly of the merchant of this key: then it is not looked up. No answer depends on it. */
  readonly expectMerchantOf: (key: KnownKey) => void
  /** Whether the session of a genuine token goes on, and with which role; `unknown`: it may rest on what is not known here yet. */
  readonly standingOf: (
    session: SessionClaims,
  ) => { readonly running: true; readonly role: 'admin' | 'member' } | { readonly running: false; readonly unknown: boolean }
  readonly hasMerchant: (merchantId: string) => boolean
}
