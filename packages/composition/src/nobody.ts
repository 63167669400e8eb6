import type { CredentialLookup, SessionTokens } from '@switchyard/http'

/** The directory of a process that answers public routes alone: it knows no key, no session and no merchant. */
export const nobody: CredentialLookup = {
  keyByHash: () => undefined,
  isSessionRevoked: () => true,
  hasMerchant: () => false,
  isMember: () => false,
}

/** No token is valid there. */
export const noTokens: Pick<SessionTokens, 'verify'> = { verify: () => undefined }
