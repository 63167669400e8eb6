/** Longest number that a cell may hold, in characters. */
const DECIMAL_LENGTH_MAX = 32
/** Largest amount of one cell, major units: far beyond any payment, and sums of its squares stay exact enough. */
export const AMOUNT_MAX = 1e12

const PLAIN_DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

/**
 * A plain decimal with `.`; undefined for everything else. Group separators, exponents and signs behind the digits are
 * refused: read as something else they would be a wrong price (cost.md 4).
 */
export const parseDecimal = (text: string): number | undefined => {
  if (text.length > DECIMAL_LENGTH_MAX || !PLAIN_DECIMAL.test(text)) return undefined
  const value = Number(text)
  return Math.abs(value) <= AMOUNT_MAX ? value : undefined
}
