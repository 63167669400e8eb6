import { assertNever } from '@switchyard/kernel'
import { merchants } from '../merchants/merchants.ts'
import { sessions } from '../sessions/sessions.ts'
import type { UserAccount } from '../users/user-state.ts'
import { users } from '../users/users.ts'
import type { ObservableStates } from './observable-states.ts'

/** What a session was begun with; all of it stands in its token. */
export interface SessionFacts {
  readonly type: 'standard' | 'hs_redirect' | 'super_admin_view'
  readonly userId: string
  readonly sessionId: string
  /** Active merchant; empty when there is none. */
  readonly merchantId: string
  /** Of the account, when the session began. */
  readonly passwordGeneration: number
  /** Which registration of the merchant id a handed-over session is for. */
  readonly merchantRegistrationCount: number
}

/**
 * Whether a session goes on, and as what. `unknown`: by what is folded here it does not, but it may rest on something that was
 * recorded elsewhere a moment ago.
 */
export type SessionStanding =
  | { readonly running: true; readonly role: 'admin' | 'member' }
  | { readonly running: false; readonly unknown: boolean }

const ADMIN: SessionStanding = { running: true, role: 'admin' }
const MEMBER: SessionStanding = { running: true, role: 'member' }
const OVER: SessionStanding = { running: false, unknown: false }
const UNKNOWN: SessionStanding = { running: false, unknown: true }

const indexRevokedSessions = (states: ObservableStates): ReadonlyMap<string, ReadonlySet<string>> => {
  const revokedByUser = new Map<string, ReadonlySet<string>>()
  states.onChange((userId) => {
    const { revoked } = states.stateOf(sessions, userId)
    if (revoked.length === 0) revokedByUser.delete(userId)
    else revokedByUser.set(userId, new Set(revoked.map(({ sessionId }) => sessionId)))
  })
  return revokedByUser
}

/** Judges sessions by revocations, passwords, memberships and the roster, as far as the states have come. */
export const createSessionJudge = (
  states: ObservableStates,
  isSuperAdmin: (email: string) => boolean,
): ((session: SessionFacts) => SessionStanding) => {
  const revokedByUser = indexRevokedSessions(states)

  const ofMember = ({ userId, merchantId }: SessionFacts): SessionStanding => {
    if (merchantId === '') return ADMIN
    const membership = states.stateOf(users, userId).memberships.find((candidate) => candidate.merchantId === merchantId)
    const { registered, registrationCount } = states.stateOf(merchants, merchantId)
    if (membership === undefined || !registered || membership.merchantRegistrationCount !== registrationCount) return UNKNOWN
    return membership.role === 'ADMIN' ? ADMIN : MEMBER
  }

  const ofAccount = (session: SessionFacts, standing: (account: UserAccount) => SessionStanding): SessionStanding => {
    const { account } = states.stateOf(users, session.userId)
    if (account === null || session.passwordGeneration > account.passwordGeneration) return UNKNOWN
    return session.passwordGeneration < account.passwordGeneration ? OVER : standing(account)
  }

  const ofMerchant = ({ merchantId, merchantRegistrationCount }: SessionFacts): SessionStanding => {
    const { registered, registrationCount } = states.stateOf(merchants, merchantId)
    if (registrationCount < merchantRegistrationCount) return UNKNOWN
    return registered && registrationCount === merchantRegistrationCount ? ADMIN : OVER
  }

  return (session) => {
    if (revokedByUser.get(session.userId)?.has(session.sessionId) === true) return OVER
    switch (session.type) {
      case 'standard':
        return ofAccount(session, () => ofMember(session))
      case 'super_admin_view':
        return ofAccount(session, ({ email }) => (isSuperAdmin(email) ? ADMIN : OVER))
      case 'hs_redirect':
        return ofMerchant(session)
      default:
        return assertNever(session.type)
    }
  }
}
