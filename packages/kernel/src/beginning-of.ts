/** The beginning of a text, in units, as it comes back once it was written as UTF-8: half a character, sent or cut, is U+FFFD then. */
export const beginningOf = (text: string, lengthMax: number): string => text.slice(0, lengthMax).toWellFormed()
