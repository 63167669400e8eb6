import type { GatewayDecided, OutcomeRecorded } from '@switchyard/events'
import { assertNever, type DocumentKey, type DocumentProjection } from '@switchyard/kernel'
import type { Route } from '../flows.ts'
import { addPeriod, DAY_MS, endedBy, HOUR_MS, MINUTE_MS, merchantOf, periodOf } from '../keys.ts'
import { GROUPS_PER_MINUTE_MAX, MESSAGE_LENGTH_MAX } from '../limits.ts'
import { type OutcomeClass, outcomeClassOf } from '../outcome-status.ts'
import { type OutcomeEffect, outcomesOf, ownEffectOf, type RecordedPayment } from '../recorded-payment.ts'

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

interface Grouped<Group> {
  readonly groups: readonly Group[]
  readonly overflow: number
}

/** The groups with one more member; a new group is made only while there is room. */
const counted = <Group>(groups: readonly Group[], index: number, group: (known: Group | undefined) => Group): Grouped<Group> => {
  if (index >= 0) return { groups: groups.with(index, group(groups[index])), overflow: 0 }
  return groups.length < GROUPS_PER_MINUTE_MAX ? { groups: [...groups, group(undefined)], overflow: 0 } : { groups, overflow: 1 }
}

const withRuleHit = (view: MinuteRollup, ruleName: string): MinuteRollup => {
  const index = view.rules.findIndex((group) => group.ruleName === ruleName)
  const rules = counted(view.rules, index, (known) => ({ ruleName, count: (known?.count ?? 0) + 1 }))
  const ungroupedRuleCount = view.ungroupedRuleCount + rules.overflow
  return { ...view, ruleHitCount: view.ruleHitCount + 1, rules: rules.groups, ungroupedRuleCount }
}

const withDecision = (view: MinuteRollup, { gateway, approach, priorityLogicTag }: GatewayDecided['data']): MinuteRollup => {
  const index = view.decisions.findIndex((group) => group.gateway === gateway && group.approach === approach)
  const decisions = counted(view.decisions, index, (known) => ({ gateway, approach, count: (known?.count ?? 0) + 1 }))
  const next = {
    ...view,
    decisionCount: view.decisionCount + 1,
    decisions: decisions.groups,
    ungroupedDecisionCount: view.ungroupedDecisionCount + decisions.overflow,
  }
  return priorityLogicTag === null ? next : withRuleHit(next, priorityLogicTag)
}

interface Refusal {
  readonly at: number
  readonly errorCode: string
  readonly errorMessage: string
}

const withError = (view: MinuteRollup, route: Route, refusal: Refusal): MinuteRollup => {
  const { errorCode, at } = refusal
  const errorMessage = refusal.errorMessage.slice(0, MESSAGE_LENGTH_MAX)
  const index = view.errors.findIndex((g) => g.route === route && g.errorCode === errorCode && g.errorMessage === errorMessage)
  const errors = counted(view.errors, index, (known) => ({
    route,
    errorCode,
    errorMessage,
    count: (known?.count ?? 0) + 1,
    lastSeenMs: Math.max(known?.lastSeenMs ?? 0, at),
  }))
  return { ...view, errors: errors.groups, ungroupedErrorCount: view.ungroupedErrorCount + errors.overflow }
}

const withRetry = (view: MinuteRollup, gateway: string, recovered: number): MinuteRollup => {
  const index = view.retries.findIndex((group) => group.gateway === gateway)
  const retries = counted(view.retries, index, (known) => ({
    gateway,
    retried: (known?.retried ?? 0) + 1,
    recovered: (known?.recovered ?? 0) + recovered,
  }))
  return {
    ...view,
    retriedCount: view.retriedCount + 1,
    recoveredCount: view.recoveredCount + recovered,
    retries: retries.groups,
    ungroupedRetryCount: view.ungroupedRetryCount + retries.overflow,
  }
}

const COUNT_OF: Readonly<Record<OutcomeClass, 'approvedCount' | 'declinedCount' | 'pendingCount'>> = {
  approved: 'approvedCount',
  declined: 'declinedCount',
  pending: 'pendingCount',
}

/** An outcome whose gateway finds the list full is in the counts of the minute alone. */
const withGatewayOutcome = (view: MinuteRollup, gateway: string, outcome: OutcomeClass): MinuteRollup => {
  const known = view.outcomes ?? []
  const index = known.findIndex((group) => group.gateway === gateway)
  const { groups } = counted(known, index, (group) => {
    const { approved = 0, declined = 0, pending = 0 } = group ?? {}
    const counts = { approved, declined, pending }
    return { gateway, ...counts, [outcome]: counts[outcome] + 1 }
  })
  return { ...view, outcomes: groups }
}

/** The table's decision for errors that another attempt may get by. */
const WORTH_A_RETRY = 'retry'

/** A failure that finds the list full is in the counts of the minute alone. */
const withTrigger = (view: MinuteRollup, { gateway, errorClass }: OutcomeRecorded['data']): MinuteRollup => {
  if (errorClass?.decision !== WORTH_A_RETRY) return view
  const errorCode = errorClass.standardisedCode
  const known = view.triggers ?? []
  const index = known.findIndex((group) => group.gateway === gateway && group.errorCode === errorCode)
  const { groups } = counted(known, index, (group) => ({ gateway, errorCode, count: (group?.count ?? 0) + 1 }))
  return { ...view, triggers: groups }
}

/** A repeat of a report that was made before is a call, but neither an attempt nor a result. */
const withOutcome = (view: MinuteRollup, data: OutcomeRecorded['data'], effect: OutcomeEffect | undefined): MinuteRollup => {
  const called = { ...view, outcomeCount: view.outcomeCount + 1 }
  if (effect?.disposition === 'repeated') return called
  const outcome = data.enforceFailure ? 'declined' : outcomeClassOf(data.status, data.statusClass)
  const count = COUNT_OF[outcome]
  const reported = withGatewayOutcome({ ...called, [count]: view[count] + 1 }, data.gateway, outcome)
  const next = outcome === 'declined' ? withTrigger(reported, data) : reported
  return data.smartRetry === true ? withRetry(next, data.gateway, outcome === 'approved' ? 1 : 0) : next
}

const emptyMinute = (merchantId: string, minuteMs: number): MinuteRollup => ({
  merchantId,
  minuteMs,
  ...NO_COUNTS,
  decisions: [],
  errors: [],
  rules: [],
  retries: [],
})

const withEvent = (view: MinuteRollup, record: RecordedPayment): MinuteRollup => {
  const { event } = record
  switch (event.type) {
    case 'GatewayDecided':
      return withDecision(view, event.data)
    case 'OutcomeRecorded':
      return withOutcome(view, event.data, ownEffectOf(record))
    case 'RuleEvaluated':
      return { ...view, evaluationCount: view.evaluationCount + 1 }
    case 'DecisionRefused':
      return withError({ ...view, decisionErrorCount: view.decisionErrorCount + 1 }, 'decide_gateway', event.data)
    case 'OutcomeRefused':
      return withError({ ...view, outcomeErrorCount: view.outcomeErrorCount + 1 }, 'update_gateway_score', event.data)
    case 'RuleEvaluationRefused':
      return withError({ ...view, evaluationErrorCount: view.evaluationErrorCount + 1 }, 'routing_evaluate', event.data)
    case 'GatewayScoresReset':
      // What stands in this minute is of an earlier merchant of the id; whole minutes before it are left out by the reads.
      return event.data.cause === 'REGISTERED_AGAIN' ? emptyMinute(view.merchantId, view.minuteMs) : view
    case 'ApiKeysUsed':
      return view
    default:
      return assertNever(event)
  }
}

const countsBy = (name: string, widthMs: number): DocumentProjection<MinuteRollup, RecordedPayment> => ({
  name,
  endedBy,

  keysOf: (record) => {
    const { type, data } = record.event
    const keys: DocumentKey[] = []
    if (type === 'ApiKeysUsed') return keys
    addPeriod(keys, data.merchantId, periodOf(data.at, widthMs))
    for (const { score, at } of outcomesOf(record)) if (score !== null) addPeriod(keys, data.merchantId, periodOf(at, widthMs))
    return keys
  },

  initialView: (key) => emptyMinute(merchantOf(key), Number(key[1])),

  project: (view, record, key) => {
    const period = Number(key[1])
    const isIn = (at: number): boolean => at >= period && at < period + widthMs
    const next = isIn(record.event.data.at) ? withEvent(view, record) : view
    let scoreCount = 0
    for (const { score, at } of outcomesOf(record)) if (score !== null && isIn(at)) scoreCount += 1
    return scoreCount === 0 ? next : { ...next, scoreCount: next.scoreCount + scoreCount }
  },
})

/** Counts by minute: the headline figures, and what the lists of the overview add up (analytics.md 2.1). */
export const minuteRollups: DocumentProjection<MinuteRollup, RecordedPayment> = countsBy('minute-rollups-v1', MINUTE_MS)

/** The same by the hour. */
export const hourRollups: DocumentProjection<MinuteRollup, RecordedPayment> = countsBy('hour-rollups-v1', HOUR_MS)
/** The same by the day (UTC). */
export const dayRollups: DocumentProjection<MinuteRollup, RecordedPayment> = countsBy('day-rollups-v1', DAY_MS)
