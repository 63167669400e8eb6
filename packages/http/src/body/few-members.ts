import * as z from 'zod'

/**
 * A schema of objects whose members have names of the sender's choice, for at most so many of them: an object with more is refused
 * before any of them is looked at. `expected` says so to the sender.
 */
export const withFewMembers = <Schema extends z.ZodType>(
  schema: Schema,
  countMax: number,
  expected = `expected at most ${countMax} members`,
): z.ZodType<z.output<Schema>> =>
  z.preprocess((sent, context) => {
    if (typeof sent !== 'object' || sent === null || Object.keys(sent).length <= countMax) return sent
    context.addIssue({ code: 'custom', message: expected })
    return z.NEVER
  }, schema)
