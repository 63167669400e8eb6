import type { Now } from '@switchyard/kernel'
import type { SessionClaims } from '../credentials/session.ts'
import type { SessionTokens } from '../credentials/session-tokens.ts'
import { VERIFIED_TOKEN_COUNT_MAX } from '../limits.ts'
import { ownText } from '../own-text.ts'

interface Verified {
  readonly token: string
  readonly claims: SessionClaims
}

/**
 * Remembers tokens whose signature was checked, the least recently used make room. The end of a token is checked each
 * time, and so is (by the caller) its revocation.
 */
export const createVerifiedTokens = (tokens: Pick<SessionTokens, 'verify'>, now: Now): Pick<SessionTokens, 'verify'> => {
  const verified = new Map<string, Verified>()

  const remember = (one: Verified): SessionClaims => {
    // A Map is ordered by insertion: the first entry is the one that was not used for longest.
    if (verified.size >= VERIFIED_TOKEN_COUNT_MAX) {
      const [oldest] = verified.keys()
      if (oldest !== undefined) verified.delete(oldest)
    }
    verified.set(one.token, one)
    return one.claims
  }

  return {
    verify: (token) => {
      const known = verified.get(token)
      if (known === undefined) {
        const claims = tokens.verify(token)
        return claims === undefined ? undefined : remember({ token: ownText(token), claims })
      }
      verified.delete(token)
      return now() > known.claims.expiresAt ? undefined : remember(known)
    },
  }
}
