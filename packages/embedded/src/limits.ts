/** How long a write waits, in milliseconds, while somebody opens the database, which takes about a millisecond, and somebody who opens it for a write. */
export const GATE_WAIT_MAX_MS: number = 10_000

/** How often whoever waits looks again, in milliseconds. */
export const GATE_LOOK_EVERY_MS: number = 1

/** Room on the disk that a database takes to be made, in bytes. */
export const MAKING_ROOM_BYTES_MIN: number = 1024 * 1024

/** Room on the disk below which nothing more is written, in bytes: beyond what commits of all threads take that are under way. */
export const WRITING_ROOM_BYTES_MIN: number = 16 * 1024 * 1024

/**
 * Pages of a file that is shorter than its number of pages says, which are looked at before it is taken for whole. Killed processes leave such files, too,
 * and a start must not wait: those far up in the trees come first, and so many of them point to more than a gigabyte.
 */
export const PAGES_LOOKED_AT_MAX: number = 4_096
