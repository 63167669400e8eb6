/** Life of a link that sets a password, milliseconds (platform.md 14). */
export const RESET_LINK_LIFETIME_MS: number = 60 * 60 * 1_000

/** Life of a link that proves an address, milliseconds (platform.md 14). */
export const EMAIL_LINK_LIFETIME_MS: number = 24 * 60 * 60 * 1_000

/** Life of the link in an invitation, milliseconds. */
export const INVITATION_LIFETIME_MS: number = 7 * 24 * 60 * 60 * 1_000

/** Life of a hand-off code, milliseconds (platform.md 4.3). */
export const HANDOFF_CODE_LIFETIME_MS = 60_000

/** People who belong to one merchant. */
export const MEMBER_COUNT_MAX = 1_000

/** Mails that are being sent at the same time. */
export const MAILS_IN_FLIGHT_MAX = 4

/** Invoices that one process takes at the same time, each of which it holds twice while it comes. */
export const INVOICES_AT_ONCE_MAX = 8

/** Of one merchant: who sends slowly holds up no others. */
export const INVOICES_OF_MERCHANT_MAX = 4
