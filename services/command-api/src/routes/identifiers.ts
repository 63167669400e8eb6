import { ID_LENGTH_MAX } from '@switchyard/kernel'
import { z } from 'zod'

const CONTROL_CHARACTER = /\p{Cc}/u

/** Whether a text has characters that no name or id needs and that garble logs and terminals. */
export const hasControlCharacter = (text: string): boolean => CONTROL_CHARACTER.test(text)

/** Clients resolve these path segments away before they send, so no path could ever name such a merchant. */
const isPathStep = (id: string): boolean => id === '.' || id === '..'

/** A merchant's id as a client may choose it: what is stored is what was sent, so nothing is trimmed away. */
export const merchantIdSchema: z.ZodType<string> = z
  .string()
  .refine(
    (id) => id.length >= 1 && id.length <= ID_LENGTH_MAX && id.trim() === id && !hasControlCharacter(id),
    `must have 1 to ${ID_LENGTH_MAX} characters, without control characters and without spaces at its ends`,
  )
  .refine((id) => !isPathStep(id), 'must not be . or .., which no path can name')
