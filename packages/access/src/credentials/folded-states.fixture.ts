import type { ConfigEvent, MembershipGranted, MembershipRole } from '@switchyard/events'
import { apiKeys } from '../api-keys/api-keys.ts'
import { handoffs } from '../handoffs/handoffs.ts'
import { merchants } from '../merchants/merchants.ts'
import { sessions } from '../sessions/sessions.ts'
import { users } from '../users/users.ts'

/** For tests: states that follow what is recorded. */
export interface FoldedStates {
  readonly stateOf: <State>(slice: { readonly name: string; readonly initialState: State }, key: string) => State
  readonly onChange: (listener: (key: string) => void) => void
  readonly record: (key: string, event: ConfigEvent) => void
}

/** The fold of the slices under test, without a log. */
export const createFoldedStates = (): FoldedStates => {
  const states = new Map<string, unknown>()
  const listeners: ((key: string) => void)[] = []
  const slices = [merchants, apiKeys, users, sessions, handoffs]
  const nameOf = (slice: string, key: string): string => JSON.stringify([slice, key])
  return {
    stateOf: <State>(slice: { readonly name: string; readonly initialState: State }, key: string) =>
      (states.get(nameOf(slice.name, key)) ?? slice.initialState) as State,
    onChange: (listener) => listeners.push(listener),
    record: (key, event) => {
      for (const slice of slices) {
        if (!slice.folds.some((type) => type === event.type)) continue
        const state = states.get(nameOf(slice.name, key)) ?? slice.initialState
        states.set(nameOf(slice.name, key), slice.evolve(state as never, event as never))
      }
      for (const listener of listeners) listener(key)
    },
  }
}

/** For tests: a membership, of the first registration unless it says otherwise. */
export const granted = (userId: string, merchantId: string, role: MembershipRole, merchantRegistrationCount = 1): MembershipGranted => ({
  type: 'MembershipGranted',
  data: { userId, merchantId, role, merchantRegistrationCount, origin: 'INVITED', invitationId: null, at: 1 },
})
