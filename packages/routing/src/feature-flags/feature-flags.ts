import type { ExperimentArmPromoted, ExperimentOverrides, FeatureDisabled, FeatureEnabled } from '@switchyard/events'
import { accept, assertNever, type MerchantNotFound, ofMerchant, reject, type Slice } from '@switchyard/kernel'
import type { MerchantLife } from '../merchant-life.ts'

/** Slugs of the known features in the order in which they are listed (platform.md 7). */
export const FEATURES = [
  'gsm-scoring-filter',
  'explore-exploit-srv3',
  'ab-test-real-payments',
  'multi-objective-routing',
  'elimination',
  'auto-calibration',
  'autopilot',
] as const

/** A known feature. */
export type Feature = (typeof FEATURES)[number]

/** Switches one feature of a merchant; `feature` may be any text. */
export interface FeatureFlagsCommand {
  readonly type: 'EnableFeature' | 'DisableFeature'
  readonly merchantId: string
  readonly feature: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** What the features of a merchant follow from. */
export type FeatureFlagsEvent = MerchantLife | FeatureEnabled | FeatureDisabled | ExperimentArmPromoted

interface UnknownFeature {
  readonly code: 'UNKNOWN_FEATURE'
  readonly feature: string
}

/** Why a feature is not switched. */
export type FeatureFlagsRejection = UnknownFeature | MerchantNotFound

/** Features that are on; all others are off. */
export interface FeatureFlags {
  readonly registered: boolean
  readonly enabled: readonly string[]
}

/** One line of the list of features. */
export interface FeatureState {
  readonly feature: Feature
  readonly enabled: boolean
}

const isFeature = (text: string): text is Feature => FEATURES.some((feature) => feature === text)

/** Whether the merchant has switched this feature on. */
export const hasFeature = (state: FeatureFlags, feature: Feature): boolean => state.enabled.includes(feature)

/** Every known feature with its state, in fixed order. */
export const featureList = (state: FeatureFlags): readonly FeatureState[] =>
  FEATURES.map((feature) => ({ feature, enabled: hasFeature(state, feature) }))

const initialState: FeatureFlags = { registered: false, enabled: [] }

const switched = (state: FeatureFlags, feature: string, isOn: boolean): FeatureFlags => {
  if (state.enabled.includes(feature) === isOn) return state
  return { ...state, enabled: isOn ? [...state.enabled, feature] : state.enabled.filter((other) => other !== feature) }
}

/** What an arm did without the flags becomes theirs when it goes live. */
const withArm = (state: FeatureFlags, overrides: ExperimentOverrides | null): FeatureFlags => {
  const { multiObjective = null, useAutopilot = null } = overrides ?? {}
  const costs = multiObjective === null ? state : switched(state, 'multi-objective-routing', multiObjective)
  return useAutopilot === false ? switched(costs, 'autopilot', false) : costs
}

/** Feature flags of one merchant. Toggles are independent and idempotent (platform.md 7). */
export const featureFlags: Slice<FeatureFlagsCommand, FeatureFlags, FeatureFlagsEvent, FeatureFlagsRejection> = {
  name: 'feature-flags',
  version: 2,
  folds: ['MerchantRegistered', 'MerchantClosed', 'FeatureEnabled', 'FeatureDisabled', 'ExperimentArmPromoted'],
  conflicts: 'commute',
  ...ofMerchant<FeatureFlagsCommand, FeatureFlags, FeatureEnabled | FeatureDisabled | ExperimentArmPromoted, UnknownFeature>({
    initialState,

    decide: ({ type, merchantId, feature, at }, state) => {
      if (!isFeature(feature)) return reject({ code: 'UNKNOWN_FEATURE', feature })
      const data = { merchantId, feature, at }
      switch (type) {
        case 'EnableFeature':
          return hasFeature(state, feature) ? accept() : accept({ type: 'FeatureEnabled', data })
        case 'DisableFeature':
          return hasFeature(state, feature) ? accept({ type: 'FeatureDisabled', data }) : accept()
        default:
          return assertNever(type)
      }
    },

    evolve: (state, event) => {
      switch (event.type) {
        case 'FeatureEnabled':
          return switched(state, event.data.feature, true)
        case 'FeatureDisabled':
          return switched(state, event.data.feature, false)
        case 'ExperimentArmPromoted':
          return withArm(state, event.data.overrides)
        default:
          return assertNever(event)
      }
    },
  }),
}
