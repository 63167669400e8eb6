/** Control characters, and those that turn the direction of what follows: one name would be shown as another. */
const CONTROL_CHARACTER = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** Whether a text has characters that no name or id needs and that garble logs, terminals and pages. */
export const hasControlCharacter = (text: string): boolean => CONTROL_CHARACTER.test(text)
