/** Active API keys of one merchant. */
export const ACTIVE_KEY_COUNT_MAX = 1_000

/** Revoked and expired API keys that a merchant's list still shows; the oldest make room. */
export const INVALID_KEY_COUNT_MAX = 1_000

/** Sessions of one user that were revoked before their end and have not ended yet. */
export const REVOKED_SESSION_COUNT_MAX = 10_000

/** Merchants that one user belongs to, closed ones included. */
export const MEMBERSHIP_COUNT_MAX = 1_000

/** Links of one kind that are open for a user; a further one makes the oldest invalid. */
export const OPEN_LINK_COUNT_MAX = 3

/** Links to set a password are mailed to one user at most this often, milliseconds. */
export const RESET_INTERVAL_MS = 60_000

/** Mails to one user that are not settled; a further one pushes the oldest out. */
export const PENDING_MAIL_COUNT_MAX = 20

/** How often a mail is attempted before it is given up. */
export const MAIL_ATTEMPT_COUNT_MAX = 8

/** Until the second attempt of a mail, milliseconds; longer than sending may take. Every further wait is four times as long. */
export const MAIL_RETRY_FIRST_MS = 60_000

/** Longest wait between two attempts of a mail, milliseconds. */
export const MAIL_RETRY_MAX_MS: number = 6 * 60 * 60 * 1_000

/** Hand-off codes of one merchant that are neither used nor expired. */
export const OPEN_HANDOFF_COUNT_MAX = 1_000
