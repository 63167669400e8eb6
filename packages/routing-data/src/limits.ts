/** Largest table, in bytes. */
export const TABLE_BYTES_MAX: number = 4 * 1024 * 1024
/** Most routing keys. */
export const KEY_COUNT_MAX = 500
/** Most values of an enum key. */
export const ENUM_VALUE_COUNT_MAX = 2_000
/** Most rules of eligibility. */
export const ELIGIBILITY_ROWS_MAX = 20_000
/** Longest cell that is one word, in characters. */
export const WORD_LENGTH_MAX = 255
