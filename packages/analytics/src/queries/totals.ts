import { GROUPS_PER_ANSWER_MAX } from '../limits.ts'
import {
  type CountName,
  type DecisionGroup,
  type ErrorGroup,
  type MinuteRollup,
  NO_COUNTS,
  type OutcomeGroup,
  type RetryGroup,
  type RuleGroup,
  type TriggerGroup,
} from '../rollups/minute-rollup.ts'
import { compareText, createGroups } from './groups.ts'

/** Minutes added up. */
export interface RollupTotals {
  readonly counts: Readonly<Record<CountName, number>>
  readonly decisions: readonly DecisionGroup[]
  readonly errors: readonly ErrorGroup[]
  readonly rules: readonly RuleGroup[]
  readonly retries: readonly RetryGroup[]
  readonly triggers: readonly TriggerGroup[]
  readonly outcomes: readonly OutcomeGroup[]
  /** Lists that lack groups: there were too many of them in one of the minutes, hours or days, or in all together. */
  readonly cut: ReadonlySet<ListName>
}

/** A list of groups. */
export type ListName = 'decisions' | 'errors' | 'rules' | 'retries' | 'triggers' | 'outcomes'

/** Adds minutes up, in any order. */
export interface TotalsCollector {
  readonly add: (minute: MinuteRollup) => void
  readonly totals: () => RollupTotals
}

const isCountName = (name: string): name is CountName => Object.hasOwn(NO_COUNTS, name)
const COUNT_NAMES: readonly CountName[] = Object.keys(NO_COUNTS).filter(isCountName)

const newLists = () => ({
  decisions: createGroups<DecisionGroup>(GROUPS_PER_ANSWER_MAX),
  errors: createGroups<ErrorGroup>(GROUPS_PER_ANSWER_MAX),
  rules: createGroups<RuleGroup>(GROUPS_PER_ANSWER_MAX),
  retries: createGroups<RetryGroup>(GROUPS_PER_ANSWER_MAX),
  triggers: createGroups<TriggerGroup>(GROUPS_PER_ANSWER_MAX),
  outcomes: createGroups<OutcomeGroup>(GROUPS_PER_ANSWER_MAX),
})

type Lists = ReturnType<typeof newLists>

const outcomesIn = (groups: readonly OutcomeGroup[]): number =>
  groups.reduce((sum, { approved, declined, pending }) => sum + approved + declined + pending, 0)

/** Whether a list of a period lacks members that its counts have. */
const LACKS: Readonly<Record<ListName, (period: MinuteRollup) => boolean>> = {
  decisions: ({ ungroupedDecisionCount }) => ungroupedDecisionCount > 0,
  errors: ({ ungroupedErrorCount }) => ungroupedErrorCount > 0,
  rules: ({ ungroupedRuleCount }) => ungroupedRuleCount > 0,
  retries: ({ ungroupedRetryCount }) => ungroupedRetryCount > 0,
  triggers: ({ lostTriggerCount = 0 }) => lostTriggerCount > 0,
  outcomes: ({ outcomes = [], approvedCount, declinedCount, pendingCount }) =>
    outcomesIn(outcomes) < approvedCount + declinedCount + pendingCount,
}

const LIST_NAMES: readonly ListName[] = ['decisions', 'errors', 'rules', 'retries', 'triggers', 'outcomes']

const addGroups = ({ decisions, errors, rules, retries, triggers, outcomes }: Lists, minute: MinuteRollup): void => {
  for (const group of minute.decisions) {
    decisions.update([group.gateway, group.approach], (known) => ({ ...group, count: group.count + (known?.count ?? 0) }))
  }
  for (const group of minute.errors) {
    errors.update([group.route, group.errorCode, group.errorMessage], (known) => ({
      ...group,
      count: group.count + (known?.count ?? 0),
      lastSeenMs: Math.max(group.lastSeenMs, known?.lastSeenMs ?? 0),
    }))
  }
  for (const group of minute.rules) {
    rules.update([group.ruleName], (known) => ({ ...group, count: group.count + (known?.count ?? 0) }))
  }
  for (const group of minute.retries) {
    retries.update([group.gateway], (known) => ({
      ...group,
      retried: group.retried + (known?.retried ?? 0),
      recovered: group.recovered + (known?.recovered ?? 0),
    }))
  }
  for (const group of minute.triggers ?? []) {
    triggers.update([group.gateway, group.errorCode], (known) => ({ ...group, count: group.count + (known?.count ?? 0) }))
  }
  for (const group of minute.outcomes ?? []) {
    outcomes.update([group.gateway], (known) => ({
      ...group,
      approved: group.approved + (known?.approved ?? 0),
      declined: group.declined + (known?.declined ?? 0),
      pending: group.pending + (known?.pending ?? 0),
    }))
  }
}

const byCount = (a: { readonly count: number }, b: { readonly count: number }): number => b.count - a.count

/** Lists come ordered: most frequent first, then as analytics.md 2.1 says of each. */
const ordered = ({ decisions, errors, rules, retries, triggers, outcomes }: Lists): Omit<RollupTotals, 'counts' | 'cut'> => ({
  decisions: decisions.values().sort((a, b) => byCount(a, b) || compareText(a.gateway, b.gateway) || compareText(a.approach, b.approach)),
  errors: errors.values().sort((a, b) => byCount(a, b) || b.lastSeenMs - a.lastSeenMs || compareText(a.errorCode, b.errorCode)),
  rules: rules.values().sort((a, b) => byCount(a, b) || compareText(a.ruleName, b.ruleName)),
  retries: retries.values().sort((a, b) => b.retried - a.retried || compareText(a.gateway, b.gateway)),
  triggers: triggers.values().sort((a, b) => byCount(a, b) || compareText(a.gateway, b.gateway) || compareText(a.errorCode, b.errorCode)),
  outcomes: outcomes.values().sort((a, b) => compareText(a.gateway, b.gateway)),
})

/** Empty totals. */
export const createTotals = (): TotalsCollector => {
  const counts = { ...NO_COUNTS }
  const lists = newLists()
  const lacking = new Set<ListName>()
  return {
    add: (minute) => {
      for (const name of LIST_NAMES) if (LACKS[name](minute)) lacking.add(name)
      for (const name of COUNT_NAMES) counts[name] += minute[name]
      addGroups(lists, minute)
    },
    totals: () => ({
      counts: { ...counts },
      ...ordered(lists),
      cut: new Set(LIST_NAMES.filter((name) => lacking.has(name) || lists[name].isCut())),
    }),
  }
}
