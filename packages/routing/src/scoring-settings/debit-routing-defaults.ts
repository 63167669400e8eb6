import type { DebitRoutingDefaultsConfigured, DebitRoutingDefaultsRemoved, MerchantClosed, MerchantRegistered } from '@switchyard/events'
import { accept, assertNever, reject, type Slice } from '@switchyard/kernel'

/** What debit routing assumes when a payment does not say it. */
export interface DebitDefaults {
  readonly merchantCategoryCode: string
  readonly acquirerCountry: string
}

/** Changes the defaults as a whole; times in epoch milliseconds. */
export type DebitRoutingDefaultsCommand =
  | {
      readonly type: 'CreateDebitRoutingDefaults' | 'ReplaceDebitRoutingDefaults'
      readonly merchantId: string
      readonly settings: DebitDefaults
      readonly at: number
    }
  | { readonly type: 'RemoveDebitRoutingDefaults'; readonly merchantId: string; readonly at: number }

/** What the defaults of a merchant follow from. */
export type DebitRoutingDefaultsEvent = MerchantRegistered | MerchantClosed | DebitRoutingDefaultsConfigured | DebitRoutingDefaultsRemoved

/** Why defaults are not changed: creating needs that there are none, replacing and removing that there are. */
export type DebitRoutingDefaultsRejection =
  | { readonly code: 'MERCHANT_NOT_FOUND'; readonly merchantId: string }
  | { readonly code: 'CONFIGURATION_EXISTS' }
  | { readonly code: 'CONFIGURATION_NOT_FOUND' }

/** Defaults of one merchant; null when none are stored. */
export interface DebitRoutingDefaults {
  readonly registered: boolean
  readonly settings: DebitDefaults | null
}

const initialState: DebitRoutingDefaults = { registered: false, settings: null }

/** Defaults of debit routing of one merchant (platform.md 8.3). */
export const debitRoutingDefaults: Slice<
  DebitRoutingDefaultsCommand,
  DebitRoutingDefaults,
  DebitRoutingDefaultsEvent,
  DebitRoutingDefaultsRejection
> = {
  name: 'debit-routing-defaults',
  folds: ['MerchantRegistered', 'MerchantClosed', 'DebitRoutingDefaultsConfigured', 'DebitRoutingDefaultsRemoved'],
  conflicts: 'by-version',
  initialState,

  decide: (command, { registered, settings }) => {
    const { merchantId, at } = command
    if (!registered) return reject({ code: 'MERCHANT_NOT_FOUND', merchantId })
    const exists = settings !== null
    switch (command.type) {
      case 'CreateDebitRoutingDefaults':
        return exists
          ? reject({ code: 'CONFIGURATION_EXISTS' })
          : accept({ type: 'DebitRoutingDefaultsConfigured', data: { merchantId, ...command.settings, at } })
      case 'ReplaceDebitRoutingDefaults':
        return exists
          ? accept({ type: 'DebitRoutingDefaultsConfigured', data: { merchantId, ...command.settings, at } })
          : reject({ code: 'CONFIGURATION_NOT_FOUND' })
      case 'RemoveDebitRoutingDefaults':
        return exists
          ? accept({ type: 'DebitRoutingDefaultsRemoved', data: { merchantId, at } })
          : reject({ code: 'CONFIGURATION_NOT_FOUND' })
      default:
        return assertNever(command)
    }
  },

  evolve: (state, event) => {
    switch (event.type) {
      case 'MerchantRegistered':
        return { ...initialState, registered: true }
      case 'MerchantClosed':
        return initialState
      case 'DebitRoutingDefaultsConfigured': {
        const { merchantCategoryCode, acquirerCountry } = event.data
        return { ...state, settings: { merchantCategoryCode, acquirerCountry } }
      }
      case 'DebitRoutingDefaultsRemoved':
        return { ...state, settings: null }
      default:
        return assertNever(event)
    }
  },
}
