import type { CredentialLookup, SessionTokens } from '@switchyard/http'

/** The directory of a process that answers public routes alone: it knows no key, no session and no merchant. */
export const nobody: CredentialLookup = {
  keyByHash: () => undefined,
  expectMerchantOf: () => {},
  standingOf: () => ({ running: false, unknown: false }),
  hasMerchant: () => false,
}

/** No token is valid there. */
export const noTokens: Pick<SessionTokens, 'verify'> = { verify: () => undefined }
