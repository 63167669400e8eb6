import type { ReadStore } from '@switchyard/kernel'
import { SERIES_POINTS_MAX } from '../limits.ts'
import type { RuleGroup } from '../rollups/minute-rollup.ts'
import { isFiltered } from './cells.ts'
import { scanDecisions } from './decision-cells.ts'
import type { DecisionQuery } from './decisions.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from './freshness.ts'
import { compareText, createGroups, endOf } from './groups.ts'
import { scanMinutes, type TotalledMinutes } from './minutes.ts'
import { createRuleCollector, type RuleCollector } from './rules.ts'
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

/** Rules of the decisions asked for; those of all decisions are counted whole by the minute, whatever kinds there are. */
const askedRules = (
  query: DecisionQuery,
  narrowed: RuleCollector,
  { totals, end }: TotalledMinutes,
): { readonly rules: readonly RuleGroup[]; readonly ends: readonly ('complete' | 'truncated')[] } => {
  const { routingApproach, excludeRoutingApproach } = query
  const isNarrowed = isFiltered(query) || routingApproach !== undefined || excludeRoutingApproach !== undefined
  return isNarrowed
    ? { rules: narrowed.rules(), ends: [narrowed.end(totals.counts)] }
    : { rules: totals.rules, ends: [end, totals.cut.has('rules') ? 'truncated' : 'complete'] }
}

/**
 * Shares of gateways, rules, scores, and the values that can be filtered by (analytics.md 2.4). Filters narrow everything but
 * those values; labels are of decisions, so they don't narrow the scores.
 */
export const readRoutingStats = async (store: ReadStore, now: number, merchantId: string, query: DecisionQuery): Promise<RoutingStats> => {
  const window = resolveWindow(query.window, now)
  const positions: IncludedPositions = new Map()
  const shares = createGroups<SharePoint>(SERIES_POINTS_MAX)
  const rules = createRuleCollector()
  const decisions = await scanDecisions(store, { ...query, merchantId, window }, positions, (cell, minuteMs) => {
    const bucketMs = bucketOf(minuteMs, window.bucketMs)
    const { gateway, count } = cell
    shares.update([bucketMs, gateway], (known) => ({ bucketMs, gateway, count: count + (known?.count ?? 0) }))
    rules.add(cell)
  })
  const counted = await scanMinutes(store, merchantId, window, positions)
  const asked = askedRules(query, rules, counted)
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
    topRules: asked.rules.slice(0, TOP_RULES_LENGTH),
    scores: series.points(),
    vocabulary: vocabulary.values(),
    freshness: freshnessOf(now, { positions, ends: [decisions, scores, endOf(shares), ...asked.ends, series.end(), vocabulary.end()] }),
  }
}
