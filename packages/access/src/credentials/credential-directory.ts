import { createKeySpace, type KeySpace } from '@switchyard/kernel'
import { merchants } from '../merchants/merchants.ts'
import type { Membership } from '../users/user-state.ts'
import { users } from '../users/users.ts'
import { indexHandoffs } from './handoff-index.ts'
import { indexKeys, type KeyCredential } from './key-index.ts'
import type { Member } from './member.ts'
import type { ObservableStates } from './observable-states.ts'
import { indexPeople } from './people-index.ts'
import { type FoundMerchant, findMerchants } from './search.ts'
import { createSessionJudge, type SessionFacts, type SessionStanding } from './session-standing.ts'

/** Answers questions about credentials and people from memory, without waiting: as current as the fold it stands on. */
export interface CredentialDirectory {
  /** `keyHash`: lower-case hex SHA-256 of the whole key. */
  readonly keyByHash: (keyHash: string) => KeyCredential | undefined
  readonly keyById: (keyId: string) => KeyCredential | undefined
  /** What is asked for next is of the merchant of this key, one of its own: then the merchant is not looked up. No answer depends on it. */
  readonly expectMerchantOf: (key: Pick<KeyCredential, 'merchantId' | 'merchantPlace'>) => void
  readonly standingOf: (session: SessionFacts) => SessionStanding
  readonly hasMerchant: (merchantId: string) => boolean
  /** What people call the merchant; its id when it has no name. */
  readonly nameOf: (merchantId: string) => string
  /** Memberships in merchants that exist; one that stems from a closed merchant of the same id does not count. */
  readonly membershipsOf: (userId: string) => readonly Membership[]
  /** In the order of their addresses. */
  readonly membersOf: (merchantId: string) => readonly Member[]
  /** The merchant of an open hand-off code; `codeHash`: lower-case hex SHA-256 of the whole code. */
  readonly merchantOfHandoff: (codeHash: string) => string | undefined
  /** Whether a normalised address stands on the roster of super admins. */
  readonly isSuperAdmin: (email: string) => boolean
  /** Merchants by name, id or address of a member (platform.md 4.2). */
  readonly findMerchants: (query: string) => readonly FoundMerchant[]
}

/** What a deployment says about people. */
export interface DirectoryOptions {
  /** Normalised addresses of those who may look at every merchant. */
  readonly superAdminEmails: readonly string[]
}

const byEmail = (a: Member, b: Member): number => (a.email < b.email ? -1 : 1)

/** An index over the states of merchants, keys, people and sessions, kept current by their changes. Create it before the states start. */
export const createCredentialDirectory = (
  states: ObservableStates,
  { superAdminEmails }: DirectoryOptions,
  space: KeySpace = createKeySpace(),
): CredentialDirectory => {
  const keys = indexKeys(states, space)
  const people = indexPeople(states)
  const merchantByCode = indexHandoffs(states)
  const roster = new Set(superAdminEmails)
  const isSuperAdmin = (email: string): boolean => roster.has(email)

  const isCurrent = ({ merchantId, merchantRegistrationCount }: Membership): boolean => {
    const { registered, registrationCount } = states.stateOf(merchants, merchantId)
    return registered && merchantRegistrationCount === registrationCount
  }
  const membershipsOf = (userId: string): readonly Membership[] => states.stateOf(users, userId).memberships.filter(isCurrent)
  const nameOf = (merchantId: string): string => states.stateOf(merchants, merchantId).name ?? merchantId

  const membersOf = (merchantId: string): readonly Member[] =>
    [...people.usersOf(merchantId)]
      .flatMap((userId) =>
        membershipsOf(userId)
          .filter((membership) => membership.merchantId === merchantId)
          .map(({ role }) => ({ userId, email: people.emails.get(userId) ?? '', role })),
      )
      .sort(byEmail)

  return {
    keyByHash: (keyHash) => keys.byHash.get(keyHash),
    keyById: (keyId) => keys.byId.get(keyId),
    expectMerchantOf: ({ merchantId, merchantPlace }) => {
      if (merchantPlace !== undefined) space.expect(merchantId, merchantPlace)
    },
    standingOf: createSessionJudge(states, isSuperAdmin),
    hasMerchant: (merchantId) => states.stateOf(merchants, merchantId).registered,
    nameOf,
    membershipsOf,
    membersOf,
    merchantOfHandoff: (codeHash) => merchantByCode.get(codeHash),
    isSuperAdmin,
    findMerchants: (query) => findMerchants(query, { ...people, nameOf, membershipsOf, membersOf }),
  }
}
