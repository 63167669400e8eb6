import type { ReadStore } from '@switchyard/kernel'
import { GROUPS_PER_ANSWER_MAX, SERIES_POINTS_MAX } from '../limits.ts'
import type { RuleGroup } from '../rollups/minute-rollup.ts'
import { scanDecisions } from './decision-cells.ts'
import type { DecisionQuery } from './decisions.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from './freshness.ts'
import { compareText, createGroups, endOf } from './groups.ts'
import type { IncludedPositions } from './scan.ts'
import { createSeriesCollector, type ScorePoint, scanScores } from './scores.ts'
import { createVocabulary, type Vocabulary } from './vocabulary.ts'
import { bucketOf, resolveWindow } from './window.ts'

/** Entries of the list of rules. */
const TOP_RULES_LENGTH = 10

/** Decisions of a gateway within one span of time. */
interface SharePoint {
  readonly bucketMs: number
  readonly gateway: string
  readonly count: number
}

/** How payments were routed, and how the gateways did. */
export interface RoutingStats {
  readonly merchantId: string
  readonly window: AnsweredWindow
  /** Width of a point of the series, milliseconds. */
  readonly bucketMs: number
  /** Oldest first, then by gateway. */
  readonly shares: readonly SharePoint[]
  readonly topRules: readonly RuleGroup[]
  readonly scores: readonly ScorePoint[]
  readonly vocabulary: Vocabulary
  readonly freshness: Freshness
}

/**
 * Shares of gateways, rules, scores, and the values that can be filtered by (analytics.md 2.4). Filters narrow everything but
 * those values; labels are of decisions, so they don't narrow the scores.
 */
export const readRoutingStats = async (store: ReadStore, now: number, merchantId: string, query: DecisionQuery): Promise<RoutingStats> => {
  const window = resolveWindow(query.window, now)
  const positions: IncludedPositions = new Map()
  const shares = createGroups<SharePoint>(SERIES_POINTS_MAX)
  const rules = createGroups<RuleGroup>(GROUPS_PER_ANSWER_MAX)
  const decisions = await scanDecisions(store, { ...query, merchantId, window }, positions, ({ gateway, ruleName, count }, minuteMs) => {
    const bucketMs = bucketOf(minuteMs, window.bucketMs)
    shares.update([bucketMs, gateway], (known) => ({ bucketMs, gateway, count: count + (known?.count ?? 0) }))
    if (ruleName !== null) rules.update([ruleName], (known) => ({ ruleName, count: count + (known?.count ?? 0) }))
  })
  const series = createSeriesCollector(window.bucketMs)
  const vocabulary = createVocabulary()
  const scores = await scanScores(store, { ...query, merchantId, window }, positions, (cell, minuteMs, isAsked) => {
    vocabulary.add(cell)
    if (isAsked) series.add(cell, minuteMs)
  })
  return {
    merchantId,
    window: answeredWindow(window),
    bucketMs: window.bucketMs,
    shares: shares.values().sort((a, b) => a.bucketMs - b.bucketMs || compareText(a.gateway, b.gateway)),
    topRules: rules
      .values()
      .sort((a, b) => b.count - a.count || compareText(a.ruleName, b.ruleName))
      .slice(0, TOP_RULES_LENGTH),
    scores: series.points(),
    vocabulary: vocabulary.values(),
    freshness: freshnessOf(now, { positions, ends: [decisions, scores, endOf(shares), endOf(rules), series.end(), vocabulary.end()] }),
  }
}
