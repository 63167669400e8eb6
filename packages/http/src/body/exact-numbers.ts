import { isLosslessNumber, isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json'

/** A number of a JSON text that JavaScript would round; `toString` is how it was written. */
export type ExactNumber = LosslessNumber

/** Characters of numbers that are compared with what JavaScript makes of them: that takes the square of a long run of zeros. */
const COMPARED_LENGTH_MAX = 64

/** What a text has in it that has a number which JavaScript may round: many digits, or an exponent of three. */
const MAY_BE_ROUNDED = /[0-9](?:\.?[0-9]){15}|[eE][-+]?[0-9]{3}/

const numberOf = (text: string): number | ExactNumber =>
  text.length <= COMPARED_LENGTH_MAX && isSafeNumber(text) ? Number(text) : new LosslessNumber(text)

/**
 * The value of a JSON text, with an {@link ExactNumber} for each number that JavaScript would round; throws for other texts. `rounded` is
 * what `JSON.parse` has made of it, for whom has asked already.
 */
export const parseExactly = (text: string, rounded?: unknown): unknown => {
  if (MAY_BE_ROUNDED.test(text)) return parse(text, undefined, numberOf)
  return rounded === undefined ? JSON.parse(text) : rounded
}

/** Whether a value is an {@link ExactNumber}. */
export const isExactNumber = (value: unknown): value is ExactNumber => isLosslessNumber(value)

const hasExactNumber = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (isExactNumber(value) || Object.values(value).some(hasExactNumber))

/** A JSON object as compact JSON, {@link ExactNumber}s as they were written: by the engine where there are none, in a quarter of the time. */
export const printExactly = (value: object): string => (hasExactNumber(value) ? (stringify(value) ?? '{}') : JSON.stringify(value))
