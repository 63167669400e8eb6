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
} from '../rollups/minute-rollups.ts'
import { createGroups } from './groups.ts'

/** Minutes added up. */
export interface RollupTotals {
  readonly counts: Readonly<Record<CountName, number>>
  readonly decisions: readonly DecisionGroup[]
  readonly errors: readonly ErrorGroup[]
  readonly rules: readonly RuleGroup[]
  readonly retries: readonly RetryGroup[]
  readonly outcomes: readonly OutcomeGroup[]
  readonly end: 'complete' | 'truncated'
}

/** Adds minutes up, in any order. */
export interface TotalsCollector {
  readonly add: (minute: MinuteRollup) => void
  readonly totals: () => RollupTotals
}

const isCountName = (name: string): name is CountName => Object.hasOwn(NO_COUNTS, name)
const COUNT_NAMES: readonly CountName[] = Object.keys(NO_COUNTS).filter(isCountName)

const compareText = (a: string | null, b: string | null): number => ((a ?? '') < (b ?? '') ? -1 : (a ?? '') > (b ?? '') ? 1 : 0)

/** Empty totals. Lists come ordered: most frequent first, then as analytics.md 2.1 says of each. */
export const createTotals = (): TotalsCollector => {
  const counts = { ...NO_COUNTS }
  const decisions = createGroups<DecisionGroup>(GROUPS_PER_ANSWER_MAX)
  const errors = createGroups<ErrorGroup>(GROUPS_PER_ANSWER_MAX)
  const rules = createGroups<RuleGroup>(GROUPS_PER_ANSWER_MAX)
  const retries = createGroups<RetryGroup>(GROUPS_PER_ANSWER_MAX)
  const outcomes = createGroups<OutcomeGroup>(GROUPS_PER_ANSWER_MAX)

  const addGroups = (minute: MinuteRollup): void => {
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
    for (const group of minute.outcomes ?? []) {
      outcomes.update([group.gateway], (known) => ({
        ...group,
        approved: group.approved + (known?.approved ?? 0),
        declined: group.declined + (known?.declined ?? 0),
        pending: group.pending + (known?.pending ?? 0),
      }))
    }
  }

  const isCut = (): boolean => [decisions, errors, rules, retries, outcomes].some((groups) => groups.isCut())

  return {
    add: (minute) => {
      for (const name of COUNT_NAMES) counts[name] += minute[name]
      addGroups(minute)
    },
    totals: () => ({
      counts: { ...counts },
      decisions: decisions
        .values()
        .sort((a, b) => b.count - a.count || compareText(a.gateway, b.gateway) || compareText(a.approach, b.approach)),
      errors: errors.values().sort((a, b) => b.count - a.count || b.lastSeenMs - a.lastSeenMs || compareText(a.errorCode, b.errorCode)),
      rules: rules.values().sort((a, b) => b.count - a.count || compareText(a.ruleName, b.ruleName)),
      retries: retries.values().sort((a, b) => b.retried - a.retried || compareText(a.gateway, b.gateway)),
      outcomes: outcomes.values().sort((a, b) => compareText(a.gateway, b.gateway)),
      end: isCut() ? 'truncated' : 'complete',
    }),
  }
}
