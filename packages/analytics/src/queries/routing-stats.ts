import type { ReadStore } from '@switchyard/kernel'
import { SERIES_POINTS_MAX } from '../limits.ts'
import type { DecisionGroup, RuleGroup } from '../rollups/minute-rollup.ts'
import { isFiltered } from './cells.ts'
import type { DecisionScope } from './decision-cells.ts'
import { countCells, countDecisions } from './decision-counts.ts'
import type { DecisionQuery } from './decisions.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from './freshness.ts'
import { compareText, createGroups, endOf } from './groups.ts'
import { scanMinutes } from './minutes.ts'
import { createRuleCollector } from './rules.ts'
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

/** Adds decisions up by gateway, and the rules of cells. */
const createShareSum = (bucketWidthMs: number) => {
  const shares = createGroups<SharePoint>(SERIES_POINTS_MAX)
  const rules = createRuleCollector()
  return {
    shares,
    rules,
    addCell: rules.add,
    add: ({ gateway, count }: DecisionGroup, periodMs: number): void => {
      const bucketMs = bucketOf(periodMs, bucketWidthMs)
      shares.update([bucketMs, gateway], (known) => ({ bucketMs, gateway, count: count + (known?.count ?? 0) }))
    },
  }
}

interface Routed {
  readonly shares: readonly SharePoint[]
  readonly rules: readonly RuleGroup[]
  readonly ends: readonly ('complete' | 'truncated')[]
}

/** Shares and rules of the decisions asked for; rules of all decisions are counted whole by the minute, whatever kinds there are. */
const readRouted = async (store: ReadStore, scope: DecisionScope, positions: IncludedPositions): Promise<Routed> => {
  const { window, routingApproach, excludeRoutingApproach } = scope
  const isNarrowed = isFiltered(scope) || routingApproach !== undefined || excludeRoutingApproach !== undefined
  const reading = { store, scope, positions, create: () => createShareSum(window.bucketMs) }
  const cells = isNarrowed ? await countCells(reading) : undefined
  const { sum, end, ...read } = await countDecisions(reading, cells)
  const counted = read.counted ?? (await scanMinutes(store, scope, positions))
  const { totals } = counted
  return {
    shares: sum.shares.values().sort((a, b) => a.bucketMs - b.bucketMs || compareText(a.gateway, b.gateway)),
    rules: cells === undefined ? totals.rules : cells.sum.rules.rules(),
    ends: [
      end,
      endOf(sum.shares),
      ...(cells === undefined
        ? [counted.end, totals.cut.has('rules') ? ('truncated' as const) : ('complete' as const)]
        : [cells.end, cells.sum.rules.end(totals.counts)]),
    ],
  }
}

/**
 * Shares of gateways, rules, scores, and the values that can be filtered by (analytics.md 2.4). Filters narrow everything but
 * those values; labels are of decisions, so they don't narrow the scores.
 */
export const readRoutingStats = async (store: ReadStore, now: number, merchantId: string, query: DecisionQuery): Promise<RoutingStats> => {
  const window = resolveWindow(query.window, now)
  const positions: IncludedPositions = new Map()
  const scope = { ...query, merchantId, window }
  const routed = await readRouted(store, scope, positions)
  const series = createSeriesCollector(window.bucketMs)
  const vocabulary = createVocabulary()
  const scores = await scanScores(store, scope, positions, (cell, minuteMs, isAsked) => {
    vocabulary.add(cell)
    if (isAsked) series.add(cell, minuteMs)
  })
  return {
    merchantId,
    window: answeredWindow(window),
    bucketMs: window.bucketMs,
    shares: routed.shares,
    topRules: routed.rules.slice(0, TOP_RULES_LENGTH),
    scores: series.points(),
    vocabulary: vocabulary.values(),
    freshness: freshnessOf(now, { positions, ends: [scores, ...routed.ends, series.end(), vocabulary.end()] }),
  }
}
