/** Longest key or row of an index as the port counts it, in bytes. */
export const KEY_BYTES_MAX: number = 1978

/** Largest document as it is stored, in bytes: MongoDB takes 16 MiB, and the guard of a write travels with it. */
export const DOCUMENT_BYTES_MAX: number = 16 * 1024 * 1024 - 64 * 1024

/** Writes in one bulk, and their bytes; larger batches become several bulks. */
export const BULK_WRITE_COUNT_MAX = 1_000
export const BULK_BYTES_MAX: number = 8 * 1024 * 1024

/** Keys in one query; more become several queries. */
export const FIND_KEY_COUNT_MAX = 1_000

/** Calls that may be under way at a time, those that wait for a connection included; further ones are refused. */
export const CALL_COUNT_MAX = 1_000

/** Connections of one store. */
export const CONNECTION_COUNT_MAX = 10

/** Writes to collections that are under way at a time: fewer than there are connections, so that none waits for one, and reads get through. */
export const COLLECTIONS_AT_ONCE_MAX = 8

/** How long a call waits for one of the connections, milliseconds. */
export const CONNECTION_WAIT_MS = 5_000

/** How long a server is looked for, and a connection to it awaited, milliseconds. */
export const SERVER_SELECTION_MS = 2_000

/** How long an answer is awaited on a connection that is silent, milliseconds. */
export const ANSWER_WAIT_MS = 20_000

/** The same for the making of an index over what is there, milliseconds. */
export const INDEX_BUILD_WAIT_MS: number = 10 * 60_000

/** How long MongoDB waits for a majority to have a write on disk, milliseconds. */
export const MAJORITY_WAIT_MS = 10_000

/** A call that failed is made again so many times, as long as it began less than this many milliseconds ago. */
export const RETRY_COUNT_MAX = 3
export const RETRY_WINDOW_MS = 2_000

/** Longest pause before the first retry, milliseconds; it doubles with each. */
export const RETRY_PAUSE_MS = 100
