import type { ReadStore } from '@switchyard/kernel'
import { GROUPS_PER_ANSWER_MAX, SERIES_POINTS_MAX } from '../limits.ts'
import type { DecisionGroup } from '../rollups/minute-rollup.ts'
import { isFiltered } from './cells.ts'
import type { DecisionScope } from './decision-cells.ts'
import { countDecisions } from './decision-counts.ts'
import { createAskedErrors, scanErrorMinutes } from './error-minutes.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from './freshness.ts'
import type { ScoreQuery } from './gateway-scores.ts'
import { compareText, createGroups, endOf } from './groups.ts'
import { scanMinutes, type TotalledMinutes } from './minutes.ts'
import type { IncludedPositions } from './scan.ts'
import { bucketOf, resolveWindow } from './window.ts'

/** A question about decisions. */
export interface DecisionQuery extends ScoreQuery, Pick<DecisionScope, 'routingApproach' | 'excludeRoutingApproach'> {}

/** Decisions of one label. */
interface ApproachCount {
  readonly approach: string
  readonly count: number
}

/** Decisions by label over time. */
export interface Decisions {
  readonly merchantId: string
  readonly window: AnsweredWindow
  /** Width of a point of the series, milliseconds. */
  readonly bucketMs: number
  readonly decisionCount: number
  /** Requests for a decision that failed; null when gateways or labels are asked for: those that failed have none. */
  readonly errorCount: number | null
  /** Oldest first, then by label. */
  readonly series: readonly (ApproachCount & { readonly bucketMs: number })[]
  /** Most frequent first. */
  readonly approaches: readonly ApproachCount[]
  readonly freshness: Freshness
}

/** What decisions have and requests that failed have not. */
const isOfDecisions = ({ gateways, routingApproach, excludeRoutingApproach }: DecisionScope): boolean =>
  gateways.length > 0 || routingApproach !== undefined || excludeRoutingApproach !== undefined

interface FailedRequests {
  readonly count: number | null
  /** All decisions; undefined when only some are asked for. */
  readonly allDecisions?: number
  readonly end: 'complete' | 'truncated'
}

const failedRequests = async (
  store: ReadStore,
  scope: DecisionScope,
  positions: IncludedPositions,
  counted: TotalledMinutes | undefined,
): Promise<FailedRequests> => {
  if (isOfDecisions(scope)) return { count: null, end: 'complete' }
  if (!isFiltered(scope)) {
    const { totals, end } = counted ?? (await scanMinutes(store, scope, positions))
    return { count: totals.counts.decisionErrorCount, allDecisions: totals.counts.decisionCount, end }
  }
  const errors = createAskedErrors({ ...scope, route: 'decide_gateway', errorCode: undefined })
  const end = await scanErrorMinutes(store, scope, positions, errors.add)
  return { count: errors.groups().reduce((sum, { count }) => sum + count, 0), end: end === 'truncated' ? end : errors.end() }
}

/** Adds decisions up by label. */
const createLabelSum = (bucketWidthMs: number) => {
  const points = createGroups<Decisions['series'][number]>(SERIES_POINTS_MAX)
  const approaches = createGroups<ApproachCount>(GROUPS_PER_ANSWER_MAX)
  let decisionCount = 0
  return {
    points,
    approaches,
    decisionCount: () => decisionCount,
    add: ({ approach, count }: DecisionGroup, periodMs: number): void => {
      const bucketMs = bucketOf(periodMs, bucketWidthMs)
      decisionCount += count
      points.update([bucketMs, approach], (known) => ({ bucketMs, approach, count: count + (known?.count ?? 0) }))
      approaches.update([approach], (known) => ({ approach, count: count + (known?.count ?? 0) }))
    },
  }
}

/** Counts of decisions by label (analytics.md 2.3). Filters narrow every figure. */
export const readDecisions = async (store: ReadStore, now: number, merchantId: string, query: DecisionQuery): Promise<Decisions> => {
  const window = resolveWindow(query.window, now)
  const positions: IncludedPositions = new Map()
  const scope = { ...query, merchantId, window }
  const create = () => createLabelSum(window.bucketMs)
  const { sum, end, lostCount, counted } = await countDecisions({ store, scope, positions, create })
  const { points, approaches } = sum
  const failed = await failedRequests(store, scope, positions, counted)
  return {
    merchantId,
    window: answeredWindow(window),
    bucketMs: window.bucketMs,
    decisionCount: (lostCount > 0 ? failed.allDecisions : undefined) ?? sum.decisionCount(),
    errorCount: failed.count,
    series: points.values().sort((a, b) => a.bucketMs - b.bucketMs || compareText(a.approach, b.approach)),
    approaches: approaches.values().sort((a, b) => b.count - a.count || compareText(a.approach, b.approach)),
    freshness: freshnessOf(now, { positions, ends: [end, failed.end, endOf(points), endOf(approaches)] }),
  }
}
