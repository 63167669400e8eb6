import type { ReadStore } from '@switchyard/kernel'
import type { CountName, DecisionGroup, ErrorGroup, OutcomeGroup, RetryGroup, RuleGroup, TriggerGroup } from '../rollups/minute-rollup.ts'
import { isFiltered } from './cells.ts'
import type { DecisionScope } from './decision-cells.ts'
import { countCells, countDecisions } from './decision-counts.ts'
import { createAskedErrors, scanErrorMinutes } from './error-minutes.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from './freshness.ts'
import type { ScoreQuery } from './gateway-scores.ts'
import { scanMinutes } from './minutes.ts'
import { createRuleCollector } from './rules.ts'
import type { IncludedPositions } from './scan.ts'
import { createSnapshotCollector, type ScoreSnapshot, scanScores } from './scores.ts'
import type { ListName, RollupTotals } from './totals.ts'
import { resolveWindow } from './window.ts'

/** Entries of each top list of the overview. */
const TOP_LIST_LENGTH = 5

/** Entries of the list of smart retries. */
const RETRY_LIST_LENGTH = 20

/** Headline figures of a merchant. */
export interface Overview {
  readonly merchantId: string
  readonly window: AnsweredWindow
  readonly counts: Readonly<Record<CountName, number>>
  /** Of the payments asked for; the same as in the counts when all are. */
  readonly narrowed: Pick<RollupTotals['counts'], 'decisionCount' | 'ruleHitCount' | 'scoreCount'>
  /** Calls that failed, of every kind. */
  readonly errorCount: number
  readonly topScores: readonly ScoreSnapshot[]
  readonly topErrors: readonly ErrorGroup[]
  readonly topRules: readonly RuleGroup[]
  readonly retries: readonly RetryGroup[]
  /** Failures that the error-code table calls worth a retry. */
  readonly triggers: readonly TriggerGroup[]
  /** Reports by gateway; a merchant with more than 50 gateways in a minute, an hour or a day finds the rest in the counts alone. */
  readonly gatewayOutcomes: readonly OutcomeGroup[]
  readonly freshness: Freshness
}

interface Reached {
  readonly positions: IncludedPositions
  readonly ends: ('complete' | 'truncated')[]
}

interface DecidedFigures extends Pick<RollupTotals['counts'], 'decisionCount' | 'ruleHitCount'> {
  readonly rules: readonly RuleGroup[]
}

/** Adds decisions up, and the rules of cells. */
const createDecidedSum = () => {
  const rules = createRuleCollector()
  let decisionCount = 0
  return {
    rules,
    decisionCount: () => decisionCount,
    addCell: rules.add,
    add: ({ count }: DecisionGroup): void => {
      decisionCount += count
    },
  }
}

/** Decisions and rules of the payments asked for; `counts` are those of all payments. */
const decidedFigures = async (
  store: ReadStore,
  scope: DecisionScope,
  counts: RollupTotals['counts'],
  reach: Reached,
): Promise<DecidedFigures> => {
  const reading = { store, scope, positions: reach.positions, create: createDecidedSum }
  const cells = await countCells(reading)
  const { sum } = await countDecisions(reading, cells)
  const { rules } = cells.sum
  reach.ends.push(cells.end, rules.end(counts))
  return { decisionCount: sum.decisionCount(), ruleHitCount: rules.hitCount(), rules: rules.rules() }
}

/** Calls that failed and were about the payments asked for. */
const askedErrors = async (store: ReadStore, scope: DecisionScope, reach: Reached): Promise<readonly ErrorGroup[]> => {
  const errors = createAskedErrors({ ...scope, route: undefined, errorCode: undefined })
  const end = await scanErrorMinutes(store, scope, reach.positions, errors.add)
  reach.ends.push(end, errors.end())
  return errors.groups()
}

/** Lists of which there is no other source, and those that are shown as long as nothing is filtered. */
const OWN_LISTS: readonly ListName[] = ['retries', 'triggers', 'outcomes']
const UNFILTERED_LISTS: readonly ListName[] = ['errors', 'rules', ...OWN_LISTS]

const listsEnd = (query: ScoreQuery, { cut }: RollupTotals): 'complete' | 'truncated' =>
  (isFiltered(query) ? OWN_LISTS : UNFILTERED_LISTS).some((name) => cut.has(name)) ? 'truncated' : 'complete'

/**
 * Headline counters and top lists (analytics.md 2.1). Filters narrow decisions, rules, scores and the list of errors. Counts of
 * calls, reports and retries are of all payments.
 */
export const readOverview = async (store: ReadStore, now: number, merchantId: string, query: ScoreQuery): Promise<Overview> => {
  const window = resolveWindow(query.window, now)
  const reach: Reached = { positions: new Map(), ends: [] }
  const { totals, end } = await scanMinutes(store, { merchantId, window }, reach.positions)
  const snapshots = createSnapshotCollector()
  const scope = { ...query, merchantId, window, routingApproach: undefined, excludeRoutingApproach: undefined }
  let scoreCount = 0
  const scanned = await scanScores(store, scope, reach.positions, (cell, _, isAsked) => {
    if (!isAsked) return
    scoreCount += cell.scoreCount
    snapshots.add(cell)
  })
  const { counts } = totals
  const narrowed = isFiltered(query)
    ? { ...(await decidedFigures(store, scope, counts, reach)), scoreCount }
    : { ...counts, rules: totals.rules }
  const errors = isFiltered(query) ? await askedErrors(store, scope, reach) : totals.errors
  return {
    merchantId,
    window: answeredWindow(window),
    counts,
    narrowed: { decisionCount: narrowed.decisionCount, ruleHitCount: narrowed.ruleHitCount, scoreCount: narrowed.scoreCount },
    errorCount: counts.decisionErrorCount + counts.outcomeErrorCount + counts.evaluationErrorCount,
    topScores: snapshots.snapshots().slice(0, TOP_LIST_LENGTH),
    topErrors: errors.slice(0, TOP_LIST_LENGTH),
    topRules: narrowed.rules.slice(0, TOP_LIST_LENGTH),
    retries: totals.retries.slice(0, RETRY_LIST_LENGTH),
    triggers: totals.triggers.slice(0, RETRY_LIST_LENGTH),
    gatewayOutcomes: totals.outcomes,
    freshness: freshnessOf(now, {
      positions: reach.positions,
      ends: [end, listsEnd(query, totals), scanned, snapshots.end(), ...reach.ends],
    }),
  }
}
