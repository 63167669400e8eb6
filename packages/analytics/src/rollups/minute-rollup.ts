import type { Draft } from '@switchyard/kernel'
import type { Route } from '../flows.ts'

/** Decisions by chosen gateway and label. */
export interface DecisionGroup {
  readonly gateway: string
  readonly approach: string
  readonly count: number
}

/** Calls that failed alike. */
export interface ErrorGroup {
  readonly route: Route
  readonly errorCode: string
  readonly errorMessage: string
  readonly count: number
  /** Epoch milliseconds. */
  readonly lastSeenMs: number
}

/** Decisions that a rule took part in. */
export interface RuleGroup {
  readonly ruleName: string
  readonly count: number
}

/** Reports of smart retries by gateway. */
export interface RetryGroup {
  readonly gateway: string
  readonly retried: number
  readonly recovered: number
}

/** Failures of a gateway that the deployment's error-code table calls worth a retry. */
export interface TriggerGroup {
  readonly gateway: string
  /** Standardised code of that table; null where it names none. */
  readonly errorCode: string | null
  readonly count: number
}

/** Outcomes reported of one gateway; repeats of a report count once. */
export interface OutcomeGroup {
  readonly gateway: string
  readonly approved: number
  readonly declined: number
  readonly pending: number
}

/** One minute of a merchant in figures; minutes add up to every longer span. */
export interface MinuteRollup {
  readonly merchantId: string
  /** Start, epoch milliseconds. */
  readonly minuteMs: number
  readonly decisionCount: number
  readonly decisionErrorCount: number
  readonly outcomeCount: number
  readonly outcomeErrorCount: number
  readonly evaluationCount: number
  readonly evaluationErrorCount: number
  readonly ruleHitCount: number
  /** Outcomes that moved a window. */
  readonly scoreCount: number
  readonly approvedCount: number
  readonly declinedCount: number
  readonly pendingCount: number
  readonly retriedCount: number
  readonly recoveredCount: number
  readonly decisions: readonly DecisionGroup[]
  readonly errors: readonly ErrorGroup[]
  readonly rules: readonly RuleGroup[]
  readonly retries: readonly RetryGroup[]
  /** Absent in minutes of earlier releases until they are rebuilt. */
  readonly outcomes?: readonly OutcomeGroup[]
  /** Absent for none, and in minutes of earlier releases until they are rebuilt. */
  readonly triggers?: readonly TriggerGroup[]
  /** Failures worth a retry that are in no group; absent for none. */
  readonly lostTriggerCount?: number
  /** Members that found their list full: they are in the counts above and in no group. */
  readonly ungroupedDecisionCount: number
  readonly ungroupedErrorCount: number
  readonly ungroupedRuleCount: number
  readonly ungroupedRetryCount: number
}

/** Figures of a minute that simply add up. */
export type CountName = {
  [Name in keyof MinuteRollup]-?: MinuteRollup[Name] extends number ? (Name extends 'minuteMs' ? never : Name) : never
}[keyof MinuteRollup]

/** Every figure at its beginning. */
export const NO_COUNTS: Readonly<Record<CountName, number>> = {
  decisionCount: 0,
  decisionErrorCount: 0,
  outcomeCount: 0,
  outcomeErrorCount: 0,
  evaluationCount: 0,
  evaluationErrorCount: 0,
  ruleHitCount: 0,
  scoreCount: 0,
  approvedCount: 0,
  declinedCount: 0,
  pendingCount: 0,
  retriedCount: 0,
  recoveredCount: 0,
  ungroupedDecisionCount: 0,
  ungroupedErrorCount: 0,
  ungroupedRuleCount: 0,
  ungroupedRetryCount: 0,
}

/** A period before its first event. */
export const emptyMinute = (merchantId: string, minuteMs: number): Draft<MinuteRollup> => ({
  merchantId,
  minuteMs,
  ...NO_COUNTS,
  decisions: [],
  errors: [],
  rules: [],
  retries: [],
})

const copiesOf = <Group extends object>(groups: readonly Group[]): Group[] => groups.map((group) => ({ ...group }))

/** A period that shares nothing with the one given. */
export const copyOf = ({ outcomes, triggers, ...view }: MinuteRollup): Draft<MinuteRollup> => ({
  ...view,
  decisions: copiesOf(view.decisions),
  errors: copiesOf(view.errors),
  rules: copiesOf(view.rules),
  retries: copiesOf(view.retries),
  ...(outcomes && { outcomes: copiesOf(outcomes) }),
  ...(triggers && { triggers: copiesOf(triggers) }),
})
