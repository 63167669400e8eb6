import type { MembershipGranted, MembershipRole, UserSignedUp } from '@switchyard/events'
import { accept, assertNever, type Decision, reject, type Slice } from '@switchyard/kernel'

/** Opens an account, or makes its owner member of a merchant; `at` is epoch milliseconds. */
export type UsersCommand = SignUp | GrantMembership

interface SignUp {
  readonly type: 'SignUp'
  readonly userId: string
  /** Normalised address. */
  readonly email: string
  /** PHC string. */
  readonly passwordHash: string
  /** The merchant whose admin the new user becomes; whether the caller may say so is settled before. */
  readonly merchantId: string | null
  /** Which registration of that merchant id is meant, from 1. */
  readonly merchantRegistrationCount: number
  readonly at: number
}

interface GrantMembership {
  readonly type: 'GrantMembership'
  readonly userId: string
  readonly merchantId: string
  readonly merchantRegistrationCount: number
  readonly role: MembershipRole
  readonly at: number
}

/** What accounts and memberships follow from. */
export type UsersEvent = UserSignedUp | MembershipGranted

/** Why nobody is signed up or made a member. */
export type UsersRejection =
  | { readonly code: 'EMAIL_TAKEN'; readonly email: string }
  | { readonly code: 'USER_NOT_FOUND'; readonly userId: string }

/** What a person may do in a merchant; it ends with the registration of the merchant id that it was granted for. */
export interface Membership {
  readonly merchantId: string
  readonly role: MembershipRole
  readonly merchantRegistrationCount: number
}

/** How a person signs in: the normalised address and the hash of the password, never the password. */
export interface UserAccount {
  readonly userId: string
  readonly email: string
  readonly passwordHash: string
}

/** One person: the account, and the memberships, oldest first. */
export interface UserState {
  readonly account: UserAccount | null
  readonly memberships: readonly Membership[]
}

const signUp = (command: SignUp, { account }: UserState): Decision<UsersEvent, UsersRejection> => {
  const { userId, email, passwordHash, merchantId, merchantRegistrationCount, at } = command
  if (account !== null) return reject({ code: 'EMAIL_TAKEN', email })
  const signedUp: UserSignedUp = { type: 'UserSignedUp', data: { userId, email, passwordHash, at } }
  return merchantId === null
    ? accept(signedUp)
    : accept<UsersEvent>(signedUp, {
        type: 'MembershipGranted',
        data: { userId, merchantId, role: 'ADMIN', merchantRegistrationCount, at },
      })
}

const grant = (command: GrantMembership, { account, memberships }: UserState): Decision<UsersEvent, UsersRejection> => {
  const { userId, merchantId, merchantRegistrationCount, role, at } = command
  if (account === null) return reject({ code: 'USER_NOT_FOUND', userId })
  const isSame = (other: Membership): boolean =>
    other.merchantId === merchantId && other.merchantRegistrationCount === merchantRegistrationCount && other.role === role
  if (memberships.some(isSame)) return accept()
  return accept({ type: 'MembershipGranted', data: { userId, merchantId, role, merchantRegistrationCount, at } })
}

/** People (platform.md 4): one account an address, settled by the log. Key: user id, made of the address. */
export const users: Slice<UsersCommand, UserState, UsersEvent, UsersRejection> = {
  name: 'users',
  version: 1,
  folds: ['UserSignedUp', 'MembershipGranted'],
  conflicts: 'by-version',
  initialState: { account: null, memberships: [] },

  decide: (command, state) => {
    switch (command.type) {
      case 'SignUp':
        return signUp(command, state)
      case 'GrantMembership':
        return grant(command, state)
      default:
        return assertNever(command)
    }
  },

  evolve: (state, event) => {
    switch (event.type) {
      case 'UserSignedUp': {
        const { userId, email, passwordHash } = event.data
        return { ...state, account: { userId, email, passwordHash } }
      }
      case 'MembershipGranted': {
        const { merchantId, role, merchantRegistrationCount } = event.data
        const others = state.memberships.filter((membership) => membership.merchantId !== merchantId)
        return { ...state, memberships: [...others, { merchantId, role, merchantRegistrationCount }] }
      }
      default:
        return assertNever(event)
    }
  },
}
