/** Longest number that a cell may hold, in characters. */
const DECIMAL_LENGTH_MAX = 32
/** Largest amount of one cell, major units: far beyond any payment, and sums of its squares stay exact enough. */
export const AMOUNT_MAX = 1e12

const PLAIN_DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/

/** Digits that a double holds exactly whatever they are. */
const EXACT_DIGIT_COUNT = 15
/** Powers of ten, exact like the digits: the quotient of the two is the nearest double, as that of the text is. */
const POWERS_OF_TEN: readonly number[] = Array.from({ length: EXACT_DIGIT_COUNT + 1 }, (_, exponent) => Number(`1e${exponent}`))

const [ZERO, NINE, POINT, MINUS] = [0x30, 0x39, 0x2e, 0x2d]
const NO_POINT = -1

/** Digits with at most one point among them, by hand as it is done many times for every record; undefined for all else. */
const parseShort = (text: string): number | undefined => {
  const isNegative = text.charCodeAt(0) === MINUS
  let value = 0
  let pointAt = NO_POINT
  for (let at = isNegative ? 1 : 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit >= ZERO && unit <= NINE) value = value * 10 + (unit - ZERO)
    else if (unit === POINT && pointAt === NO_POINT) pointAt = at
    else return undefined
  }
  const size = value / (pointAt === NO_POINT ? 1 : (POWERS_OF_TEN[text.length - pointAt - 1] ?? Number.NaN))
  return isNegative ? -size : size
}

/** Sign and point alone are no number. */
const hasDigits = (text: string): boolean => text.length > 2 || /\d/.test(text)

/**
 * A plain decimal with `.`; undefined for everything else. Group separators, exponents and signs behind the digits are
 * refused: read as something else they would be a wrong price (cost.md 4).
 */
export const parseDecimal = (text: string): number | undefined => {
  if (text.length <= EXACT_DIGIT_COUNT && hasDigits(text)) {
    const short = parseShort(text)
    if (short !== undefined) return Math.abs(short) <= AMOUNT_MAX ? short : undefined
  }
  if (text.length > DECIMAL_LENGTH_MAX || !PLAIN_DECIMAL.test(text)) return undefined
  const value = Number(text)
  return Math.abs(value) <= AMOUNT_MAX ? value : undefined
}
