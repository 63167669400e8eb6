import { isStrongPassword, users } from '@switchyard/access'
import { clientAddressOf, parseBody, platformError, type Route, type RouteReply, type RouteRequest } from '@switchyard/http'
import * as z from 'zod'
import type { AccessRouteDeps } from '../access-deps.ts'
import { replyToRejection, written } from '../access-replies.ts'
import { RESET_LINK_LIFETIME_MS } from '../limits.ts'
import { userIdOfAddress } from '../people.ts'
import { message } from './answer-schemas.ts'
import { originOf } from './command-origin.ts'
import {
  BUSY,
  emailSchema,
  INVALID_TOKEN,
  NOT_FOR_THIS_SESSION,
  ofSession,
  passwordSchema,
  publicPost,
  WEAK_PASSWORD,
  WRONG_CREDENTIALS,
} from './credential-bodies.ts'

const INVALID_RESET_TOKEN = platformError(400, 'TE_04', 'Invalid or expired password reset token')
const INVALID_VERIFICATION_TOKEN = platformError(400, 'TE_04', 'Invalid or expired verification token')
const RESET_REQUESTED: RouteReply = {
  status: 200,
  body: { message: 'If an account exists for that email, a password reset link has been sent.' },
}

const changeBody = z.object({ current_password: passwordSchema, new_password: passwordSchema })
const forgotBody = z.object({ email: emailSchema })
/** Longest secret of a link that is looked at, in characters. */
const LINK_TOKEN_LENGTH_MAX = 1_024
const resetBody = z.object({ token: z.string().max(LINK_TOKEN_LENGTH_MAX), new_password: passwordSchema })

/** Ends every session of the account, this one too: its owner logs in with the new password. */
const changePassword = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const { identity, receivedAt: at } = request
  if (identity.kind !== 'user') return INVALID_TOKEN
  if (identity.type !== 'standard') return NOT_FOR_THIS_SESSION
  const parsed = parseBody(changeBody, request.body)
  if (!parsed.ok) return parsed.reply
  const { states, throttle, passwords, settings } = deps
  // That of the session: one that has ended meanwhile, with an earlier password or with the account, changes nothing.
  const { userId, passwordGeneration } = identity
  await states.readIndex(userId)
  // Asked as the check begins: others may have waited for the log at the same time.
  if (passwords.isBusy()) return BUSY
  const attempt = { kind: 'password', userId, clientAddress: clientAddressOf(request, settings.trustedProxyCount) } as const
  const slowedDown = throttle.take(attempt)
  if (slowedDown !== undefined) return slowedDown
  const { account } = states.stateOf(users, userId)
  if (account === null || !(await passwords.verify(account.passwordHash, parsed.value.current_password))) return WRONG_CREDENTIALS
  throttle.forgive(attempt)
  if (!isStrongPassword(parsed.value.new_password)) return WEAK_PASSWORD
  const passwordHash = await passwords.hash(parsed.value.new_password)
  const outcome = await deps.handle(users, {
    key: userId,
    command: { type: 'ChangePassword', userId, passwordHash, passwordGeneration, at },
    origin: originOf(request),
  })
  return outcome.accepted ? written({ message: 'Password updated successfully.' }, outcome.position) : replyToRejection(outcome.rejection)
}

/** The answer is sent before the account is looked for: neither its text nor its time tells whether there is one. */
const forgotPassword = (request: RouteRequest, { handle, newId, throttle, background, settings }: AccessRouteDeps): RouteReply => {
  const parsed = parseBody(forgotBody, request.body)
  if (!parsed.ok) return parsed.reply
  const { receivedAt: at } = request
  const userId = userIdOfAddress(parsed.value.email)
  const clientAddress = clientAddressOf(request, settings.trustedProxyCount)
  const slowedDown = throttle.take({ kind: 'reset-request', userId, clientAddress })
  if (slowedDown !== undefined) return slowedDown
  const started = background.run(async () => {
    // Rejected when there is no such account: nobody is told.
    await handle(users, {
      key: userId,
      command: { type: 'RequestPasswordReset', userId, link: { linkId: newId(), expiresAt: at + RESET_LINK_LIFETIME_MS }, at },
      origin: originOf(request),
    })
  })
  return started === 'full' ? BUSY : RESET_REQUESTED
}

const resetPassword = async (request: RouteRequest, deps: AccessRouteDeps): Promise<RouteReply> => {
  const parsed = parseBody(resetBody, request.body)
  if (!parsed.ok) return parsed.reply
  if (!isStrongPassword(parsed.value.new_password)) return WEAK_PASSWORD
  const secret = deps.links.verify('reset-password', parsed.value.token)
  if (secret === undefined) return INVALID_RESET_TOKEN
  if (deps.passwords.isBusy()) return BUSY
  const { receivedAt: at } = request
  const { userId, linkId: resetId } = secret
  const passwordHash = await deps.passwords.hash(parsed.value.new_password)
  const outcome = await deps.handle(users, {
    key: userId,
    command: { type: 'ResetPassword', userId, resetId, passwordHash, at },
    origin: originOf(request),
  })
  if (outcome.accepted)
    return written({ message: 'Password reset successfully. You can now sign in with your new password.' }, outcome.position)
  return outcome.rejection.code === 'LINK_INVALID' ? INVALID_RESET_TOKEN : replyToRejection(outcome.rejection)
}

const VERIFIED = { message: 'Email verified successfully. You can now log in.' }

const verifyEmail = async (request: RouteRequest, { handle, states, links }: AccessRouteDeps): Promise<RouteReply> => {
  const secret = links.verify('verify-email', request.query.get('token') ?? '')
  if (secret === undefined) return INVALID_VERIFICATION_TOKEN
  const { receivedAt: at } = request
  const { userId, linkId: verificationId } = secret
  const command = { type: 'VerifyEmail', userId, verificationId, at } as const
  if (request.isHead) {
    // Scanners of mails ask so before the reader does, and a link counts once.
    await states.readIndex(userId)
    return users.decide(command, states.stateOf(users, userId)).accepted ? { status: 200, body: VERIFIED } : INVALID_VERIFICATION_TOKEN
  }
  const outcome = await handle(users, { key: userId, command, origin: originOf(request) })
  if (outcome.accepted) return written(VERIFIED, outcome.position)
  return outcome.rejection.code === 'LINK_INVALID' ? INVALID_VERIFICATION_TOKEN : replyToRejection(outcome.rejection)
}

/** Changing, forgetting and resetting a password, and proving an address (platform.md 4). */
export const passwordRoutes = (deps: AccessRouteDeps): readonly Route[] => [
  {
    spec: { ...ofSession, method: 'POST', path: '/auth/change-password', permission: 'routing:write', body: 'json' },
    api: {
      summary: 'Change the own password; every session of the account ends, this one too',
      body: changeBody,
      answer: message,
      refusals: { 404: 'The user is gone', 409: 'Others changed it at the same time; try again' },
    },
    handle: (request) => changePassword(request, deps),
  },
  {
    spec: { ...publicPost, path: '/auth/forgot-password' },
    api: { summary: 'Ask for a link to set a new password; the answer tells nothing of the address', body: forgotBody, answer: message },
    handle: (request) => forgotPassword(request, deps),
  },
  {
    spec: { ...publicPost, path: '/auth/reset-password' },
    api: {
      summary: 'Set a new password by such a link',
      body: resetBody,
      answer: message,
      refusals: { 404: 'The user is gone', 409: 'Others changed it at the same time; try again' },
    },
    handle: (request) => resetPassword(request, deps),
  },
  {
    spec: {
      method: 'GET',
      path: '/auth/verify-email',
      access: 'public',
      permission: 'routing:write',
      tenant: false,
      body: 'none',
      hot: false,
    },
    api: {
      summary: 'Confirm an address by the link that was mailed to it',
      query: { token: z.string() },
      answer: message,
      refusals: { 404: 'The user is gone', 409: 'Others changed it at the same time; try again' },
    },
    handle: (request) => verifyEmail(request, deps),
  },
]
