/** The clock as a dependency: epoch milliseconds. */
export type Now = () => number

/** Unique ids as a dependency: hyphenated lower-case UUIDs (version 7: they sort by time). */
export type NewId = () => string
