import type { DecisionExperiment } from '@switchyard/analytics'

const EXCLUSIONS: Readonly<Record<NonNullable<DecisionExperiment['exclusion']>, string>> = {
  ALGORITHM_MISSING: 'the algorithm of its arm is gone',
  ALGORITHM_FAILED: 'the algorithm of its arm could not be evaluated',
  NO_CANDIDATE: 'the algorithm of its arm names none of the candidates',
  UNKNOWN: 'for a reason of a later release',
}

/** Part of a payment in an experiment, as data; null without one. */
export const experimentPart = (experiment: DecisionExperiment | undefined): object | null =>
  experiment === undefined
    ? null
    : {
        id: experiment.experimentId,
        arm: experiment.arm.toLowerCase(),
        algorithm_id: experiment.algorithmId,
        overrides: experiment.overrides && {
          hedging_percent: experiment.overrides.hedgingPercent,
          elimination_threshold: experiment.overrides.eliminationThreshold,
          enable_multi_objective: experiment.overrides.multiObjective,
          margin: experiment.overrides.margin,
          use_autopilot: experiment.overrides.useAutopilot,
        },
        excluded: experiment.exclusion?.toLowerCase() ?? null,
      }

/** The same in words; nothing without an experiment. */
export const experimentInWords = (experiment: DecisionExperiment | undefined): readonly string[] => {
  if (experiment === undefined) return []
  const { experimentId, arm, algorithmId, exclusion } = experiment
  const by = algorithmId === null ? 'success rates' : `the algorithm ${algorithmId}`
  return exclusion === null
    ? [`It counts in the experiment ${experimentId}: its arm, ${arm.toLowerCase()}, routes by ${by}.`]
    : [`It was left out of the experiment ${experimentId} and routed as without it: ${EXCLUSIONS[exclusion]}.`]
}
