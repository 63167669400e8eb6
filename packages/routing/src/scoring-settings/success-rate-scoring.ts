import type { SuccessRateScoringConfigured, SuccessRateScoringRemoved, SuccessRateSettings } from '@switchyard/events'
import { accept, assertNever, type Decision, type MerchantNotFound, ofMerchant, reject, type Slice } from '@switchyard/kernel'
import type { MerchantLife } from '../merchant-life.ts'
import { autopilotEntryCount, forgedEntryIndex, isByPeople } from './machine-written.ts'
import { type SettingOutOfRange, successRateProblem } from './setting-ranges.ts'

/** Changes the success-rate settings as a whole; times in epoch milliseconds. */
export type SuccessRateScoringCommand =
  | {
      readonly type: 'CreateSuccessRateScoring' | 'ReplaceSuccessRateScoring'
      readonly merchantId: string
      readonly settings: SuccessRateSettings
      readonly at: number
    }
  | { readonly type: 'RemoveSuccessRateScoring' | 'DropAutopilotEntries'; readonly merchantId: string; readonly at: number }

/** What the success-rate settings of a merchant follow from. */
export type SuccessRateScoringEvent = MerchantLife | SuccessRateScoringConfigured | SuccessRateScoringRemoved

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
}

type OwnRejection = Exclude<SuccessRateScoringRejection, MerchantNotFound>

const initialState: SuccessRateScoring = { registered: false, settings: null }

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

/** Success-rate scoring settings of one merchant (platform.md 8). */
export const successRateScoring: Slice<
  SuccessRateScoringCommand,
  SuccessRateScoring,
  SuccessRateScoringEvent,
  SuccessRateScoringRejection
> = {
  name: 'success-rate-scoring',
  version: 1,
  folds: ['MerchantRegistered', 'MerchantClosed', 'SuccessRateScoringConfigured', 'SuccessRateScoringRemoved'],
  conflicts: 'by-version',
  ...ofMerchant<SuccessRateScoringCommand, SuccessRateScoring, SuccessRateScoringConfigured | SuccessRateScoringRemoved, OwnRejection>({
    initialState,

    decide: (command, { settings }) => {
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
        default:
          return assertNever(event)
      }
    },
  }),
}
