import { hasControlCharacter, ID_LENGTH_MAX, isUpTo } from '@switchyard/kernel'
import * as z from 'zod'

/** Clients resolve these away before they send: no path could ever name what is called so. */
export const isDotSegment = (text: string): boolean => text === '.' || text === '..'

/** A route of its own: no path could ever name such a merchant. */
const RESERVED = 'create'

/** A merchant's id as a client may choose it: what is stored is what was sent, so nothing is trimmed away. */
export const merchantIdSchema: z.ZodType<string> = z
  .string()
  .refine(
    (id) => id !== '' && isUpTo(id, ID_LENGTH_MAX) && id.trim() === id && !hasControlCharacter(id),
    `must have 1 to ${ID_LENGTH_MAX} characters, without control characters and without spaces at its ends`,
  )
  .refine((id) => !isDotSegment(id) && id !== RESERVED, `must not be . or .. or ${RESERVED}, which no path can name`)
