import type {
  ExperimentArmPromoted,
  ExperimentOverrides,
  FeatureDisabled,
  FeatureEnabled,
  ScoringCalibrated,
  SuccessRateScoringConfigured,
  SuccessRateScoringRemoved,
  SuccessRateSettings,
} from '@switchyard/events'
import { accept, assertNever, type Decision, type MerchantNotFound, ofMerchant, reject, type Slice } from '@switchyard/kernel'
import type { MerchantLife } from '../merchant-life.ts'
import { type CalibrateScoring, calibrate, type Tuning } from '../tuning/calibrate.ts'
import { autopilotEntryCount, forgedEntryIndex, isByPeople } from './machine-written.ts'
import { withPromoted } from './promoted-settings.ts'
import { type SettingOutOfRange, successRateProblem } from './setting-ranges.ts'

/** Changes the success-rate settings as a whole; times in epoch milliseconds. */
export type SuccessRateScoringCommand =
  | {
      readonly type: 'CreateSuccessRateScoring' | 'ReplaceSuccessRateScoring'
      readonly merchantId: string
      readonly settings: SuccessRateSettings
      readonly at: number
    }
  | CalibrateScoring
  | { readonly type: 'RemoveSuccessRateScoring' | 'DropAutopilotEntries'; readonly merchantId: string; readonly at: number }

type OwnEvent = SuccessRateScoringConfigured | SuccessRateScoringRemoved | ScoringCalibrated

/** What the success-rate settings of a merchant follow from. */
export type SuccessRateScoringEvent = MerchantLife | OwnEvent | FeatureEnabled | FeatureDisabled | ExperimentArmPromoted

/** Why settings are not changed: creating needs that there are none, replacing and removing that there are; a reserved source is that of a machine. */
export type SuccessRateScoringRejection =
  | MerchantNotFound
  | { readonly code: 'CONFIGURATION_EXISTS' }
  | { readonly code: 'CONFIGURATION_NOT_FOUND' }
  | { readonly code: 'SOURCE_RESERVED'; readonly field: string }
  | SettingOutOfRange

/** Settings of one merchant; null when none are stored. */
export interface SuccessRateScoring {
  readonly registered: boolean
  readonly settings: SuccessRateSettings | null
  readonly tuning: Tuning
}

type OwnRejection = Exclude<SuccessRateScoringRejection, MerchantNotFound>

const initialState: SuccessRateScoring = {
  registered: false,
  settings: null,
  tuning: { isOn: false, mayWrite: false, intervalStartAt: 0 },
}

const configure = (
  { merchantId, settings, at }: Extract<SuccessRateScoringCommand, { readonly settings: SuccessRateSettings }>,
  stored: SuccessRateSettings | null,
): Decision<SuccessRateScoringConfigured, OwnRejection> => {
  const problem = successRateProblem(settings)
  if (problem) return reject(problem)
  const forged = forgedEntryIndex(settings, stored)
  if (forged >= 0) return reject({ code: 'SOURCE_RESERVED', field: `subLevelInputConfig[${forged}].source` })
  return accept({ type: 'SuccessRateScoringConfigured', data: { merchantId, settings, at } })
}

/** What the self-tuning job wrote goes, what people wrote stays (decide.md 10); nothing happens when there is none. */
const dropAutopilotEntries = (
  { merchantId, at }: SuccessRateScoringCommand,
  stored: SuccessRateSettings | null,
): Decision<SuccessRateScoringConfigured, OwnRejection> => {
  if (stored === null || autopilotEntryCount(stored) === 0) return accept()
  const subLevelInputConfig = (stored.subLevelInputConfig ?? []).filter(isByPeople)
  return accept({ type: 'SuccessRateScoringConfigured', data: { merchantId, settings: { ...stored, subLevelInputConfig }, at } })
}

const withFlag = (tuning: Tuning, feature: string, enabled: boolean): Tuning => {
  if (feature === 'auto-calibration') return { ...tuning, isOn: enabled }
  return feature === 'autopilot' ? { ...tuning, mayWrite: enabled } : tuning
}

/** What a run wrote counts only while it may write: the flag may have gone since it was decided. */
const withRun = (state: SuccessRateScoring, { settings, intervalStartAt }: ScoringCalibrated['data']): SuccessRateScoring => ({
  ...state,
  settings: settings !== null && state.tuning.mayWrite ? settings : state.settings,
  tuning: { ...state.tuning, intervalStartAt },
})

const withArm = (state: SuccessRateScoring, overrides: ExperimentOverrides | null): SuccessRateScoring =>
  overrides === null
    ? state
    : {
        ...state,
        settings: withPromoted(state.settings, overrides),
        tuning: overrides.useAutopilot === false ? { ...state.tuning, mayWrite: false } : state.tuning,
      }

/** Success-rate scoring settings of one merchant (platform.md 8), written by people and by the self-tuning (analytics.md 7). */
export const successRateScoring: Slice<
  SuccessRateScoringCommand,
  SuccessRateScoring,
  SuccessRateScoringEvent,
  SuccessRateScoringRejection
> = {
  name: 'success-rate-scoring',
  version: 4,
  folds: [
    'MerchantRegistered',
    'MerchantClosed',
    'SuccessRateScoringConfigured',
    'SuccessRateScoringRemoved',
    'ScoringCalibrated',
    'FeatureEnabled',
    'FeatureDisabled',
    'ExperimentArmPromoted',
  ],
  conflicts: 'by-version',
  ...ofMerchant<
    SuccessRateScoringCommand,
    SuccessRateScoring,
    OwnEvent | FeatureEnabled | FeatureDisabled | ExperimentArmPromoted,
    OwnRejection
  >({
    initialState,

    decide: (command, state) => {
      const { settings } = state
      const { merchantId, at } = command
      switch (command.type) {
        case 'CreateSuccessRateScoring':
          return settings === null ? configure(command, settings) : reject({ code: 'CONFIGURATION_EXISTS' })
        case 'ReplaceSuccessRateScoring':
          return settings === null ? reject({ code: 'CONFIGURATION_NOT_FOUND' }) : configure(command, settings)
        case 'RemoveSuccessRateScoring':
          return settings === null
            ? reject({ code: 'CONFIGURATION_NOT_FOUND' })
            : accept({ type: 'SuccessRateScoringRemoved', data: { merchantId, at } })
        case 'DropAutopilotEntries':
          return dropAutopilotEntries(command, settings)
        case 'CalibrateScoring':
          return accept(...calibrate(command, state))
        default:
          return assertNever(command)
      }
    },

    evolve: (state, event) => {
      switch (event.type) {
        case 'SuccessRateScoringConfigured':
          return { ...state, settings: event.data.settings }
        case 'SuccessRateScoringRemoved':
          return { ...state, settings: null }
        case 'ScoringCalibrated':
          return withRun(state, event.data)
        case 'ExperimentArmPromoted':
          return withArm(state, event.data.overrides)
        case 'FeatureEnabled':
        case 'FeatureDisabled':
          return { ...state, tuning: withFlag(state.tuning, event.data.feature, event.type === 'FeatureEnabled') }
        default:
          return assertNever(event)
      }
    },
  }),
}
