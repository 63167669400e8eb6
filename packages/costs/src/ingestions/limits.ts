/** How long a process has an ingestion for itself without a word of it, milliseconds. */
export const LEASE_MS = 60_000

/** How often a report is tried before it is left as failed. */
export const ATTEMPT_COUNT_MAX = 6

/** Pause before the second attempt, milliseconds, and how much longer each following one is: 30 s to about two hours. */
export const RETRY_FIRST_MS = 30_000
export const RETRY_FACTOR = 4

/** How far the clocks of processes may be apart: a time that is further ahead than any wait was set by a clock that was wrong, milliseconds. */
export const CLOCK_ERROR_MS = 300_000

/** Ingestions that a list shows (cost.md 3.5). */
export const INGESTION_LIST_COUNT_MAX = 50

/** Buckets, totals or rates of BINs in one chunk of a contribution. */
export const CONTRIBUTION_CHUNK_COUNT = 500
