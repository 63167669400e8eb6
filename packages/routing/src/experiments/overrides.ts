import type { EliminationKnobs, ExperimentOverrides, ScoringKnobs, SuccessRateSettings } from '@switchyard/events'
import { writtenByPeople } from '../scoring-settings/machine-written.ts'

/** The success-rate settings that an arm reads. */
export const settingsOf = (settings: SuccessRateSettings | null, overrides: ExperimentOverrides | null): SuccessRateSettings | null =>
  settings !== null && overrides?.useAutopilot === false ? writtenByPeople(settings) : settings

/** The knobs under the overrides of an arm, which come before every row and default (analytics.md 6.3). */
export const scoringKnobsOf = (knobs: ScoringKnobs, overrides: ExperimentOverrides | null): ScoringKnobs => {
  const hedgingPercent = overrides?.hedgingPercent ?? null
  if (hedgingPercent === null) return knobs
  const sources = knobs.sources && ({ ...knobs.sources, hedgingPercent: 'EXPERIMENT' } as const)
  return { ...knobs, hedgingPercent, sources }
}

/** The settings of elimination under the overrides of an arm. */
export const eliminationOf = (elimination: EliminationKnobs, overrides: ExperimentOverrides | null): EliminationKnobs => {
  const threshold = overrides?.eliminationThreshold ?? null
  return threshold === null ? elimination : { ...elimination, threshold }
}
