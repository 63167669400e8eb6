import type { DebitRoutingDefaultsConfigured, DebitRoutingDefaultsRemoved } from '@switchyard/events'
import { accept, assertNever, type Decision, type MerchantNotFound, ofMerchant, reject, type Slice } from '@switchyard/kernel'
import type { MerchantLife } from '../merchant-life.ts'
import { acquirerCountryProblem, type SettingOutOfRange } from './setting-ranges.ts'

/** What debit routing assumes when a payment does not say it. */
export interface DebitDefaults {
  readonly merchantCategoryCode: string
  /** ISO 3166 alpha-2 code. */
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
export type DebitRoutingDefaultsEvent = MerchantLife | DebitRoutingDefaultsConfigured | DebitRoutingDefaultsRemoved

/** Why defaults are not changed: creating needs that there are none, replacing and removing that there are. */
export type DebitRoutingDefaultsRejection =
  | MerchantNotFound
  | { readonly code: 'CONFIGURATION_EXISTS' }
  | { readonly code: 'CONFIGURATION_NOT_FOUND' }
  | SettingOutOfRange

/** Defaults of one merchant; null when none are stored. */
export interface DebitRoutingDefaults {
  readonly registered: boolean
  readonly settings: DebitDefaults | null
}

type OwnRejection = Exclude<DebitRoutingDefaultsRejection, MerchantNotFound>

const initialState: DebitRoutingDefaults = { registered: false, settings: null }

const configured = ({
  merchantId,
  settings,
  at,
}: Extract<DebitRoutingDefaultsCommand, { readonly settings: DebitDefaults }>): Decision<DebitRoutingDefaultsConfigured, OwnRejection> => {
  const problem = acquirerCountryProblem(settings.acquirerCountry)
  return problem ? reject(problem) : accept({ type: 'DebitRoutingDefaultsConfigured', data: { merchantId, ...settings, at } })
}

/** Defaults of debit routing of one merchant (platform.md 8.3). */
export const debitRoutingDefaults: Slice<
  DebitRoutingDefaultsCommand,
  DebitRoutingDefaults,
  DebitRoutingDefaultsEvent,
  DebitRoutingDefaultsRejection
> = {
  name: 'debit-routing-defaults',
  version: 1,
  folds: ['MerchantRegistered', 'MerchantClosed', 'DebitRoutingDefaultsConfigured', 'DebitRoutingDefaultsRemoved'],
  conflicts: 'by-version',
  ...ofMerchant<
    DebitRoutingDefaultsCommand,
    DebitRoutingDefaults,
    DebitRoutingDefaultsConfigured | DebitRoutingDefaultsRemoved,
    OwnRejection
  >({
    initialState,

    decide: (command, { settings }) => {
      const { merchantId, at } = command
      const exists = settings !== null
      switch (command.type) {
        case 'CreateDebitRoutingDefaults':
          return exists ? reject({ code: 'CONFIGURATION_EXISTS' }) : configured(command)
        case 'ReplaceDebitRoutingDefaults':
          return exists ? configured(command) : reject({ code: 'CONFIGURATION_NOT_FOUND' })
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
  }),
}
