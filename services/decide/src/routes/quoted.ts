/** Nothing that JSON would have to escape. */
const PLAIN_TEXT = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** All beyond ASCII, as JSON may write it. */
const BEYOND_ASCII = /[\u0080-\uffff]/g
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
/** JSON in ASCII. */
export const inAscii = (json: string): string => json.replace(BEYOND_ASCII, escaped)

/** Names of gateways and kinds of payments are few, and come again in every answer. */
const QUOTED_COUNT_MAX = 1_024
const quotedBefore = new Map<string, string>()

/** A text as JSON, in ASCII, that will hardly come again. */
export const quotedOnce = (text: string): string => (PLAIN_TEXT.test(text) ? `"${text}"` : inAscii(JSON.stringify(text)))

/** A text as JSON, in ASCII. */
export const quoted = (text: string): string => {
  const known = quotedBefore.get(text)
  if (known !== undefined) return known
  const fresh = quotedOnce(text)
  if (quotedBefore.size >= QUOTED_COUNT_MAX) quotedBefore.clear()
  quotedBefore.set(text, fresh)
  return fresh
}
