import { merchants } from '../merchants/merchants.ts'
import { users } from '../users/users.ts'
import type { ObservableStates } from './observable-states.ts'

/** Who may belong to which merchant, and what there is to look for; memberships of closed merchants are still in it. */
export interface PeopleIndex {
  /** User ids with a membership of the merchant id, whichever registration it was for. */
  readonly usersOf: (merchantId: string) => ReadonlySet<string>
  /** Normalised addresses by user id. */
  readonly emails: ReadonlyMap<string, string>
  /** Ids of registered merchants. */
  readonly merchantIds: ReadonlySet<string>
}

const NOBODY: ReadonlySet<string> = new Set()

/** A {@link PeopleIndex} that follows the states. */
export const indexPeople = (states: ObservableStates): PeopleIndex => {
  const usersByMerchant = new Map<string, Set<string>>()
  const emails = new Map<string, string>()
  const merchantIds = new Set<string>()

  states.onChange((key) => {
    if (states.stateOf(merchants, key).registered) merchantIds.add(key)
    else merchantIds.delete(key)
    const { account, memberships } = states.stateOf(users, key)
    if (account !== null) emails.set(key, account.email)
    for (const { merchantId } of memberships) {
      const members = usersByMerchant.get(merchantId)
      if (members === undefined) usersByMerchant.set(merchantId, new Set([key]))
      else members.add(key)
    }
  })
  return { usersOf: (merchantId) => usersByMerchant.get(merchantId) ?? NOBODY, emails, merchantIds }
}
