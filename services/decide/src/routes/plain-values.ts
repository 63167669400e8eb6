import { ID_LENGTH_MAX, isUpTo } from '@switchyard/kernel'
import { TEXT_LENGTH_MAX } from '../limits.ts'

/** The members of a body, whatever they are. */
export type Members<Wire> = { readonly [Name in keyof Wire]?: unknown }

/** Not said: missing and null are the same. */
export const isNullish = (value: unknown): value is null | undefined => value === undefined || value === null

/** A text of any length. */
export const isText = (value: unknown): value is string => typeof value === 'string'

/** A text up to a length. */
export const isTextOf = (value: unknown, lengthMax: number): value is string => isText(value) && isUpTo(value, lengthMax)

/** A text as long as an id may be. */
export const isId = (value: unknown): value is string => isTextOf(value, ID_LENGTH_MAX)

/** An id that names something. */
export const isName = (value: unknown): boolean => isId(value) && value.length > 0

export const isIdOrNone = (value: unknown): boolean => isNullish(value) || isId(value)
export const isTextOrNone = (value: unknown): boolean => isNullish(value) || isTextOf(value, TEXT_LENGTH_MAX)
export const isFlagOrNone = (value: unknown): boolean => isNullish(value) || typeof value === 'boolean'

/** A list of so many at most; missing and null are the same. */
export const isListOrNone = (value: unknown, countMax: number, isItem: (item: unknown) => boolean): boolean =>
  isNullish(value) || (Array.isArray(value) && value.length <= countMax && value.every(isItem))

/** A JSON object. */
export const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

const NOTHING_YET = Symbol('nothing yet')

/** The same check, by which the value that was accepted last is only compared: payments have most of theirs in common. */
export const remembering = (accepts: (value: unknown) => boolean): ((value: unknown) => boolean) => {
  let last: unknown = NOTHING_YET
  return (value) => {
    if (value === last) return true
    if (!accepts(value)) return false
    last = value
    return true
  }
}

/** Whether a value is one of these. */
export const isOneOf = (values: Iterable<unknown>): ((value: unknown) => boolean) => {
  const known = new Set(values)
  return remembering((value) => known.has(value))
}
