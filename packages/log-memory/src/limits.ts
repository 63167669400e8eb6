/** Records in one batch that a reader gets, at most. */
export const BATCH_RECORD_COUNT_MAX: number = 500

/** Partitions of each topic, when nothing else is asked for; more than one, so that nobody relies on an order across keys. */
export const PARTITION_COUNT_DEFAULT: number = 3

/** Appends that may wait at a time. */
export const WAITING_APPEND_COUNT_MAX: number = 100_000
