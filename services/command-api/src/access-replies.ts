import type { ApiKeysRejection, HandoffsRejection, MerchantsRejection, SessionsRejection, UsersRejection } from '@switchyard/access'
import { type PlatformErrorCode, platformError, type RouteReply } from '@switchyard/http'
import type { Position } from '@switchyard/kernel'
import { positionToken } from '@switchyard/runtime'
import { HANDOFF_CODE_LIFETIME_MS } from './limits.ts'

type AccessRejectionCode =
  | (MerchantsRejection | ApiKeysRejection | UsersRejection | SessionsRejection | HandoffsRejection)['code']
  | 'CONFLICT'

const ACCESS: PlatformErrorCode = 'TE_04'

/** By then a hand-off code has run out; of revoked sessions nobody knows which ends first. */
const RETRY_AFTER_SECONDS: number = HANDOFF_CODE_LIFETIME_MS / 1_000

const tooMany = (message: string): RouteReply => ({
  ...platformError(429, ACCESS, message),
  headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
})

/** A new rejection does not compile until it has an answer. */
const REPLIES: Readonly<Record<AccessRejectionCode, RouteReply>> = {
  MERCHANT_ALREADY_EXISTS: platformError(400, ACCESS, 'Merchant account already exists'),
  MERCHANT_NOT_FOUND: platformError(404, ACCESS, 'MerchantId not found'),
  API_KEY_NOT_FOUND: platformError(404, ACCESS, 'API key not found'),
  API_KEY_LIMIT_REACHED: platformError(409, ACCESS, 'This merchant has as many active API keys as it can have; revoke one first'),
  API_KEY_EXPIRY_PASSED: platformError(400, ACCESS, 'expires_at must lie in the future'),
  EMAIL_TAKEN: platformError(409, ACCESS, 'Email already registered'),
  USER_NOT_FOUND: platformError(404, ACCESS, 'User not found'),
  ALREADY_MEMBER: platformError(409, ACCESS, 'User is already a member of this merchant'),
  MEMBERSHIP_LIMIT_REACHED: platformError(409, ACCESS, 'This user belongs to as many merchants as one can'),
  ACCOUNT_INACTIVE: platformError(403, ACCESS, 'Account is inactive'),
  PASSWORD_MOVED_ON: platformError(401, ACCESS, 'Invalid email or password'),
  LINK_INVALID: platformError(400, ACCESS, 'Invalid or expired link'),
  HANDOFF_CODE_INVALID: platformError(401, ACCESS, 'Invalid or expired token'),
  HANDOFF_LIMIT_REACHED: tooMany('Too many hand-off codes of this merchant wait to be used; try again in a minute'),
  TOO_MANY_REVOKED_SESSIONS: tooMany('Too many sessions were ended early; wait until some would have ended anyway'),
  CONFLICT: platformError(409, ACCESS, 'Others changed the same thing at the same time; try again'),
}

/** The answer to a rejected command. */
export const replyToRejection = ({ code }: { readonly code: AccessRejectionCode }): RouteReply => REPLIES[code]

/** 200 with the log position of what was written, when something was. */
export const written = (body: object, position: Position | undefined): RouteReply =>
  position === undefined ? { status: 200, body } : { status: 200, body, headers: { 'x-log-position': positionToken('config', position) } }
