/** How a session came about (platform.md 3.2): by a password, by a hand-off code, or a super admin's look at a merchant. */
export type SessionType = 'standard' | 'hs_redirect' | 'super_admin_view'

/** The scopes that a session without memberships was given (platform.md 4.3). */
export interface SessionGrant {
  readonly level: 'profile' | 'merchant' | 'org'
  readonly id: string
}

/** Whom a session is for, and what it may do. */
export interface SessionSubject {
  readonly type: SessionType
  readonly userId: string
  readonly email: string
  /** Active merchant; empty when the user has none. */
  readonly merchantId: string
  readonly role: 'admin' | 'member'
  /** As they were given: what is no permission of this release grants nothing, and is kept. */
  readonly permissions: readonly string[]
  readonly grant: SessionGrant | null
  /** Of the account, when its password was checked; 0 where there is none. */
  readonly passwordGeneration: number
  /** Which registration of the merchant id a handed-over session is for; 0 for others. */
  readonly merchantRegistrationCount: number
}

/** What a verified token says. Whether the session goes on is another question. */
export interface SessionClaims extends SessionSubject {
  /** The same in all tokens that came of one log-in. */
  readonly sessionId: string
  /** Last millisecond at which the token is valid, epoch milliseconds. */
  readonly expiresAt: number
}
