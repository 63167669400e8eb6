import type { DebitRoutingDisabled, DebitRoutingEnabled } from '@switchyard/events'
import { accept, assertNever, type MerchantNotFound, ofMerchant, type Slice } from '@switchyard/kernel'
import type { MerchantLife } from '../merchant-life.ts'

/** Switches debit routing of a merchant. */
export interface DebitRoutingCommand {
  readonly type: 'EnableDebitRouting' | 'DisableDebitRouting'
  readonly merchantId: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** What the flag follows from. */
export type DebitRoutingEvent = MerchantLife | DebitRoutingEnabled | DebitRoutingDisabled

/** Only an unknown merchant is refused: switching twice is no mistake. */
export type DebitRoutingRejection = MerchantNotFound

/** Off until it is switched on. */
export interface DebitRouting {
  readonly registered: boolean
  readonly enabled: boolean
}

const initialState: DebitRouting = { registered: false, enabled: false }

/** The debit-routing flag of one merchant (platform.md 7). */
export const debitRouting: Slice<DebitRoutingCommand, DebitRouting, DebitRoutingEvent, DebitRoutingRejection> = {
  name: 'debit-routing',
  version: 1,
  folds: ['MerchantRegistered', 'MerchantClosed', 'DebitRoutingEnabled', 'DebitRoutingDisabled'],
  conflicts: 'commute',
  ...ofMerchant<DebitRoutingCommand, DebitRouting, DebitRoutingEnabled | DebitRoutingDisabled, never>({
    initialState,

    decide: ({ type, merchantId, at }, { enabled }) => {
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
        case 'DebitRoutingEnabled':
          return { ...state, enabled: true }
        case 'DebitRoutingDisabled':
          return { ...state, enabled: false }
        default:
          return assertNever(event)
      }
    },
  }),
}
