/** Most records that are stored under one key of the database. */
export const CHUNK_RECORD_COUNT_MAX: number = 1024

/** A chunk that has reached this size takes no further record, in bytes. */
export const CHUNK_BYTES_MAX: number = 256 * 1024

/** Space that a chunk starts with, in bytes; it doubles as needed. */
export const CHUNK_BYTES_INITIAL: number = 4 * 1024

/** A batch that a reader gets ends with the chunk that reaches this number of records. */
export const BATCH_RECORD_COUNT_TARGET: number = 2048

/** A batch that a reader gets ends with the chunk that reaches this size, in bytes. */
export const BATCH_BYTES_TARGET: number = 512 * 1024

/** What may wait for the next commit, in bytes; further appends are refused until there is room. */
export const PENDING_BYTES_MAX: number = 64 * 1024 * 1024

/** Largest number of partitions of a topic. */
export const PARTITION_COUNT_MAX: number = 1024

/** Address space reserved for the data file, in bytes; the file itself grows with its content. */
export const MAP_BYTES: number = 256 * 1024 ** 3

/** Attempts at taking over the lock of an owner that is gone, before the folder counts as in use. */
export const LOCK_ATTEMPTS_MAX: number = 5

/** Partitions of each topic, when nothing else is asked for. */
export const PARTITION_COUNT_DEFAULT: number = 4

/** Records that are kept in memory after their commit, for the tails of the handle that appended them. */
export const RECENT_RECORD_COUNT_MAX: number = 1024

/** Memory that these records take at most, in bytes: a tail that can't go on reads the others from the store when it can. */
export const RECENT_BYTES_MAX: number = 16 * 1024 * 1024

/** How long a notice waits for others before other threads get it, in milliseconds. */
export const NOTICE_DELAY_MS: number = 5
