/** How long a write waits while somebody opens the database, which takes about a millisecond, and somebody who opens it for a write. */
export const GATE_WAIT_MAX_MS: number = 10_000

/** How often whoever waits looks again, in milliseconds. */
export const GATE_LOOK_EVERY_MS: number = 1

/** Room on the disk that a database takes to be made. */
export const ROOM_BYTES_MIN: number = 1024 * 1024
