import { isStrongPassword, merchants, sessions, users } from '@switchyard/access'
import { actorOf, parseBody, platformError, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import { NAME_LENGTH_MAX } from '@switchyard/kernel'
import { z } from 'zod'
import type { AccessRouteDeps } from '../access-deps.ts'
import { replyToRejection, written } from '../access-replies.ts'
import { currentMemberships, findPerson, type Person, startSession, wireMemberships, wireRoleOf } from '../people.ts'
import { hasControlCharacter } from './identifiers.ts'

/** Longest password, in characters: hashing takes longer with every one. */
const PASSWORD_LENGTH_MAX = 1_024

const WEAK_PASSWORD = platformError(
  400,
  'TE_04',
  'Password must be at least 10 characters long and include uppercase, lowercase, number, and special character',
)
const INVALID_ADMIN_SECRET = platformError(401, 'TE_04', 'Invalid admin secret')
const INVALID_TOKEN = platformError(401, 'TE_04', 'Invalid or expired token')
const WRONG_CREDENTIALS = platformError(401, 'TE_04', 'Invalid email or password')
const MERCHANT_NOT_FOUND = platformError(404, 'TE_04', 'Merchant not found')
const BUSY = platformError(503, 'TE_00', 'Too many people are signing in at the moment; try again')

const email = z
  .string()
  .max(NAME_LENGTH_MAX)
  .refine((address) => address.trim() !== '' && !hasControlCharacter(address), 'must not be blank or have control characters')
const password = z.string().max(PASSWORD_LENGTH_MAX)
const loginBody = z.object({ email, password })
const signupBody = z.object({ email, password, merchant_id: z.string().nullish() })

const isRegistered = async (merchantId: string, { states, directory }: AccessRouteDeps): Promise<boolean> => {
  await states.readIndex(merchantId)
  return directory.hasMerchant(merchantId)
}

/** Who wants to sign up, and into which merchant. */
interface Applicant {
  readonly person: Person
  readonly password: string
  readonly merchantId: string | null
}

/** Why this person can't sign up, in the order of platform.md 4; undefined when nothing is in the way. */
const refuseApplicant = async ({ person, password, merchantId }: Applicant, deps: AccessRouteDeps): Promise<RouteReply | undefined> => {
  if (person.account !== null) return replyToRejection({ code: 'EMAIL_TAKEN' })
  if (!isStrongPassword(password)) return WEAK_PASSWORD
  if (merchantId !== null && !(await isRegistered(merchantId, deps))) return MERCHANT_NOT_FOUND
  return deps.passwords.isBusy() ? BUSY : undefined
}

const signUp = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const parsed = parseBody(signupBody, request.body)
  if (!parsed.ok) return parsed.reply
  const { identity, requestId, receivedAt: at } = request
  const merchantId = parsed.value.merchant_id?.trim() || null
  // Joining a merchant makes its admin of whoever asks, so only the deployment's admin may ask.
  if (merchantId !== null && identity.kind !== 'admin') return INVALID_ADMIN_SECRET

  const person = await findPerson(parsed.value.email, deps)
  const refused = await refuseApplicant({ person, password: parsed.value.password, merchantId }, deps)
  if (refused !== undefined) return refused
  const { userId } = person
  const merchantRegistrationCount = merchantId === null ? 0 : deps.states.stateOf(merchants, merchantId).registrationCount
  const passwordHash = await deps.passwords.hash(parsed.value.password)
  const outcome = await deps.handle(users, {
    key: userId,
    command: { type: 'SignUp', userId, email: person.email, passwordHash, merchantId, merchantRegistrationCount, at },
    origin: { actor: actorOf(identity), requestId },
  })
  return outcome.accepted ? written(await startSession(person, deps), outcome.position) : replyToRejection(outcome.rejection)
}

/** An unknown address and a wrong password can't be told apart, by text or by time. */
const logIn = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const parsed = parseBody(loginBody, request.body)
  if (!parsed.ok) return parsed.reply
  if (deps.passwords.isBusy()) return BUSY
  const person = await findPerson(parsed.value.email, deps)
  const matches = await deps.passwords.verify(person.account?.passwordHash, parsed.value.password)
  return matches ? { status: 200, body: await startSession(person, deps) } : WRONG_CREDENTIALS
}

const logOut = async ({ identity, requestId, receivedAt: at }: RouteRequest, { handle }: AccessRouteDeps): Promise<RouteReply> => {
  if (identity.kind !== 'user') return INVALID_TOKEN
  const { userId, sessionId, expiresAt } = identity
  const outcome = await handle(sessions, {
    key: userId,
    command: { type: 'RevokeSession', userId, sessionId, expiresAt, at },
    origin: { actor: actorOf(identity), requestId },
  })
  if (!outcome.accepted) return replyToRejection(outcome.rejection)
  return written({ message: 'Logged out successfully' }, outcome.position)
}

const readMe = async ({ identity }: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  if (identity.kind !== 'user') return INVALID_TOKEN
  const { userId, merchantId, permissions } = identity
  await deps.states.readIndex(userId)
  const { account } = deps.states.stateOf(users, userId)
  if (account === null) return INVALID_TOKEN
  const memberships = await currentMemberships(userId, deps)
  const body = {
    user_id: userId,
    email: account.email,
    merchant_id: merchantId,
    role: wireRoleOf(memberships.find((membership) => membership.merchantId === merchantId)),
    email_verified: true,
    merchants: wireMemberships(memberships),
    is_super_admin: deps.settings.superAdminEmails.some((listed) => listed.trim().toLowerCase() === account.email),
    is_super_admin_view: false,
    permissions,
  }
  return { status: 200, body }
}

const publicPost = { method: 'POST', access: 'public', permission: 'routing:write', tenant: false, body: 'json', hot: false } as const
const ofSession = { access: 'session', tenant: false, body: 'none', hot: false } as const

/** Signing up, logging in and out, and who am I (platform.md 4). */
export const authRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  { spec: { ...publicPost, path: '/auth/signup' }, handle: (request) => signUp(request, deps) },
  { spec: { ...publicPost, path: '/auth/login' }, handle: (request) => logIn(request, deps) },
  {
    spec: { ...ofSession, method: 'POST', path: '/auth/logout', permission: 'routing:write', revokedToken: 'accepted' },
    handle: (request) => logOut(request, deps),
  },
  { spec: { ...ofSession, method: 'GET', path: '/auth/me', permission: 'routing:read' }, handle: (request) => readMe(request, deps) },
]
