import { isStrongPassword, merchants, sessions, type UserAccount, users } from '@switchyard/access'
import { clientAddressOf, parseBody, platformError, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import * as z from 'zod'
import type { AccessRouteDeps } from '../access-deps.ts'
import { replyToRejection, written } from '../access-replies.ts'
import { EMAIL_LINK_LIFETIME_MS } from '../limits.ts'
import { findPerson, type Person, startSession, userIdOfAddress } from '../people.ts'
import { message, session, signedUp } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import {
  BUSY,
  emailSchema,
  INVALID_TOKEN,
  MERCHANT_NOT_FOUND,
  ofSession,
  passwordSchema,
  publicPost,
  WEAK_PASSWORD,
  WRONG_CREDENTIALS,
} from './credential-bodies.ts'

const INVALID_ADMIN_SECRET = platformError(401, 'TE_04', 'Invalid admin secret')
const ACCOUNT_INACTIVE = replyToRejection({ code: 'ACCOUNT_INACTIVE' })
const EMAIL_NOT_VERIFIED = platformError(403, 'TE_04', 'Email not verified')
const VERIFICATION_REQUIRED = {
  message: 'Verification email sent. Please check your inbox to verify your account.',
  email_verification_required: true,
}

const loginBody = z.object({ email: emailSchema, password: passwordSchema })
const signupBody = z.object({ email: emailSchema, password: passwordSchema, merchant_id: z.string().nullish() })

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
  return merchantId !== null && !(await isRegistered(merchantId, deps)) ? MERCHANT_NOT_FOUND : undefined
}

/** Opens the account of somebody whom nothing was in the way of. Whether there is time to hash is asked as it begins: others may have waited for the log, too. */
const openAccount = async (
  { person: { userId, email }, password, merchantId }: Applicant,
  { identity, requestId, receivedAt: at }: RouteRequest,
  deps: AccessRouteDeps,
): Promise<RouteReply> => {
  if (deps.passwords.isBusy()) return BUSY
  const merchantRegistrationCount = merchantId === null ? 0 : deps.states.stateOf(merchants, merchantId).registrationCount
  const passwordHash = await deps.passwords.hash(password)
  const verification = deps.settings.emailVerification ? { linkId: deps.newId(), expiresAt: at + EMAIL_LINK_LIFETIME_MS } : null
  const outcome = await deps.handle(users, {
    key: userId,
    command: { type: 'SignUp', userId, email, passwordHash, merchantId, merchantRegistrationCount, verification, at },
    origin: originOf({ identity, requestId }),
  })
  if (!outcome.accepted) return replyToRejection(outcome.rejection)
  const { account } = outcome.state
  if (verification !== null || account === null) return written(VERIFICATION_REQUIRED, outcome.position)
  return written(await startSession(account, deps), outcome.position)
}

const signUp = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const parsed = parseBody(signupBody, request.body)
  if (!parsed.ok) return parsed.reply
  const merchantId = parsed.value.merchant_id?.trim() || null
  // Joining a merchant makes its admin of whoever asks, so only the deployment's admin may ask.
  const isAdminOnly = deps.settings.signupRequiresAdminSecret || merchantId !== null
  if (isAdminOnly && request.identity.kind !== 'admin') return INVALID_ADMIN_SECRET
  const person = await findPerson(parsed.value.email, deps)
  const applicant: Applicant = { person, password: parsed.value.password, merchantId }
  return (await refuseApplicant(applicant, deps)) ?? (await openAccount(applicant, request, deps))
}

/** The session of somebody who proved who they are; that they logged in is recorded. */
const openSession = async (
  account: UserAccount,
  { requestId, receivedAt: at }: RouteRequest,
  deps: AccessRouteDeps,
): Promise<RouteReply> => {
  const { userId } = account
  const opened = await startSession(account, deps)
  const outcome = await deps.handle(sessions, {
    key: userId,
    command: { type: 'StartSession', userId, merchantId: opened.merchant_id || null, at },
    origin: { actor: `user:${userId}`, requestId },
  })
  return outcome.accepted ? written(opened, outcome.position) : replyToRejection(outcome.rejection)
}

/** A hash of another cost than this deployment's is replaced while the password is at hand; the answer does not wait for it. */
const rehash = (account: UserAccount, password: string, { requestId, receivedAt: at }: RouteRequest, deps: AccessRouteDeps): void => {
  const { userId, passwordHash: formerHash } = account
  if (!deps.passwords.isOutdated(formerHash) || deps.passwords.isBusy()) return
  deps.background.run(async () => {
    const passwordHash = await deps.passwords.hash(password)
    await deps.handle(users, {
      key: userId,
      command: { type: 'RehashPassword', userId, passwordHash, formerHash, at },
      origin: { actor: `user:${userId}`, requestId },
    })
  })
}

/** An unknown address and a wrong password can't be told apart, by text or by time; what else an account lacks is told to its owner. */
const logIn = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const parsed = parseBody(loginBody, request.body)
  if (!parsed.ok) return parsed.reply
  const { throttle, passwords, settings } = deps
  if (passwords.isBusy()) return BUSY
  const clientAddress = clientAddressOf(request, settings.trustedProxyCount)
  const attempt = { kind: 'password', userId: userIdOfAddress(parsed.value.email), clientAddress } as const
  const slowedDown = throttle.take(attempt)
  if (slowedDown !== undefined) return slowedDown
  const { account } = await findPerson(parsed.value.email, deps)
  if (passwords.isBusy()) {
    // Others have waited for the log at the same time.
    throttle.forgive(attempt)
    return BUSY
  }
  const matches = await passwords.verify(account?.passwordHash, parsed.value.password)
  if (!matches || account === null) return WRONG_CREDENTIALS
  throttle.forgive(attempt)
  if (!account.active) return ACCOUNT_INACTIVE
  if (!account.emailVerified) return EMAIL_NOT_VERIFIED
  rehash(account, parsed.value.password, request, deps)
  return await openSession(account, request, deps)
}

const logOut = async ({ identity, requestId, receivedAt: at }: RouteRequest, { handle }: AccessRouteDeps): Promise<RouteReply> => {
  if (identity.kind !== 'user') return INVALID_TOKEN
  const { userId, sessionId, expiresAt } = identity
  const outcome = await handle(sessions, {
    key: userId,
    command: { type: 'RevokeSession', userId, sessionId, expiresAt, at },
    origin: originOf({ identity, requestId }),
  })
  if (!outcome.accepted) return replyToRejection(outcome.rejection)
  return written({ message: 'Logged out successfully' }, outcome.position)
}

/** Signing up, logging in and out (platform.md 4). */
export const authRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  {
    spec: { ...publicPost, path: '/auth/signup' },
    api: {
      summary: 'Create a user; into a merchant only with the admin secret',
      body: signupBody,
      answer: signedUp,
      refusals: {
        401: 'A merchant is named without the admin secret, or the deployment asks for it always',
        404: 'The merchant is not known',
        409: 'The address is taken',
      },
    },
    handle: (request) => signUp(request, deps),
  },
  {
    spec: { ...publicPost, path: '/auth/login' },
    api: {
      summary: 'Start a session',
      body: loginBody,
      answer: session,
      refusals: {
        401: 'Address or password is wrong',
        403: 'The account is inactive, or its address not verified',
        409: 'Others changed it at the same time; try again',
      },
    },
    handle: (request) => logIn(request, deps),
  },
  {
    spec: { ...ofSession, method: 'POST', path: '/auth/logout', permission: 'routing:write', body: 'none', revokedToken: 'accepted' },
    api: { summary: 'End the session', answer: message, refusals: { 409: 'Others changed it at the same time; try again' } },
    handle: (request) => logOut(request, deps),
  },
]
