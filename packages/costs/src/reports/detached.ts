/** Longest text that an engine copies when it is cut out of another one. */
const COPIED_LENGTH_MAX = 12

/**
 * The same text, by itself: one that was cut out of a file keeps that part of the file in memory for as long as it is kept. For what
 * outlives its record.
 */
export const detached = (text: string): string => (text.length <= COPIED_LENGTH_MAX ? text : String(JSON.parse(JSON.stringify(text))))
