/** How far the time in a signed header may be from the receiver's clock. */
export const SIGNATURE_TOLERANCE_SECONDS = 300

/** Signatures that a receiver looks at in one `webhook-signature` header. */
export const SIGNATURES_PER_HEADER_MAX = 10

/** Profiles of a merchant that may have an endpoint. */
export const ENDPOINTS_PER_MERCHANT_MAX = 100

/** Longest address of an endpoint, in characters (webhooks.md 9.1). */
export const URL_LENGTH_MAX = 2048

/** Earlier secrets that may sign beside the newest one (webhooks.md 9.1). */
export const PREVIOUS_SECRET_COUNT_MAX = 2

/** Attempts at one event, scheduled and manual together. */
export const ATTEMPTS_PER_CHAIN_MAX = 1_000

/** After its deadline an attempt that was not finished is given up by whoever sees it, milliseconds later (webhooks.md 12). */
export const RECOVERY_GRACE_MS = 5_000

/** How long the same event is recognised when it is submitted again, milliseconds (webhooks.md 9.3). */
export const DEDUPE_WINDOW_MS: number = 7 * 86_400_000

/** Chains that were accepted beside the first one of a key and are remembered: each start of a process, or silence of the log, leaves one at most. */
export const REPEATS_KNOWN_MAX = 32

/** How long the result of a manual retry is given again under its idempotency key, milliseconds (webhooks.md 8). */
export const RETRY_KEY_WINDOW_MS = 86_400_000

/** How long bodies and answers are kept, milliseconds; the flags stay (webhooks.md 17). */
export const CONTENT_RETENTION_MS: number = 90 * 86_400_000

/** An endpoint is disabled after this time without a success, milliseconds, and so many failed attempts (webhooks.md 10). */
export const DISABLE_AFTER_MS: number = 5 * 86_400_000
export const DISABLE_AFTER_FAILURES = 20

/** Longest span of a recovery, milliseconds, and most events in one (webhooks.md 9.4). */
export const RECOVERY_SPAN_MAX_MS: number = 14 * 86_400_000
export const RECOVERY_EVENT_COUNT_MAX = 10_000

/** How far a list reaches back, whole UTC days (webhooks.md 3.3). */
export const LIST_WINDOW_DAYS = 90

/** Rows of a page, and the default (webhooks.md 3.3). */
export const LIST_LIMIT_MAX = 100

/** Events that are looked at for one list; what lies behind them is neither shown nor counted. */
export const LIST_SCAN_COUNT_MAX = 100_000
