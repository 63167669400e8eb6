import type { DebitRoutingDisabled, DebitRoutingEnabled, MerchantClosed, MerchantRegistered } from '@switchyard/events'
import { accept, assertNever, reject, type Slice } from '@switchyard/kernel'

/** Switches debit routing of a merchant. */
export interface DebitRoutingCommand {
  readonly type: 'EnableDebitRouting' | 'DisableDebitRouting'
  readonly merchantId: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** What the flag follows from. */
export type DebitRoutingEvent = MerchantRegistered | MerchantClosed | DebitRoutingEnabled | DebitRoutingDisabled

/** Only an unknown merchant is refused: switching twice is no mistake. */
export interface DebitRoutingRejection {
  readonly code: 'MERCHANT_NOT_FOUND'
  readonly merchantId: string
}

/** Off until it is switched on. */
export interface DebitRouting {
  readonly registered: boolean
  readonly enabled: boolean
}

const initialState: DebitRouting = { registered: false, enabled: false }

/** The debit-routing flag of one merchant (platform.md 7). */
export const debitRouting: Slice<DebitRoutingCommand, DebitRouting, DebitRoutingEvent, DebitRoutingRejection> = {
  name: 'debit-routing',
  folds: ['MerchantRegistered', 'MerchantClosed', 'DebitRoutingEnabled', 'DebitRoutingDisabled'],
  conflicts: 'commute',
  initialState,

  decide: ({ type, merchantId, at }, { registered, enabled }) => {
    if (!registered) return reject({ code: 'MERCHANT_NOT_FOUND', merchantId })
    const data = { merchantId, at }
    switch (type) {
      case 'EnableDebitRouting':
        return enabled ? accept() : accept({ type: 'DebitRoutingEnabled', data })
      case 'DisableDebitRouting':
        return enabled ? accept({ type: 'DebitRoutingDisabled', data }) : accept()
      default:
        return assertNever(type)
    }
  },

  evolve: (state, event) => {
    switch (event.type) {
      case 'MerchantRegistered':
        return { ...initialState, registered: true }
      case 'MerchantClosed':
        return initialState
      case 'DebitRoutingEnabled':
        return { ...state, enabled: true }
      case 'DebitRoutingDisabled':
        return { ...state, enabled: false }
      default:
        return assertNever(event)
    }
  },
}
