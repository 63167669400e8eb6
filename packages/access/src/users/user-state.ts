import type { MembershipRole } from '@switchyard/events'
import { OPEN_LINK_COUNT_MAX } from '../limits.ts'

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
  /** How often the password was changed or the account closed to its owner: sessions that began with an earlier one are over. */
  readonly passwordGeneration: number
  /** Whether the address was proved, or needed no proof. */
  readonly emailVerified: boolean
  /** Whether its owner may log in. */
  readonly active: boolean
}

/** A link that was mailed; its secret is made of the id. */
export interface MailedLink {
  readonly linkId: string
  readonly requestedAt: number
  /** Last moment at which it is valid, epoch milliseconds. */
  readonly expiresAt: number
}

/** One person: the account, and the memberships, oldest first. */
export interface UserState {
  readonly account: UserAccount | null
  readonly memberships: readonly Membership[]
  /** Where logging in lands; null: in the first membership. */
  readonly homeMerchantId: string | null
  /** Open links to set a password, oldest first. */
  readonly resets: readonly MailedLink[]
  /** Open links to prove the address, oldest first. */
  readonly verifications: readonly MailedLink[]
}

/** Nobody. */
export const noUser: UserState = { account: null, memberships: [], homeMerchantId: null, resets: [], verifications: [] }

/** The link, when it is open at this time. */
export const openLink = (links: readonly MailedLink[], linkId: string, at: number): MailedLink | undefined =>
  links.find((link) => link.linkId === linkId && at <= link.expiresAt)

/** One more open link. */
export const withLink = (links: readonly MailedLink[], link: MailedLink): readonly MailedLink[] =>
  [...links.filter(({ linkId }) => linkId !== link.linkId), link].slice(-OPEN_LINK_COUNT_MAX)
