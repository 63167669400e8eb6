import type { UserDeactivated, UserReactivated } from '@switchyard/events'
import { accept, type Decision, reject } from '@switchyard/kernel'
import type { UserState } from './user-state.ts'

/** Closes an account to its owner, or opens it again. */
export interface SetUserActivity {
  readonly type: 'SetUserActivity'
  readonly userId: string
  readonly active: boolean
  readonly at: number
}

/** Saying twice what holds already changes nothing. */
export const decideActivity = (
  { userId, active, at }: SetUserActivity,
  { account }: UserState,
): Decision<UserDeactivated | UserReactivated, { readonly code: 'USER_NOT_FOUND'; readonly userId: string }> => {
  if (account === null) return reject({ code: 'USER_NOT_FOUND', userId })
  if (account.active === active) return accept()
  return accept({ type: active ? 'UserReactivated' : 'UserDeactivated', data: { userId, at } })
}
