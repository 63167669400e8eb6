import type { ApiKeysRejection, MerchantsRejection, SessionsRejection, UsersRejection } from '@switchyard/access'
import { type PlatformErrorCode, platformError, type RouteReply } from '@switchyard/http'
import type { Position } from '@switchyard/kernel'
import { positionToken } from '@switchyard/runtime'

type AccessRejectionCode = (MerchantsRejection | ApiKeysRejection | UsersRejection | SessionsRejection)['code'] | 'CONFLICT'

const ACCESS: PlatformErrorCode = 'TE_04'

/** A new rejection does not compile until it has an answer. */
const REPLIES: Readonly<Record<AccessRejectionCode, RouteReply>> = {
  MERCHANT_ALREADY_EXISTS: platformError(400, ACCESS, 'Merchant account already exists'),
  MERCHANT_NOT_FOUND: platformError(404, ACCESS, 'MerchantId not found'),
  API_KEY_NOT_FOUND: platformError(404, ACCESS, 'API key not found'),
  API_KEY_LIMIT_REACHED: platformError(409, ACCESS, 'This merchant has as many active API keys as it can have; revoke one first'),
  EMAIL_TAKEN: platformError(409, ACCESS, 'Email already registered'),
  USER_NOT_FOUND: platformError(404, ACCESS, 'User not found'),
  TOO_MANY_REVOKED_SESSIONS: platformError(429, ACCESS, 'Too many sessions were ended early; wait until some would have ended anyway'),
  CONFLICT: platformError(409, ACCESS, 'Others changed the same thing at the same time; try again'),
}

/** The answer to a rejected command. */
export const replyToRejection = ({ code }: { readonly code: AccessRejectionCode }): RouteReply => REPLIES[code]

/** 200 with the log position of what was written, when something was. */
export const written = (body: object, position: Position | undefined): RouteReply =>
  position === undefined ? { status: 200, body } : { status: 200, body, headers: { 'x-log-position': positionToken('config', position) } }
