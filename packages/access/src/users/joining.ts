import type { MembershipGranted, MembershipRole, PasswordResetRequested, UserSignedUp } from '@switchyard/events'
import { accept, type Decision, reject } from '@switchyard/kernel'
import { MEMBERSHIP_COUNT_MAX } from '../limits.ts'
import type { NewLink } from './sign-up.ts'
import type { Membership, UserState } from './user-state.ts'

interface Joining {
  readonly userId: string
  readonly merchantId: string
  /** Which registration of that merchant id is meant, from 1. */
  readonly merchantRegistrationCount: number
  readonly at: number
}

/** Makes a user admin of the merchant that this user has just registered. */
export interface JoinOwnMerchant extends Joining {
  readonly type: 'JoinOwnMerchant'
}

/** Makes whoever has an address member of a merchant, with an account when there is none. */
export interface InviteUser extends Joining {
  readonly type: 'InviteUser'
  /** Normalised address. */
  readonly email: string
  /** PHC string of the first password; of no meaning when there is an account. */
  readonly passwordHash: string
  readonly role: MembershipRole
  /** The invitation; its link sets a first password. */
  readonly invitation: NewLink
}

type JoiningEvent = UserSignedUp | MembershipGranted | PasswordResetRequested

/** Why nobody joins: the user is member already, is unknown, or belongs to as many merchants as one can. */
export type JoiningRejection =
  | { readonly code: 'ALREADY_MEMBER'; readonly userId: string }
  | { readonly code: 'USER_NOT_FOUND'; readonly userId: string }
  | { readonly code: 'MEMBERSHIP_LIMIT_REACHED'; readonly membershipCountMax: number }

const refuseJoining = ({ userId, merchantId, merchantRegistrationCount }: Joining, memberships: readonly Membership[]) => {
  const isSame = (other: Membership): boolean =>
    other.merchantId === merchantId && other.merchantRegistrationCount === merchantRegistrationCount
  if (memberships.some(isSame)) return reject({ code: 'ALREADY_MEMBER', userId } as const)
  if (memberships.length < MEMBERSHIP_COUNT_MAX) return undefined
  return reject({ code: 'MEMBERSHIP_LIMIT_REACHED', membershipCountMax: MEMBERSHIP_COUNT_MAX } as const)
}

/** The merchant exists already, and nobody else belongs to it. */
export const decideJoinOwn = (command: JoinOwnMerchant, { account, memberships }: UserState): Decision<JoiningEvent, JoiningRejection> => {
  const { userId, merchantId, merchantRegistrationCount, at } = command
  if (account === null) return reject({ code: 'USER_NOT_FOUND', userId })
  const membership = { userId, merchantId, role: 'ADMIN', merchantRegistrationCount, origin: 'ONBOARDED', invitationId: null, at } as const
  return refuseJoining(command, memberships) ?? accept({ type: 'MembershipGranted', data: membership })
}

/**
 * An account that has proved nothing yet gets a link too: what was set by somebody else before is overwritten by its owner. One
 * that is closed to its owner becomes a member, and gets no way in.
 */
export const decideInvitation = (command: InviteUser, { account, memberships }: UserState): Decision<JoiningEvent, JoiningRejection> => {
  const refused = refuseJoining(command, memberships)
  if (refused !== undefined) return refused
  const { userId, email, passwordHash, merchantId, role, merchantRegistrationCount, at } = command
  const { linkId: invitationId, expiresAt } = command.invitation
  const events: JoiningEvent[] = []
  if (account === null) events.push({ type: 'UserSignedUp', data: { userId, email, passwordHash, emailVerified: true, at } })
  events.push({
    type: 'MembershipGranted',
    data: { userId, merchantId, role, merchantRegistrationCount, origin: 'INVITED', invitationId, at },
  })
  if (account === null || (account.active && !account.emailVerified))
    events.push({ type: 'PasswordResetRequested', data: { userId, resetId: invitationId, cause: 'INVITED', expiresAt, at } })
  return accept(...events)
}
