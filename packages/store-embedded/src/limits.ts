/** Longest row of a key or an index in the database, in bytes: what LMDB can take with pages of 4 KiB. */
export const KEY_BYTES_MAX: number = 1978

/** Address space reserved for the data file, in bytes; the file itself grows with its content. */
export const MAP_BYTES: number = 256 * 1024 ** 3

/** Calls of `write` that may wait for the disk at a time; further ones are refused. */
export const WAITING_WRITE_COUNT_MAX: number = 10_000

/** Documents whose indexes are settled together when the store is opened. */
export const SETTLED_PAGE_COUNT: number = 1_000
