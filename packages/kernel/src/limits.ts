/** Longest id of a merchant, payment, key, algorithm or request, in characters. */
export const ID_LENGTH_MAX = 64

/** Longest name or e-mail address, in characters. */
export const NAME_LENGTH_MAX = 255

/** Longest key or header of a record, in bytes of UTF-8; every event log refuses a longer one. */
export const RECORD_TEXT_BYTES_MAX = 65_534

/** Largest expected version that a record can carry. */
export const EXPECTED_VERSION_MAX = 0xffff_fffe

/** Length of a W3C `traceparent`, in characters: `00-` and ids of 16 and 8 bytes and one of flags. */
export const TRACEPARENT_LENGTH = 55

/** Longest id that a caller gives to a trace or to what a request is a part of, in characters. */
export const CALLER_ID_LENGTH_MAX = 64
