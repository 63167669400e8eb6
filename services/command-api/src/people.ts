import { hash } from 'node:crypto'
import { type Membership, normaliseEmail, type UserAccount, userIdOf, users } from '@switchyard/access'
import type { AccessRouteDeps } from './access-deps.ts'

/** A person as the routes need one. */
export interface Person {
  readonly userId: string
  /** Normalised address. */
  readonly email: string
  readonly account: UserAccount | null
}

/** A membership as clients see it. */
export interface WireMembership {
  readonly merchant_id: string
  /** Merchants have no name of their own: the id. */
  readonly merchant_name: string
  readonly role: 'admin' | 'member'
}

/** Answer of signing up and logging in (platform.md 4); scalars stand before the nested list, scripts look for the first match. */
export interface WireSession {
  readonly token: string
  readonly user_id: string
  readonly email: string
  readonly merchant_id: string
  readonly role: 'admin' | 'member'
  readonly merchants: readonly WireMembership[]
}

const sha256Hex = (text: string): string => hash('sha256', text, 'hex')

/** Whoever has this address, as the log knows them now. */
export const findPerson = async (address: string, { states }: AccessRouteDeps): Promise<Person> => {
  const email = normaliseEmail(address)
  const userId = userIdOf(email, sha256Hex)
  await states.readIndex(userId)
  return { userId, email, account: states.stateOf(users, userId).account }
}

/** The wire form of a role. */
export const wireRoleOf = (membership: Membership | undefined): 'admin' | 'member' => (membership?.role === 'MEMBER' ? 'member' : 'admin')

/** The wire form of memberships. */
export const wireMemberships = (memberships: readonly Membership[]): readonly WireMembership[] =>
  memberships.map((membership) => ({
    merchant_id: membership.merchantId,
    merchant_name: membership.merchantId,
    role: wireRoleOf(membership),
  }))

/** Memberships in merchants that exist now. */
export const currentMemberships = async (
  userId: string,
  { states, directory }: Pick<AccessRouteDeps, 'states' | 'directory'>,
): Promise<readonly Membership[]> => {
  const { memberships } = states.stateOf(users, userId)
  await Promise.all(memberships.map(({ merchantId }) => states.readIndex(merchantId)))
  return directory.membershipsOf(userId)
}

/** Starts a session on the user's first merchant. The role is that of the membership; without a merchant it is admin. */
export const startSession = async ({ userId, email }: Person, deps: AccessRouteDeps): Promise<WireSession> => {
  const memberships = await currentMemberships(userId, deps)
  const [active] = memberships
  const merchantId = active?.merchantId ?? ''
  const role = wireRoleOf(active)
  const token = deps.tokens.issue({ userId, email, merchantId, role })
  return { token, user_id: userId, email, merchant_id: merchantId, role, merchants: wireMemberships(memberships) }
}
