import type { AlgorithmKind, ExperimentOverrides } from '@switchyard/events'
import { type ArmPlan, type Experiment, SUCCESS_RATE_ROUTING } from './experiment.ts'

/** Smallest and largest share of a variant, percent (analytics.md 6.1). */
const VARIANT_SPLIT_PERCENT: { readonly min: number; readonly max: number } = { min: 1, max: 49 }
/** Largest sample that can be asked for: 32 bits, as the interface has it. */
const MIN_SAMPLE_SIZE_MAX = 4_294_967_295

/** A part of an experiment that something is said about. */
export type ExperimentField =
  | 'controlAlgorithmId'
  | 'variantAlgorithmId'
  | 'variantSplitPercent'
  | 'minSampleSize'
  | 'guardrailThresholdPp'
  | 'controlOverrides'
  | 'variantOverrides'

/** Why an experiment can't be stored or started; `expected` is for people. */
export interface ExperimentProblem {
  readonly where: { readonly part: 'experiment'; readonly field: ExperimentField }
  readonly reason: 'EXPERIMENT_OUT_OF_RANGE' | 'ARM_NOT_FOUND' | 'ARM_IS_EXPERIMENT' | 'ARMS_ALIKE'
  readonly expected: string
}

/** What is known of an algorithm that an arm names. */
export type KindOfAlgorithm = (algorithmId: string) => AlgorithmKind | undefined

const problem = (field: ExperimentField, reason: ExperimentProblem['reason'], expected: string): ExperimentProblem => ({
  where: { part: 'experiment', field },
  reason,
  expected,
})

const isWithin = (value: number, min: number, max: number): boolean => value >= min && value <= max
const isOutside = (value: number | null, min: number, max: number): boolean => value !== null && !isWithin(value, min, max)

const rangeProblems = ({ variantSplitPercent, minSampleSize, guardrailThresholdPp }: Experiment): readonly ExperimentProblem[] => {
  const { min, max } = VARIANT_SPLIT_PERCENT
  const problems: ExperimentProblem[] = []
  const refuse = (field: ExperimentField, expected: string): void => {
    problems.push(problem(field, 'EXPERIMENT_OUT_OF_RANGE', expected))
  }
  if (!Number.isInteger(variantSplitPercent) || !isWithin(variantSplitPercent, min, max)) {
    refuse('variantSplitPercent', `must be a whole number from ${min} to ${max}`)
  }
  if (!Number.isInteger(minSampleSize) || !isWithin(minSampleSize, 1, MIN_SAMPLE_SIZE_MAX)) {
    refuse('minSampleSize', `must be a whole number from 1 to ${MIN_SAMPLE_SIZE_MAX}`)
  }
  if (!(guardrailThresholdPp > 0 && guardrailThresholdPp <= 100)) refuse('guardrailThresholdPp', 'must be above 0 and at most 100')
  return problems
}

const overrideProblems = (field: ExperimentField, overrides: ExperimentOverrides | null): readonly ExperimentProblem[] => {
  const { hedgingPercent = null, eliminationThreshold = null, margin = null } = overrides ?? {}
  const refuse = (expected: string): ExperimentProblem => problem(field, 'EXPERIMENT_OUT_OF_RANGE', expected)
  return [
    ...(isOutside(hedgingPercent, 0, 100) ? [refuse('hedging_percent must be from 0 to 100')] : []),
    ...(isOutside(eliminationThreshold, 0, 1) ? [refuse('elimination_threshold must be from 0 to 1')] : []),
    ...(isOutside(margin, 0, Number.MAX_VALUE) ? [refuse('margin must be from 0 up')] : []),
  ]
}

/** What keeps the algorithm of an arm from taking payments; nothing does of success rates. */
export const armProblems = (field: ExperimentField, { algorithmId }: ArmPlan, kindOf: KindOfAlgorithm): readonly ExperimentProblem[] => {
  if (algorithmId === SUCCESS_RATE_ROUTING) return []
  const kind = kindOf(algorithmId)
  if (kind === undefined) {
    return [
      problem(field, 'ARM_NOT_FOUND', `must be ${SUCCESS_RATE_ROUTING} or the id of an algorithm of this merchant for the same purpose`),
    ]
  }
  return kind === 'AB_TEST' ? [problem(field, 'ARM_IS_EXPERIMENT', 'must not be an experiment itself')] : []
}

/** Success-rate routing can be compared with itself under other settings. */
const areAlike = ({ control, variant }: Experiment): boolean =>
  control.algorithmId === variant.algorithmId &&
  (control.algorithmId !== SUCCESS_RATE_ROUTING || JSON.stringify(control.overrides) === JSON.stringify(variant.overrides))

/** Arms that can't be compared: the others of the merchant's algorithms may have changed since the experiment was stored. */
export const armsProblems = (experiment: Experiment, kindOf: KindOfAlgorithm): readonly ExperimentProblem[] => [
  ...armProblems('controlAlgorithmId', experiment.control, kindOf),
  ...armProblems('variantAlgorithmId', experiment.variant, kindOf),
  ...(areAlike(experiment) ? [problem('variantAlgorithmId', 'ARMS_ALIKE', 'must route otherwise than the control')] : []),
]

/** Everything that keeps an experiment from being stored (analytics.md 6.1 "Ours"); empty when it may be. */
export const experimentProblems = (experiment: Experiment, kindOf: KindOfAlgorithm): readonly ExperimentProblem[] => [
  ...armsProblems(experiment, kindOf),
  ...rangeProblems(experiment),
  ...overrideProblems('controlOverrides', experiment.control.overrides),
  ...overrideProblems('variantOverrides', experiment.variant.overrides),
]
