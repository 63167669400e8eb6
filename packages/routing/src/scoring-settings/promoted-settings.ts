import type { ExperimentOverrides, SuccessRateSettings } from '@switchyard/events'
import { writtenByPeople } from './machine-written.ts'

/** Settings that settle nothing. */
export const NO_SETTINGS: SuccessRateSettings = {
  defaultLatencyThresholdSeconds: null,
  defaultBucketSize: null,
  defaultHedgingPercent: null,
  defaultLowerResetFactor: null,
  defaultUpperResetFactor: null,
  defaultGatewayExtraScore: null,
  subLevelInputConfig: null,
  margin: null,
}

/**
 * A merchant's settings when an arm goes live for good: what came before every row and default in the experiment now stands in
 * their place (analytics.md 6.3), and an arm that passed over the rows of the self-tuning leaves none.
 */
export const withPromoted = (
  settings: SuccessRateSettings | null,
  { hedgingPercent, margin, useAutopilot }: ExperimentOverrides,
): SuccessRateSettings | null => {
  // A margin of 0 is none: the arm reckoned with the merchant's.
  const isNothingSet = hedgingPercent === null && !margin
  if (isNothingSet) return useAutopilot === false && settings !== null ? writtenByPeople(settings) : settings
  const before = settings ?? NO_SETTINGS
  const kept = useAutopilot === false ? writtenByPeople(before) : before
  const hedged =
    hedgingPercent === null
      ? kept
      : {
          ...kept,
          defaultHedgingPercent: hedgingPercent,
          subLevelInputConfig: kept.subLevelInputConfig && kept.subLevelInputConfig.map((row) => ({ ...row, hedgingPercent: null })),
        }
  return { ...hedged, margin: margin || hedged.margin }
}
