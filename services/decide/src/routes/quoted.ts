/** Nothing that JSON would have to escape. */
const PLAIN_TEXT = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** All beyond ASCII, as JSON may write it. */
const BEYOND_ASCII = /[\u0080-\uffff]/g
const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
/** JSON in ASCII. */
export const inAscii = (json: string): string => json.replace(BEYOND_ASCII, escaped)

/** A text as JSON, in ASCII, that will hardly come again. */
export const quotedOnce = (text: string): string => (PLAIN_TEXT.test(text) ? `"${text}"` : inAscii(JSON.stringify(text)))

/** Names of gateways and kinds of payments are few, and come again in every answer. */
const WRITTEN_COUNT_MAX = 1_024

/** The same text in one piece: what was put together stays a tree of pieces, and each is gone to whenever the text is written. */
export const inOnePiece = (ascii: string): string => Buffer.from(ascii, 'latin1').toString('latin1')

/** What is written for each of few texts, in ASCII, written once. */
export const writtenOnce = (write: (text: string) => string): ((text: string) => string) => {
  const written = new Map<string, string>()
  return (text) => {
    const known = written.get(text)
    if (known !== undefined) return known
    const fresh = inOnePiece(write(text))
    if (written.size >= WRITTEN_COUNT_MAX) written.clear()
    written.set(text, fresh)
    return fresh
  }
}

/** A text as JSON, in ASCII. */
export const quoted: (text: string) => string = writtenOnce(quotedOnce)

const firstItem = writtenOnce((text) => `[${quotedOnce(text)}`)
const nextItem = writtenOnce((text) => `,${quotedOnce(text)}`)

/** Texts that come again, as a JSON list in ASCII. */
export const listed = (texts: readonly string[]): string => {
  if (texts.length === 0) return '[]'
  let items = ''
  for (const text of texts) items += items === '' ? firstItem(text) : nextItem(text)
  return `${items}]`
}
