import type { EliminationConfigured, EliminationRemoved, ExperimentArmPromoted, LatencyLimit } from '@switchyard/events'
import { accept, assertNever, type MerchantNotFound, ofMerchant, reject, type Slice } from '@switchyard/kernel'
import type { MerchantLife } from '../merchant-life.ts'
import { eliminationProblem, type SettingOutOfRange } from './setting-ranges.ts'

/** What a merchant configures of elimination. */
export interface Elimination {
  /** Success ratio, 0 to 1, below which a gateway is down. */
  readonly threshold: number
  readonly latency: LatencyLimit | null
}

/** Configuring overwrites what is stored; times in epoch milliseconds. */
export type EliminationCommand =
  | { readonly type: 'ConfigureElimination'; readonly merchantId: string; readonly settings: Elimination; readonly at: number }
  | { readonly type: 'RemoveElimination'; readonly merchantId: string; readonly at: number }

/** What the elimination settings of a merchant follow from. */
export type EliminationEvent = MerchantLife | EliminationConfigured | EliminationRemoved | ExperimentArmPromoted

/** Why elimination settings are not stored or removed. */
export type EliminationRejection = MerchantNotFound | { readonly code: 'CONFIGURATION_NOT_FOUND' } | SettingOutOfRange

/** Settings of one merchant; null when none are stored. */
export interface EliminationSettings {
  readonly registered: boolean
  readonly settings: Elimination | null
}

const initialState: EliminationSettings = { registered: false, settings: null }

/** Elimination settings of one merchant (platform.md 8.2). */
export const eliminationSettings: Slice<EliminationCommand, EliminationSettings, EliminationEvent, EliminationRejection> = {
  name: 'elimination-settings',
  version: 2,
  folds: ['MerchantRegistered', 'MerchantClosed', 'EliminationConfigured', 'EliminationRemoved', 'ExperimentArmPromoted'],
  conflicts: 'by-version',
  ...ofMerchant<
    EliminationCommand,
    EliminationSettings,
    EliminationConfigured | EliminationRemoved | ExperimentArmPromoted,
    Exclude<EliminationRejection, MerchantNotFound>
  >({
    initialState,

    decide: (command, { settings }) => {
      const { merchantId, at } = command
      switch (command.type) {
        case 'ConfigureElimination': {
          const { threshold, latency } = command.settings
          const problem = eliminationProblem(threshold, latency?.gatewayLatencyMs ?? null)
          return problem ? reject(problem) : accept({ type: 'EliminationConfigured', data: { merchantId, threshold, latency, at } })
        }
        case 'RemoveElimination':
          return settings === null
            ? reject({ code: 'CONFIGURATION_NOT_FOUND' })
            : accept({ type: 'EliminationRemoved', data: { merchantId, at } })
        default:
          return assertNever(command)
      }
    },

    evolve: (state, event) => {
      switch (event.type) {
        case 'EliminationConfigured':
          return { ...state, settings: { threshold: event.data.threshold, latency: event.data.latency } }
        case 'EliminationRemoved':
          return { ...state, settings: null }
        case 'ExperimentArmPromoted': {
          const threshold = event.data.overrides?.eliminationThreshold ?? null
          return threshold === null ? state : { ...state, settings: { threshold, latency: state.settings?.latency ?? null } }
        }
        default:
          return assertNever(event)
      }
    },
  }),
}
