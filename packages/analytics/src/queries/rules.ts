import { GROUPS_PER_ANSWER_MAX } from '../limits.ts'
import type { DecisionCell } from '../rollups/decision-rollups.ts'
import type { RuleGroup } from '../rollups/minute-rollup.ts'
import { compareText, createGroups } from './groups.ts'

/** Collects the rules that took part in the decisions asked for. */
export interface RuleCollector {
  readonly add: (cell: DecisionCell) => void
  readonly hitCount: () => number
  /** Most frequent first. */
  readonly rules: () => readonly RuleGroup[]
  /** `truncated` when rules of some of the decisions are not known. Takes the hits of all decisions of the window. */
  readonly end: (all: { readonly ruleHitCount: number }) => 'complete' | 'truncated'
}

/** An empty {@link RuleCollector}. */
export const createRuleCollector = (): RuleCollector => {
  const groups = createGroups<RuleGroup>(GROUPS_PER_ANSWER_MAX)
  let hitCount = 0
  let isBlurred = false
  return {
    add: ({ ruleName, precision, count }) => {
      if (precision === 'coarse') isBlurred = true
      if (ruleName === null) return
      hitCount += count
      groups.update([ruleName], (known) => ({ ruleName, count: count + (known?.count ?? 0) }))
    },
    hitCount: () => hitCount,
    rules: () => groups.values().sort((a, b) => b.count - a.count || compareText(a.ruleName, b.ruleName)),
    // Where all hits are in cells that name their rule, those without a name hide none.
    end: ({ ruleHitCount }) => (groups.isCut() || (isBlurred && hitCount < ruleHitCount) ? 'truncated' : 'complete'),
  }
}
