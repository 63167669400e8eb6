import type {
  EmailVerificationRequested,
  EmailVerified,
  MembershipGranted,
  PasswordChanged,
  PasswordRehashed,
  PasswordResetRequested,
  UserDeactivated,
  UserReactivated,
  UserSignedUp,
} from '@switchyard/events'
import { assertNever, type Slice } from '@switchyard/kernel'
import { decideActivity, type SetUserActivity } from './activity.ts'
import { decideInvitation, decideJoinOwn, type InviteUser, type JoiningRejection, type JoinOwnMerchant } from './joining.ts'
import {
  type ChangePassword,
  decideChange,
  decideRehash,
  decideReset,
  decideResetRequest,
  decideVerification,
  type PasswordsRejection,
  type RehashPassword,
  type RequestPasswordReset,
  type ResetPassword,
  type VerifyEmail,
} from './passwords.ts'
import { decideSignUp, type SignUp } from './sign-up.ts'
import { noUser, type UserAccount, type UserState, withLink } from './user-state.ts'

/** What happens to an account and to its memberships; `at` is epoch milliseconds. */
export type UsersCommand =
  | SignUp
  | JoinOwnMerchant
  | InviteUser
  | ChangePassword
  | RehashPassword
  | RequestPasswordReset
  | ResetPassword
  | VerifyEmail
  | SetUserActivity

/** What accounts and memberships follow from. */
export type UsersEvent =
  | UserSignedUp
  | MembershipGranted
  | PasswordChanged
  | PasswordRehashed
  | PasswordResetRequested
  | EmailVerificationRequested
  | EmailVerified
  | UserDeactivated
  | UserReactivated

/** Why a command about a person changes nothing. */
export type UsersRejection = { readonly code: 'EMAIL_TAKEN'; readonly email: string } | JoiningRejection | PasswordsRejection

const withAccount = (state: UserState, change: (account: UserAccount) => Partial<UserAccount>): UserState =>
  state.account === null ? state : { ...state, account: { ...state.account, ...change(state.account) } }

const withMembership = (state: UserState, { data }: MembershipGranted): UserState => {
  const { merchantId, role, merchantRegistrationCount, origin } = data
  const others = state.memberships.filter((membership) => membership.merchantId !== merchantId)
  const memberships = [...others, { merchantId, role, merchantRegistrationCount }]
  return origin === 'SIGNED_UP' || origin === 'ONBOARDED'
    ? { ...state, memberships, homeMerchantId: merchantId }
    : { ...state, memberships }
}

/** A link came by mail, so whoever used it owns the address. Links that were open before are void. */
const withPassword = (state: UserState, { data: { passwordHash, resetId } }: PasswordChanged): UserState => {
  const changed = withAccount(state, ({ passwordGeneration, emailVerified }) => ({
    passwordHash,
    passwordGeneration: passwordGeneration + 1,
    emailVerified: emailVerified || resetId !== null,
  }))
  return { ...changed, resets: [], verifications: resetId === null ? changed.verifications : [] }
}

/** Sessions and links of before stay over when it is opened again. */
const deactivated = (state: UserState): UserState => ({
  ...withAccount(state, ({ passwordGeneration }) => ({ active: false, passwordGeneration: passwordGeneration + 1 })),
  resets: [],
  verifications: [],
})

/** People (platform.md 4): one account an address, settled by the log. Key: user id, made of the address. */
export const users: Slice<UsersCommand, UserState, UsersEvent, UsersRejection> = {
  name: 'users',
  version: 3,
  folds: [
    'UserSignedUp',
    'MembershipGranted',
    'PasswordChanged',
    'PasswordRehashed',
    'PasswordResetRequested',
    'EmailVerificationRequested',
    'EmailVerified',
    'UserDeactivated',
    'UserReactivated',
  ],
  conflicts: 'by-version',
  initialState: noUser,

  decide: (command, state) => {
    switch (command.type) {
      case 'SignUp':
        return decideSignUp(command, state)
      case 'JoinOwnMerchant':
        return decideJoinOwn(command, state)
      case 'InviteUser':
        return decideInvitation(command, state)
      case 'ChangePassword':
        return decideChange(command, state)
      case 'RehashPassword':
        return decideRehash(command, state)
      case 'RequestPasswordReset':
        return decideResetRequest(command, state)
      case 'ResetPassword':
        return decideReset(command, state)
      case 'VerifyEmail':
        return decideVerification(command, state)
      case 'SetUserActivity':
        return decideActivity(command, state)
      default:
        return assertNever(command)
    }
  },

  evolve: (state, event) => {
    switch (event.type) {
      case 'UserSignedUp': {
        const { userId, email, passwordHash, emailVerified } = event.data
        return { ...state, account: { userId, email, passwordHash, passwordGeneration: 0, emailVerified, active: true } }
      }
      case 'MembershipGranted':
        return withMembership(state, event)
      case 'PasswordChanged':
        return withPassword(state, event)
      case 'PasswordRehashed':
        return withAccount(state, () => ({ passwordHash: event.data.passwordHash }))
      case 'PasswordResetRequested': {
        const { resetId, expiresAt, at } = event.data
        return { ...state, resets: withLink(state.resets, { linkId: resetId, requestedAt: at, expiresAt }) }
      }
      case 'EmailVerificationRequested': {
        const { verificationId, expiresAt, at } = event.data
        return { ...state, verifications: withLink(state.verifications, { linkId: verificationId, requestedAt: at, expiresAt }) }
      }
      case 'EmailVerified':
        return { ...withAccount(state, () => ({ emailVerified: true })), verifications: [] }
      case 'UserDeactivated':
        return deactivated(state)
      case 'UserReactivated':
        return withAccount(state, () => ({ active: true }))
      default:
        return assertNever(event)
    }
  },
}
