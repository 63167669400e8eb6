import type { NumberBounds, TextBounds } from './catalogue.ts'

/** A bound that a value breaks; numbers as they are, lengths in bytes of UTF-8. */
export type BoundProblem =
  | { readonly bound: 'minValue' | 'maxValue' | 'minLength' | 'maxLength' | 'exactLength'; readonly limit: number; readonly actual: number }
  | { readonly bound: 'regex' }

const encoder = new TextEncoder()

/** The bound of a key that a number breaks; empty when there is none. */
export const numberProblems = ({ minValue, maxValue }: NumberBounds, actual: number): readonly BoundProblem[] => {
  if (minValue !== null && actual < minValue) return [{ bound: 'minValue', limit: minValue, actual }]
  return maxValue !== null && actual > maxValue ? [{ bound: 'maxValue', limit: maxValue, actual }] : []
}

const lengthProblems = ({ exactLength, minLength, maxLength }: TextBounds, actual: number): readonly BoundProblem[] => {
  if (exactLength !== null) return actual === exactLength ? [] : [{ bound: 'exactLength', limit: exactLength, actual }]
  if (minLength !== null && actual < minLength) return [{ bound: 'minLength', limit: minLength, actual }]
  return maxLength !== null && actual > maxLength ? [{ bound: 'maxLength', limit: maxLength, actual }] : []
}

/** The bounds of a key that a text breaks, its length first (rules.md 5.2). */
export const textProblems = (bounds: TextBounds, text: string): readonly BoundProblem[] => {
  const ofLength = lengthProblems(bounds, encoder.encode(text).length)
  return bounds.regex === null || new RegExp(bounds.regex).test(text) ? ofLength : [...ofLength, { bound: 'regex' }]
}
