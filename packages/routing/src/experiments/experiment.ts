import type { ExperimentOverrides } from '@switchyard/events'

/** Names success-rate routing where else the id of an algorithm stands (analytics.md 6.1). */
export const SUCCESS_RATE_ROUTING = 'sr_routing'

/** An arm that an experiment has. */
export type Arm = 'CONTROL' | 'VARIANT'

/** What an arm routes by. */
export interface ArmPlan {
  /** Id of an algorithm of the merchant, or {@link SUCCESS_RATE_ROUTING}. */
  readonly algorithmId: string
  /** Settings in place of the merchant's while the arm routes by success rates; null for none. */
  readonly overrides: ExperimentOverrides | null
}

/** Two ways of routing, compared on live payments (analytics.md 6). */
export interface Experiment {
  readonly control: ArmPlan
  readonly variant: ArmPlan
  /** Share of the payments that the variant gets, whole percent. */
  readonly variantSplitPercent: number
  /** Payments with an outcome, of both arms together, from which on there is a verdict. */
  readonly minSampleSize: number
  /** Loss of approvals that the variant may cause, percentage points. */
  readonly guardrailThresholdPp: number
  /** Whether the experiment ends itself when more than that is lost for certain. */
  readonly autoStop: boolean
}

/** Why an experiment is not live any more. */
export type ExperimentEnding = 'DEACTIVATED' | 'REPLACED' | 'GUARDRAIL' | 'PROMOTED'

/** When an experiment was live for the last time; times in epoch milliseconds. */
export interface ExperimentLife {
  /** Null of one that never was: an arm of it was promoted all the same, at its end. */
  readonly startedAt: number | null
  /** Null while it is live. */
  readonly endedAt: number | null
  readonly ending: ExperimentEnding | null
  /** The arm that went live afterwards; null when none was promoted. */
  readonly promotedArm: Arm | null
}

/** The plan of an arm. */
export const planOf = ({ control, variant }: Experiment, arm: Arm): ArmPlan => (arm === 'CONTROL' ? control : variant)

/** Whether payments fall into the same arms by the same split, whatever they are judged by. */
export const isArrangedAs = (one: Experiment, other: Experiment): boolean =>
  one.variantSplitPercent === other.variantSplitPercent &&
  JSON.stringify([one.control, one.variant]) === JSON.stringify([other.control, other.variant])

/** Whether an experiment compares this algorithm. */
export const refersTo = ({ control, variant }: Experiment, algorithmId: string): boolean =>
  control.algorithmId === algorithmId || variant.algorithmId === algorithmId
