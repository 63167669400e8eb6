import type { ReadStore } from '@switchyard/kernel'
import { MINUTES_PAGE_DOCUMENTS, MINUTES_SCANNED_MAX } from '../limits.ts'
import type { CountName, ErrorGroup, MinuteRollup, OutcomeGroup, RetryGroup, RuleGroup } from '../rollups/minute-rollups.ts'
import { minuteRollups } from '../rollups/minute-rollups.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from './freshness.ts'
import type { ScoreQuery } from './gateway-scores.ts'
import { type IncludedPositions, include, scan } from './scan.ts'
import { createSnapshotCollector, isFiltered, type ScoreSnapshot, scanScores } from './scores.ts'
import { createTotals, type RollupTotals } from './totals.ts'
import { resolveWindow, type Window } from './window.ts'

/** Entries of each top list of the overview. */
const TOP_LIST_LENGTH = 5

/** Entries of the list of smart retries. */
const RETRY_LIST_LENGTH = 20

/** Headline figures of a merchant. */
export interface Overview {
  readonly merchantId: string
  readonly window: AnsweredWindow
  readonly counts: Readonly<Record<CountName, number>>
  /** Calls that failed, of every kind. */
  readonly errorCount: number
  readonly topScores: readonly ScoreSnapshot[]
  readonly topErrors: readonly ErrorGroup[]
  readonly topRules: readonly RuleGroup[]
  readonly retries: readonly RetryGroup[]
  /** Reports by gateway; a merchant with more than 50 gateways in a minute finds the rest in the counts alone. */
  readonly gatewayOutcomes: readonly OutcomeGroup[]
  readonly freshness: Freshness
}

interface Totalled {
  readonly totals: RollupTotals
  readonly end: 'complete' | 'truncated'
}

const scanMinutes = async (store: ReadStore, merchantId: string, window: Window, positions: IncludedPositions): Promise<Totalled> => {
  const totals = createTotals()
  const range = {
    collection: minuteRollups.name,
    prefix: [merchantId],
    from: window.firstMinuteMs,
    to: window.lastMinuteMs,
    order: 'descending',
    documentsMax: MINUTES_SCANNED_MAX,
    pageDocuments: MINUTES_PAGE_DOCUMENTS,
  } as const
  const end = await scan<MinuteRollup>(
    store,
    range,
    ({ body }) => body.minuteMs,
    ({ body, position }) => {
      include(positions, position)
      totals.add(body)
    },
  )
  return { totals: totals.totals(), end }
}

/**
 * Headline counters and top lists (analytics.md 2.1). Filters narrow the scores; refused calls name neither dimension nor
 * gateway, so a filter leaves no errors. Counters are of all payments.
 */
export const readOverview = async (store: ReadStore, now: number, merchantId: string, query: ScoreQuery): Promise<Overview> => {
  const window = resolveWindow(query.window, now)
  const positions: IncludedPositions = new Map()
  const { totals, end } = await scanMinutes(store, merchantId, window, positions)
  const snapshots = createSnapshotCollector()
  const scanned = await scanScores(store, { ...query, merchantId, window }, positions, (cell) => snapshots.add(cell))
  const { counts } = totals
  return {
    merchantId,
    window: answeredWindow(window),
    counts,
    errorCount: counts.decisionErrorCount + counts.outcomeErrorCount + counts.evaluationErrorCount,
    topScores: snapshots.snapshots().slice(0, TOP_LIST_LENGTH),
    topErrors: isFiltered(query) ? [] : totals.errors.slice(0, TOP_LIST_LENGTH),
    topRules: totals.rules.slice(0, TOP_LIST_LENGTH),
    retries: totals.retries.slice(0, RETRY_LIST_LENGTH),
    gatewayOutcomes: totals.outcomes,
    freshness: freshnessOf(now, { positions, ends: [end, totals.end, scanned, snapshots.end()] }),
  }
}
