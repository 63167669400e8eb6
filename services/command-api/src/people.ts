import { hash } from 'node:crypto'
import { type Membership, normaliseEmail, type UserAccount, userIdOf, users } from '@switchyard/access'
import { ALL_PERMISSIONS, type SessionClaims, type SessionSubject } from '@switchyard/http'
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

/** Lower-case hex SHA-256. */
export const sha256Hex = (text: string): string => hash('sha256', text, 'hex')

/** The id of whoever has this address, account or not. */
export const userIdOfAddress = (address: string): string => userIdOf(normaliseEmail(address), sha256Hex)

/** Whoever has this address, as the log knows them now. */
export const findPerson = async (address: string, { states }: Pick<AccessRouteDeps, 'states'>): Promise<Person> => {
  const userId = userIdOfAddress(address)
  await states.readIndex(userId)
  return { userId, email: normaliseEmail(address), account: states.stateOf(users, userId).account }
}

/** The wire form of a role. */
export const wireRoleOf = (role: Membership['role'] | undefined): 'admin' | 'member' => (role === 'MEMBER' ? 'member' : 'admin')

type Knowledge = Pick<AccessRouteDeps, 'states' | 'directory'>

/** Memberships in merchants that exist now. */
const currentMemberships = async (userId: string, { states, directory }: Knowledge): Promise<readonly Membership[]> => {
  await states.readIndex(userId)
  const { memberships } = states.stateOf(users, userId)
  await Promise.all(memberships.map(({ merchantId }) => states.readIndex(merchantId)))
  return directory.membershipsOf(userId)
}

/** The merchants that a person belongs to. */
export const membershipsOnWire = async (userId: string, knowledge: Knowledge): Promise<readonly WireMembership[]> =>
  (await currentMemberships(userId, knowledge)).map(({ merchantId, role }) => ({
    merchant_id: merchantId,
    merchant_name: knowledge.directory.nameOf(merchantId),
    role: wireRoleOf(role),
  }))

/** The merchant that a granted session is for: without a hierarchy of accounts a grant has one scope. */
export const grantedScopes = (merchantId: string, { directory }: Pick<Knowledge, 'directory'>): readonly WireMembership[] =>
  directory.hasMerchant(merchantId) ? [{ merchant_id: merchantId, merchant_name: directory.nameOf(merchantId), role: 'admin' }] : []

/** A session as clients get it, of a token that has just been made. */
export const sessionOnWire = (
  { userId, email, merchantId, role }: SessionSubject,
  token: string,
  merchants: readonly WireMembership[],
): WireSession => ({ token, user_id: userId, email, merchant_id: merchantId, role, merchants })

/** What a session of one's own is made of. */
export const ownSession = ({ userId, email, passwordGeneration }: UserAccount, active: WireMembership | undefined): SessionSubject => ({
  type: 'standard',
  userId,
  email,
  merchantId: active?.merchant_id ?? '',
  role: active?.role ?? 'admin',
  permissions: ALL_PERMISSIONS,
  grant: null,
  passwordGeneration,
  merchantRegistrationCount: 0,
})

/**
 * A session of one's own on the merchant where the user is at home, else on the first one; a new one, or the next token of one that
 * goes on. The role is that of the membership; without a merchant it is admin.
 */
export const startSession = async (
  account: UserAccount,
  deps: Pick<AccessRouteDeps, 'states' | 'directory' | 'tokens'>,
  goingOn?: SessionClaims,
): Promise<WireSession> => {
  const merchants = await membershipsOnWire(account.userId, deps)
  const { homeMerchantId } = deps.states.stateOf(users, account.userId)
  const subject = ownSession(account, merchants.find(({ merchant_id: id }) => id === homeMerchantId) ?? merchants[0])
  return sessionOnWire(subject, deps.tokens.issue(subject, goingOn), merchants)
}
