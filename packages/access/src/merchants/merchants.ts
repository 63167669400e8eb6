import type { MerchantClosed, MerchantRegistered } from '@switchyard/events'
import { accept, assertNever, reject, type Slice } from '@switchyard/kernel'

/** Registers or closes a merchant; `at` is epoch milliseconds. */
export type MerchantsCommand =
  | {
      readonly type: 'RegisterMerchant'
      readonly merchantId: string
      /** What people call it; null: its id. */
      readonly name: string | null
      readonly deciderInput: string | null
      readonly at: number
    }
  | { readonly type: 'CloseMerchant'; readonly merchantId: string; readonly at: number }

/** The life of a merchant. */
export type MerchantsEvent = MerchantRegistered | MerchantClosed

/** Why a merchant is not registered (its id is taken) or not closed (there is none). */
export type MerchantsRejection = {
  readonly code: 'MERCHANT_ALREADY_EXISTS' | 'MERCHANT_NOT_FOUND'
  readonly merchantId: string
}

/** One merchant: whether it exists, and what its client left with it. */
export interface MerchantState {
  readonly registered: boolean
  /** What people call it; null: its id. */
  readonly name: string | null
  /** Opaque text of the client. */
  readonly deciderInput: string | null
  /** How often this id was registered, closed merchants included: what belonged to an earlier one does not belong to this one. */
  readonly registrationCount: number
  /** When the id came back, epoch milliseconds, behind the end of the earlier merchant; 0 for one that was never closed. What happened before is not its history. */
  readonly historySince: number
  /** Of one that is closed: when it was, epoch milliseconds. */
  readonly closedAt?: number
}

/** Merchants are unique by id (platform.md 6); a closed one may be registered again and starts clean. Key: merchant id. */
export const merchants: Slice<MerchantsCommand, MerchantState, MerchantsEvent, MerchantsRejection> = {
  name: 'merchants',
  version: 4,
  folds: ['MerchantRegistered', 'MerchantClosed'],
  conflicts: 'by-version',
  initialState: { registered: false, name: null, deciderInput: null, registrationCount: 0, historySince: 0 },

  decide: (command, { registered }) => {
    const { type, merchantId, at } = command
    switch (type) {
      case 'RegisterMerchant':
        if (registered) return reject({ code: 'MERCHANT_ALREADY_EXISTS', merchantId })
        return accept({ type: 'MerchantRegistered', data: { merchantId, name: command.name, deciderInput: command.deciderInput, at } })
      case 'CloseMerchant':
        if (!registered) return reject({ code: 'MERCHANT_NOT_FOUND', merchantId })
        return accept({ type: 'MerchantClosed', data: { merchantId, at } })
      default:
        return assertNever(type)
    }
  },

  evolve: ({ registrationCount, historySince, closedAt = 0 }, event) => {
    switch (event.type) {
      case 'MerchantRegistered':
        return {
          registered: true,
          name: event.data.name,
          deciderInput: event.data.deciderInput,
          registrationCount: registrationCount + 1,
          // It may have been closed in this very millisecond, or by a clock that is ahead.
          historySince: registrationCount === 0 ? 0 : Math.max(event.data.at, closedAt + 1),
        }
      case 'MerchantClosed':
        return { registered: false, name: null, deciderInput: null, registrationCount, historySince, closedAt: event.data.at }
      default:
        return assertNever(event)
    }
  },
}
