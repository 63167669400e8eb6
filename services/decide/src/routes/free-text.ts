import { beginningOf } from '@switchyard/kernel'

const CARD_NUMBER = /\d(?:[ -]?\d){12,18}/g
/** Shorter than any card number. */
const SHORT_LENGTH_MAX = 12
const MASK = '[digits]'

/** A text of others may quote a card number: what looks like one never reaches the log. Cut to a length in characters. */
export const maskedText = (text: string, lengthMax: number): string =>
  beginningOf(text.length <= SHORT_LENGTH_MAX ? text : text.replace(CARD_NUMBER, MASK), lengthMax)
