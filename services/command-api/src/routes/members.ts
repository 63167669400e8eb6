import { type Membership, merchants, users } from '@switchyard/access'
import { type Identity, parseBody, platformError, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import * as z from 'zod'
import type { AccessRouteDeps } from '../access-deps.ts'
import { replyToRejection, written } from '../access-replies.ts'
import { generatePassword } from '../generated-password.ts'
import { INVITATION_LIFETIME_MS, MEMBER_COUNT_MAX } from '../limits.ts'
import { findPerson, wireRoleOf } from '../people.ts'
import { invitation, memberList } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import {
  BUSY,
  emailSchema,
  INSUFFICIENT_PERMISSIONS,
  INVALID_TOKEN,
  MERCHANT_NOT_FOUND,
  NOT_FOR_THIS_SESSION,
  ofSession,
} from './credential-bodies.ts'

type Session = Extract<Identity, { kind: 'user' }>

const NO_MERCHANT = platformError(400, 'TE_04', 'This session has no merchant to invite to; create one or switch to one first')
const MERCHANT_FULL = platformError(409, 'TE_04', `A merchant has at most ${MEMBER_COUNT_MAX} members`)

const inviteBody = z.object({ email: emailSchema, role: z.string().nullish() })

/** What is not exactly `admin` is a member (platform.md 4). */
const roleOf = (sent: string | null | undefined): Membership['role'] => (sent === 'admin' ? 'ADMIN' : 'MEMBER')

const listMembers = async ({ identity }: RouteRequest, { states, directory }: AccessRouteDeps): Promise<RouteReply> => {
  if (identity.kind !== 'user') return INVALID_TOKEN
  await states.readIndexOfAll()
  const body = directory
    .membersOf(identity.merchantId)
    .map(({ userId, email, role }) => ({ user_id: userId, email, role: wireRoleOf(role) }))
  return { status: 200, body }
}

/** Only admins of a merchant of their own invite to it. */
const refuseInviter = ({ type, role, merchantId }: Session): RouteReply | undefined => {
  if (type !== 'standard') return NOT_FOR_THIS_SESSION
  if (merchantId === '') return NO_MERCHANT
  return role === 'admin' ? undefined : INSUFFICIENT_PERMISSIONS
}

/** Whoever knows a first password could use the account without having proved its address, which may be that of a super admin. */
const shownPassword = (password: string, { settings }: AccessRouteDeps): { readonly password?: string } =>
  settings.emailVerification ? {} : { password }

/** Hashing takes its time: meanwhile the session may have ended, or the merchant been closed and its id be that of another one. */
const refuseLate = async (
  session: Session,
  merchantRegistrationCount: number,
  { states, directory }: AccessRouteDeps,
): Promise<RouteReply | undefined> => {
  const { merchantId, userId } = session
  await Promise.all([states.readIndex(merchantId), states.readIndex(userId)])
  const { registered, registrationCount } = states.stateOf(merchants, merchantId)
  if (!registered || registrationCount !== merchantRegistrationCount) return MERCHANT_NOT_FOUND
  const standing = directory.standingOf(session)
  return standing.running ? refuseInviter({ ...session, role: standing.role }) : INVALID_TOKEN
}

/**
 * Whoever is new gets an account and a first password, which is shown once; a link to set another one is mailed. Where addresses are
 * proved the link alone opens the account.
 */
const invite = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const { identity, receivedAt: at } = request
  if (identity.kind !== 'user') return INVALID_TOKEN
  const refused = refuseInviter(identity)
  if (refused !== undefined) return refused
  const parsed = parseBody(inviteBody, request.body)
  if (!parsed.ok) return parsed.reply
  const { handle, states, directory, passwords, newId, randomBytes } = deps
  const { merchantId } = identity
  const { registrationCount: merchantRegistrationCount } = states.stateOf(merchants, merchantId)
  await states.readIndexOfAll()
  if (directory.membersOf(merchantId).length >= MEMBER_COUNT_MAX) return MERCHANT_FULL
  const { userId, email } = await findPerson(parsed.value.email, deps)
  const role = roleOf(parsed.value.role)
  // Asked as it begins: others may have waited for the log at the same time.
  if (passwords.isBusy()) return BUSY
  const password = generatePassword(randomBytes)
  // Before it is known whether it is needed: the log decides who is new.
  const passwordHash = await passwords.hash(password)
  const refusedLate = await refuseLate(identity, merchantRegistrationCount, deps)
  if (refusedLate !== undefined) return refusedLate
  const invitation = { linkId: newId(), expiresAt: at + INVITATION_LIFETIME_MS }
  const outcome = await handle(users, {
    key: userId,
    command: { type: 'InviteUser', userId, email, passwordHash, merchantId, merchantRegistrationCount, role, invitation, at },
    origin: originOf(request),
  })
  if (!outcome.accepted) return replyToRejection(outcome.rejection)
  const isNew = outcome.state.account?.passwordHash === passwordHash
  const body = { email, is_new_user: isNew, ...(isNew ? shownPassword(password, deps) : {}), role: wireRoleOf(role) }
  return written(body, outcome.position)
}

/** Who belongs to the merchant of the session, and inviting others (platform.md 4). */
export const memberRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  {
    spec: { ...ofSession, method: 'GET', path: '/merchant/members', permission: 'routing:read', body: 'none' },
    api: { summary: 'Who belongs to the merchant of the session', answer: memberList },
    handle: (request) => listMembers(request, deps),
  },
  {
    spec: { ...ofSession, method: 'POST', path: '/merchant/members/invite', permission: 'routing:write', body: 'json' },
    api: {
      summary: 'Add a person to the merchant of the session',
      body: inviteBody,
      answer: invitation,
      refusals: { 404: 'The merchant is not known', 409: 'The person belongs to it already, or one of both has as many as can be' },
    },
    handle: (request) => invite(request, deps),
  },
]
