import { platformError, type RouteReply } from '@switchyard/http'
import { hasControlCharacter, NAME_LENGTH_MAX } from '@switchyard/kernel'
import * as z from 'zod'

/** Longest password, in characters: hashing takes longer with every one. */
const PASSWORD_LENGTH_MAX = 1_024

/** An address: not blank, at most 255 characters, none of them a control character. */
export const emailSchema: z.ZodType<string> = z
  .string()
  .max(NAME_LENGTH_MAX)
  .refine((address) => address.trim() !== '' && !hasControlCharacter(address), 'must not be blank or have control characters')

/** A password as it is sent. */
export const passwordSchema: z.ZodType<string> = z.string().max(PASSWORD_LENGTH_MAX)

export const WEAK_PASSWORD: RouteReply = platformError(
  400,
  'TE_04',
  'Password must be at least 10 characters long and include uppercase, lowercase, number, and special character',
)
export const INVALID_TOKEN: RouteReply = platformError(401, 'TE_04', 'Invalid or expired token')
export const WRONG_CREDENTIALS: RouteReply = platformError(401, 'TE_04', 'Invalid email or password')
export const MERCHANT_NOT_FOUND: RouteReply = platformError(404, 'TE_04', 'Merchant not found')
export const INSUFFICIENT_PERMISSIONS: RouteReply = platformError(403, 'TE_04', 'Insufficient permissions')
export const NOT_FOR_THIS_SESSION: RouteReply = platformError(403, 'TE_04', 'Operation not supported for this session type')
export const BUSY: RouteReply = {
  ...platformError(503, 'TE_00', 'Too many people are signing in at the moment; try again'),
  headers: { 'retry-after': '1' },
}

/** Rows of the route table: nobody is asked, with a JSON body. */
export const publicPost = {
  method: 'POST',
  access: 'public',
  permission: 'routing:write',
  tenant: false,
  body: 'json',
  hot: false,
} as const
/** A bearer only; the permissions of a session are not asked (platform.md 2.2). */
export const ofSession = { access: 'session', tenant: false, hot: false } as const
