import type { z } from 'zod'

const MEASURED_MEMBER = 'length'
const NO_NUMBER = { value: (): number => Number.NaN }

/**
 * The first wrong element of a list and the first wrong member of an object are enough to refuse a value, and all that anybody is told: of
 * a body full of them, noting each one would hold the thread for many seconds, and so many can't be handed on at all. The library knows
 * the option by its own validation; a test holds it to what it means here.
 */
const UP_TO_THE_FIRST = { abortEarly: true, reportInput: false }

/** Lets what stands as `length` in a JSON value be compared as the number that it is not; nothing that copies or prints the value sees it. */
const makeComparable = (value: unknown): void => {
  const waiting = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue
    for (const [name, member] of Object.entries(next)) {
      if (typeof member !== 'object' || member === null) continue
      if (name === MEASURED_MEMBER) Object.defineProperty(member, Symbol.toPrimitive, NO_NUMBER)
      waiting.push(member)
    }
  }
}

/**
 * Checks what somebody sent as JSON against a schema. Schemas measure the `length` of whatever has one, also of an object where a text
 * should stand, and throw when it is an object that can't be compared, as in `{"length":{"toString":0}}`: here it is a wrong value like any other. The first problem is told, not all of them.
 */
export const checkValue = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.ZodSafeParseResult<z.output<Schema>> => {
  try {
    return schema.safeParse(value, UP_TO_THE_FIRST)
  } catch {
    makeComparable(value)
    return schema.safeParse(value, UP_TO_THE_FIRST)
  }
}
