/** A character beyond the first plane is two units; one of them alone is none. */
const HALF_CHARACTER = /\p{Surrogate}/gu
const REPLACEMENT = '\uFFFD'

/** The beginning of a text, in units, as it comes back once it was written as UTF-8: half a character, sent or cut, is U+FFFD then. */
export const beginningOf = (text: string, lengthMax: number): string => text.slice(0, lengthMax).replace(HALF_CHARACTER, REPLACEMENT)
