import type { GatewayDecided, OutcomeRecorded } from '@switchyard/events'
import { assertNever, beginningOf, type DocumentKey, type DocumentProjection, type Draft, foldedInPlace } from '@switchyard/kernel'
import type { Route } from '../flows.ts'
import { addPeriod, DAY_MS, endedBy, HOUR_MS, MINUTE_MS, merchantOf, periodOf } from '../keys.ts'
import { GROUPS_PER_MINUTE_MAX, MESSAGE_LENGTH_MAX } from '../limits.ts'
import { type OutcomeClass, reportedClassOf } from '../outcome-status.ts'
import { type OutcomeEffect, outcomesOf, ownEffectOf, type RecordedPayment } from '../recorded-payment.ts'
import { copyOf, emptyMinute, type MinuteRollup } from './minute-rollup.ts'

type Counts = Draft<MinuteRollup>

/** The group that is counted in, made while there is room for one more; undefined when the list is full. */
const groupIn = <Group>(groups: Group[], isIt: (group: Group) => boolean, create: () => Group): Group | undefined => {
  const known = groups.find(isIt)
  if (known !== undefined || groups.length >= GROUPS_PER_MINUTE_MAX) return known
  const added = create()
  groups.push(added)
  return added
}

const addRuleHit = (counts: Counts, ruleName: string): void => {
  counts.ruleHitCount += 1
  const group = groupIn(
    counts.rules,
    (known) => known.ruleName === ruleName,
    () => ({ ruleName, count: 0 }),
  )
  if (group === undefined) counts.ungroupedRuleCount += 1
  else group.count += 1
}

const addDecision = (counts: Counts, { gateway, approach, priorityLogicTag }: GatewayDecided['data']): void => {
  counts.decisionCount += 1
  const group = groupIn(
    counts.decisions,
    (known) => known.gateway === gateway && known.approach === approach,
    () => ({ gateway, approach, count: 0 }),
  )
  if (group === undefined) counts.ungroupedDecisionCount += 1
  else group.count += 1
  if (priorityLogicTag !== null) addRuleHit(counts, priorityLogicTag)
}

interface Refusal {
  readonly at: number
  readonly errorCode: string
  readonly errorMessage: string
}

const addError = (counts: Counts, route: Route, refusal: Refusal): void => {
  const { errorCode, at } = refusal
  const errorMessage = beginningOf(refusal.errorMessage, MESSAGE_LENGTH_MAX)
  const group = groupIn(
    counts.errors,
    (known) => known.route === route && known.errorCode === errorCode && known.errorMessage === errorMessage,
    () => ({ route, errorCode, errorMessage, count: 0, lastSeenMs: 0 }),
  )
  if (group === undefined) {
    counts.ungroupedErrorCount += 1
    return
  }
  group.count += 1
  group.lastSeenMs = Math.max(group.lastSeenMs, at)
}

const addRetry = (counts: Counts, gateway: string, recovered: number): void => {
  counts.retriedCount += 1
  counts.recoveredCount += recovered
  const group = groupIn(
    counts.retries,
    (known) => known.gateway === gateway,
    () => ({ gateway, retried: 0, recovered: 0 }),
  )
  if (group === undefined) {
    counts.ungroupedRetryCount += 1
    return
  }
  group.retried += 1
  group.recovered += recovered
}

const COUNT_OF: Readonly<Record<OutcomeClass, 'approvedCount' | 'declinedCount' | 'pendingCount'>> = {
  approved: 'approvedCount',
  declined: 'declinedCount',
  pending: 'pendingCount',
}

/** An outcome whose gateway finds the list full is in the counts of the minute alone. */
const addGatewayOutcome = (counts: Counts, gateway: string, outcome: OutcomeClass): void => {
  counts.outcomes ??= []
  const group = groupIn(
    counts.outcomes,
    (known) => known.gateway === gateway,
    () => ({ gateway, approved: 0, declined: 0, pending: 0 }),
  )
  if (group !== undefined) group[outcome] += 1
}

/** The table's decision for errors that another attempt may get by. */
const WORTH_A_RETRY = 'retry'

const addTrigger = (counts: Counts, { gateway, errorClass }: OutcomeRecorded['data']): void => {
  if (errorClass?.decision !== WORTH_A_RETRY) return
  const errorCode = errorClass.standardisedCode
  counts.triggers ??= []
  const group = groupIn(
    counts.triggers,
    (known) => known.gateway === gateway && known.errorCode === errorCode,
    () => ({ gateway, errorCode, count: 0 }),
  )
  if (group === undefined) counts.lostTriggerCount = (counts.lostTriggerCount ?? 0) + 1
  else group.count += 1
}

/** A repeat of a report that was made before is a call, but neither an attempt nor a result. */
const addOutcome = (counts: Counts, data: OutcomeRecorded['data'], effect: OutcomeEffect | undefined): void => {
  counts.outcomeCount += 1
  if (effect?.disposition === 'repeated') return
  const outcome = reportedClassOf(data)
  counts[COUNT_OF[outcome]] += 1
  addGatewayOutcome(counts, data.gateway, outcome)
  if (outcome === 'declined') addTrigger(counts, data)
  if (data.smartRetry === true) addRetry(counts, data.gateway, outcome === 'approved' ? 1 : 0)
}

/** The period after one of its events; undefined when the event is of no interest. */
const changed = (counts: Counts, record: RecordedPayment): Counts | undefined => {
  const { event } = record
  switch (event.type) {
    case 'GatewayDecided':
      addDecision(counts, event.data)
      return counts
    case 'OutcomeRecorded':
      addOutcome(counts, event.data, ownEffectOf(record))
      return counts
    case 'RuleEvaluated':
      counts.evaluationCount += 1
      return counts
    case 'DecisionRefused':
      counts.decisionErrorCount += 1
      addError(counts, 'decide_gateway', event.data)
      return counts
    case 'OutcomeRefused':
      counts.outcomeErrorCount += 1
      addError(counts, 'update_gateway_score', event.data)
      return counts
    case 'RuleEvaluationRefused':
      counts.evaluationErrorCount += 1
      addError(counts, 'routing_evaluate', event.data)
      return counts
    case 'GatewayScoresReset':
      // What stands in this minute is of an earlier merchant of the id; whole minutes before it are left out by the reads.
      return event.data.cause === 'REGISTERED_AGAIN' ? emptyMinute(counts.merchantId, counts.minuteMs) : undefined
    case 'ApiKeysUsed':
      return undefined
    default:
      return assertNever(event)
  }
}

const countsBy = (name: string, widthMs: number): DocumentProjection<MinuteRollup, RecordedPayment> =>
  foldedInPlace({
    name,
    endedBy,

    keysOf: (record) => {
      const { type, data } = record.event
      const keys: DocumentKey[] = []
      if (type !== 'ApiKeysUsed') addPeriod(keys, data.merchantId, periodOf(data.at, widthMs))
      for (const { score, at } of outcomesOf(record)) if (score !== null) addPeriod(keys, data.merchantId, periodOf(at, widthMs))
      return keys
    },

    initialView: (key) => emptyMinute(merchantOf(key), Number(key[1])),

    copyOf,

    change: (draft, record, key) => {
      const period = Number(key[1])
      const isIn = (at: number): boolean => at >= period && at < period + widthMs
      const next = isIn(record.event.data.at) ? changed(draft, record) : undefined
      let scoreCount = 0
      for (const { score, at } of outcomesOf(record)) if (score !== null && isIn(at)) scoreCount += 1
      if (scoreCount === 0) return next
      const scored = next ?? draft
      scored.scoreCount += scoreCount
      return scored
    },
  })

/** Counts by minute: the headline figures, and what the lists of the overview add up (analytics.md 2.1). */
export const minuteRollups: DocumentProjection<MinuteRollup, RecordedPayment> = countsBy('minute-rollups-v1', MINUTE_MS)

/** The same by the hour. */
export const hourRollups: DocumentProjection<MinuteRollup, RecordedPayment> = countsBy('hour-rollups-v1', HOUR_MS)
/** The same by the day (UTC). */
export const dayRollups: DocumentProjection<MinuteRollup, RecordedPayment> = countsBy('day-rollups-v1', DAY_MS)
