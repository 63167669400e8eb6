import type { EmailVerified, PasswordChanged, PasswordRehashed, PasswordResetRequested } from '@switchyard/events'
import { accept, type Decision, reject } from '@switchyard/kernel'
import { RESET_INTERVAL_MS } from '../limits.ts'
import type { NewLink } from './sign-up.ts'
import { openLink, type UserState } from './user-state.ts'

/** Replaces the password that its owner has just named. */
export interface ChangePassword {
  readonly type: 'ChangePassword'
  readonly userId: string
  /** PHC string. */
  readonly passwordHash: string
  /** Of the session that names it. */
  readonly passwordGeneration: number
  readonly at: number
}

/** Keeps the password, which was just named, under another hash. */
export interface RehashPassword {
  readonly type: 'RehashPassword'
  readonly userId: string
  /** PHC string. */
  readonly passwordHash: string
  /** The hash that the password was checked against. */
  readonly formerHash: string
  readonly at: number
}

/** Lets a link be mailed that sets a password. */
export interface RequestPasswordReset {
  readonly type: 'RequestPasswordReset'
  readonly userId: string
  readonly link: NewLink
  readonly at: number
}

/** Sets the password by a link. */
export interface ResetPassword {
  readonly type: 'ResetPassword'
  readonly userId: string
  readonly resetId: string
  /** PHC string. */
  readonly passwordHash: string
  readonly at: number
}

/** Proves the address by a link. */
export interface VerifyEmail {
  readonly type: 'VerifyEmail'
  readonly userId: string
  readonly verificationId: string
  readonly at: number
}

/** Why nothing happens: no such account, one that is closed to its owner, a password that was changed meanwhile, or a link that is used up, too old or none. */
export type PasswordsRejection =
  | { readonly code: 'USER_NOT_FOUND'; readonly userId: string }
  | { readonly code: 'ACCOUNT_INACTIVE'; readonly userId: string }
  | { readonly code: 'PASSWORD_MOVED_ON'; readonly userId: string }
  | { readonly code: 'LINK_INVALID'; readonly userId: string }

/** Whoever changes the password was the one who knew the current one. */
export const decideChange = (
  { userId, passwordHash, passwordGeneration, at }: ChangePassword,
  { account }: UserState,
): Decision<PasswordChanged, PasswordsRejection> => {
  if (account === null) return reject({ code: 'USER_NOT_FOUND', userId })
  if (account.passwordGeneration !== passwordGeneration) return reject({ code: 'PASSWORD_MOVED_ON', userId })
  return accept({ type: 'PasswordChanged', data: { userId, passwordHash, resetId: null, at } })
}

/** Whoever changed the password meanwhile, or rehashed it, was faster: nothing is left to do. */
export const decideRehash = (
  { userId, passwordHash, formerHash, at }: RehashPassword,
  { account }: UserState,
): Decision<PasswordRehashed, PasswordsRejection> =>
  account?.passwordHash === formerHash ? accept({ type: 'PasswordRehashed', data: { userId, passwordHash, at } }) : accept()

/** Asking again at once changes nothing: nobody fills somebody's mailbox. A request of a clock that was ahead is none of a moment ago. */
export const decideResetRequest = (
  { userId, link: { linkId: resetId, expiresAt }, at }: RequestPasswordReset,
  { account, resets }: UserState,
): Decision<PasswordResetRequested, PasswordsRejection> => {
  if (account === null) return reject({ code: 'USER_NOT_FOUND', userId })
  if (!account.active) return reject({ code: 'ACCOUNT_INACTIVE', userId })
  const last = resets.at(-1)
  if (last !== undefined && Math.abs(at - last.requestedAt) < RESET_INTERVAL_MS) return accept()
  return accept({ type: 'PasswordResetRequested', data: { userId, resetId, cause: 'REQUESTED', expiresAt, at } })
}

/** A link sets one password. */
export const decideReset = (
  { userId, resetId, passwordHash, at }: ResetPassword,
  { resets }: UserState,
): Decision<PasswordChanged, PasswordsRejection> =>
  openLink(resets, resetId, at) === undefined
    ? reject({ code: 'LINK_INVALID', userId })
    : accept({ type: 'PasswordChanged', data: { userId, passwordHash, resetId, at } })

/** A link proves the address once. */
export const decideVerification = (
  { userId, verificationId, at }: VerifyEmail,
  { verifications }: UserState,
): Decision<EmailVerified, PasswordsRejection> =>
  openLink(verifications, verificationId, at) === undefined
    ? reject({ code: 'LINK_INVALID', userId })
    : accept({ type: 'EmailVerified', data: { userId, verificationId, at } })
