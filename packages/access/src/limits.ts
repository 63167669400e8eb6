/** Active API keys of one merchant. */
export const ACTIVE_KEY_COUNT_MAX = 1_000

/** Revoked API keys that a merchant's list still shows; the oldest make room. */
export const REVOKED_KEY_COUNT_MAX = 1_000

/** Sessions of one user that were revoked before their end and have not ended yet. */
export const REVOKED_SESSION_COUNT_MAX = 10_000
