/** What the gate asks, answered from memory; the domain's credential directory fits. */
export interface CredentialLookup {
  readonly keyByHash: (keyHash: string) => { readonly keyId: string; readonly merchantId: string; readonly active: boolean } | undefined
  readonly isSessionRevoked: (userId: string, sessionId: string) => boolean
  readonly hasMerchant: (merchantId: string) => boolean
  /** Whether the user still belongs to the merchant named in the token. */
  readonly isMember: (userId: string, merchantId: string) => boolean
}
