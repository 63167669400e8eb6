import { handoffs, merchants } from '@switchyard/access'
import { ALL_PERMISSIONS, parseBody, type Route, type RouteReply, type RouteRequest, type SessionSubject } from '@switchyard/http'
import { ID_LENGTH_MAX, NAME_LENGTH_MAX } from '@switchyard/kernel'
import * as z from 'zod'
import type { AccessRouteDeps } from '../access-deps.ts'
import { replyToRejection, written } from '../access-replies.ts'
import { HANDOFF_CODE_LIFETIME_MS } from '../limits.ts'
import { grantedScopes, sessionOnWire, sha256Hex } from '../people.ts'
import { handoffCode, session } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import { INSUFFICIENT_PERMISSIONS, INVALID_TOKEN, MERCHANT_NOT_FOUND, publicPost } from './credential-bodies.ts'
import { merchantIdSchema } from './identifiers.ts'

const CODE_BYTES = 32
const PERMISSION_COUNT_MAX = 32
/** Largest list of permissions, in bytes of its JSON text: it stands in the token, and longer tokens are not looked at. */
const PERMISSIONS_BYTES_MAX = 2_304
const CODE = /^DE_[0-9a-f]{64}$/

const levelSchema = z.enum(['profile', 'merchant', 'org'])

const issueBody = z.object({
  merchant_id: merchantIdSchema,
  grant_level: levelSchema.nullish(),
  grant_id: z.string().max(ID_LENGTH_MAX).nullish(),
  permissions: z
    .array(z.string().max(ID_LENGTH_MAX))
    .max(PERMISSION_COUNT_MAX)
    .refine(
      (list) => Buffer.byteLength(JSON.stringify(list)) <= PERMISSIONS_BYTES_MAX,
      `expected at most ${PERMISSIONS_BYTES_MAX} bytes of JSON`,
    )
    .nullish(),
  email: z.string().max(NAME_LENGTH_MAX).nullish(),
})
const redeemBody = z.object({ code: z.string().max(NAME_LENGTH_MAX) })

/** The scopes that a code is for; undefined when a merchant or an organization is not named. */
const grantOf = ({ merchant_id, grant_level, grant_id }: z.infer<typeof issueBody>) => {
  const grantLevel = grant_level ?? 'profile'
  const grantId = grantLevel === 'profile' ? merchant_id : (grant_id ?? '')
  return grantId === '' ? undefined : { grantLevel, grantId }
}

/** Server to server, with the admin secret: the code goes to a browser, the token never stands in a URL. */
const issue = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const { identity, receivedAt: at } = request
  const parsed = parseBody(issueBody, request.body)
  if (!parsed.ok) return parsed.reply
  if (identity.kind !== 'admin') return INVALID_TOKEN
  const { merchant_id: merchantId, permissions, email = null } = parsed.value
  const grant = grantOf(parsed.value)
  if (grant === undefined) return INSUFFICIENT_PERMISSIONS
  const code = `DE_${Buffer.from(deps.randomBytes(CODE_BYTES)).toString('hex')}`
  const outcome = await deps.handle(handoffs, {
    key: merchantId,
    command: {
      type: 'IssueHandoffCode',
      merchantId,
      codeHash: sha256Hex(code),
      email,
      permissions: permissions ?? (deps.settings.requireExplicitPermissions ? [] : ALL_PERMISSIONS),
      ...grant,
      expiresAt: at + HANDOFF_CODE_LIFETIME_MS,
      at,
    },
    origin: originOf(request),
  })
  if (outcome.accepted) return written({ code, expires_in: HANDOFF_CODE_LIFETIME_MS / 1_000 }, outcome.position)
  return outcome.rejection.code === 'MERCHANT_NOT_FOUND' ? MERCHANT_NOT_FOUND : replyToRejection(outcome.rejection)
}

/** A code that is not known here may have been issued elsewhere a moment ago. */
const merchantOf = async (codeHash: string, { directory, states }: AccessRouteDeps): Promise<string | undefined> => {
  if (directory.merchantOfHandoff(codeHash) === undefined) await states.readIndexOfAll()
  return directory.merchantOfHandoff(codeHash)
}

const redeem = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const parsed = parseBody(redeemBody, request.body)
  if (!parsed.ok) return parsed.reply
  const { receivedAt: at } = request
  const codeHash = sha256Hex(parsed.value.code)
  const merchantId = CODE.test(parsed.value.code) ? await merchantOf(codeHash, deps) : undefined
  if (merchantId === undefined) return INVALID_TOKEN
  const code = deps.states.stateOf(handoffs, merchantId).open.find((candidate) => candidate.codeHash === codeHash)
  const { registrationCount: merchantRegistrationCount } = deps.states.stateOf(merchants, merchantId)
  const outcome = await deps.handle(handoffs, {
    key: merchantId,
    command: { type: 'RedeemHandoffCode', merchantId, codeHash, at },
    origin: originOf(request),
  })
  if (!outcome.accepted || code === undefined) return INVALID_TOKEN
  const subject: SessionSubject = {
    type: 'hs_redirect',
    userId: `hs_${merchantId}`,
    email: code.email ?? '',
    merchantId,
    role: 'admin',
    permissions: code.permissions,
    grant: { level: levelSchema.catch('profile').parse(code.grantLevel), id: code.grantId },
    passwordGeneration: 0,
    merchantRegistrationCount,
  }
  return written(sessionOnWire(subject, deps.tokens.issue(subject), grantedScopes(merchantId, deps)), outcome.position)
}

/** Sessions handed over by a one-time code (platform.md 4.3). */
export const handoffRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  {
    spec: { ...publicPost, path: '/auth/admin/merchant-token' },
    api: {
      summary: 'Mint a code that starts a session once, with the admin secret',
      body: issueBody,
      answer: handoffCode,
      refusals: {
        401: 'The admin secret is missing or wrong',
        403: 'The grant names nothing',
        404: 'The merchant is not known',
        409: 'Others changed it at the same time; try again',
      },
    },
    handle: (request) => issue(request, deps),
  },
  {
    spec: { ...publicPost, path: '/auth/admin/merchant-token/exchange' },
    api: {
      summary: 'Start a session with such a code',
      body: redeemBody,
      answer: session,
      refusals: { 401: 'The code is not known, used or too old' },
    },
    handle: (request) => redeem(request, deps),
  },
]
