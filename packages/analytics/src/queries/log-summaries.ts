import type { ReadStore } from '@switchyard/kernel'
import { type Route, routeOf } from '../flows.ts'
import { ERROR_MINUTES_PAGE_DOCUMENTS, ERROR_MINUTES_SCANNED_MAX } from '../limits.ts'
import { type ErrorMinute, type ErrorSample, errorSamples } from '../rollups/error-samples.ts'
import type { ErrorGroup } from '../rollups/minute-rollups.ts'
import { isFiltered } from './cells.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from './freshness.ts'
import type { ScoreQuery } from './gateway-scores.ts'
import { scanMinutes } from './minutes.ts'
import { type IncludedPositions, include, scan } from './scan.ts'
import { resolveWindow, type Window } from './window.ts'

/** Entries of the list of errors. */
const ERROR_LIST_LENGTH = 10

/** A question about calls that failed; undefined asks for nothing. */
export interface ErrorQuery extends ScoreQuery {
  readonly route: string | undefined
  readonly errorCode: string | undefined
  /** From 1. */
  readonly page: number
  readonly pageSize: number
}

/** Calls that failed: how often, and one by one. */
export interface LogSummaries {
  readonly merchantId: string
  readonly window: AnsweredWindow
  /** All of them, also those that are in no group. */
  readonly errorCount: number
  /** Most frequent first. */
  readonly errors: readonly ErrorGroup[]
  /** Newest first. */
  readonly samples: readonly ErrorSample[]
  /** Calls that can be paged through: each minute keeps its newest. */
  readonly sampleCount: number
  readonly freshness: Freshness
}

type Asked = Pick<ErrorQuery, 'route' | 'errorCode'>

const isAsked = (error: { readonly route: Route; readonly errorCode: string | null }, { route, errorCode }: Asked): boolean =>
  (route === undefined || error.route === route) && (errorCode === undefined || error.errorCode === errorCode)

interface Sampled {
  readonly samples: readonly ErrorSample[]
  readonly sampleCount: number
  readonly end: 'complete' | 'truncated'
}

interface Search {
  readonly merchantId: string
  readonly window: Window
  readonly query: ErrorQuery
}

const scanSamples = async (store: ReadStore, { merchantId, window, query }: Search, positions: IncludedPositions): Promise<Sampled> => {
  const range = {
    collection: errorSamples.name,
    prefix: [merchantId],
    from: window.firstMinuteMs,
    to: window.lastMinuteMs,
    order: 'descending',
    documentsMax: ERROR_MINUTES_SCANNED_MAX,
    pageDocuments: ERROR_MINUTES_PAGE_DOCUMENTS,
  } as const
  const first = (query.page - 1) * query.pageSize
  const samples: ErrorSample[] = []
  let sampleCount = 0
  const end = await scan<ErrorMinute>(
    store,
    range,
    ({ body }) => body.minuteMs,
    ({ body, position }) => {
      include(positions, position)
      // The sort is stable: calls of one millisecond are in the order of the log, the newest first.
      for (const sample of body.samples.toReversed().sort((a, b) => b.at - a.at)) {
        if (!isAsked({ route: routeOf(sample.flow), errorCode: sample.errorCode }, query)) continue
        if (sampleCount >= first && samples.length < query.pageSize) samples.push(sample)
        sampleCount++
      }
    },
  )
  return { samples, sampleCount, end }
}

const NO_SAMPLES: Sampled = { samples: [], sampleCount: 0, end: 'complete' }

/**
 * Calls that failed (analytics.md 2.6). They name neither dimension nor gateway, so a filter by those leaves none; route and
 * error code narrow both lists and the count.
 */
export const readLogSummaries = async (store: ReadStore, now: number, merchantId: string, query: ErrorQuery): Promise<LogSummaries> => {
  const window = resolveWindow(query.window, now)
  const positions: IncludedPositions = new Map()
  const { totals, end } = await scanMinutes(store, merchantId, window, positions)
  const errors = isFiltered(query) ? [] : totals.errors.filter((error) => isAsked(error, query))
  const ungrouped = isFiltered(query) || query.route !== undefined || query.errorCode !== undefined ? 0 : totals.counts.ungroupedErrorCount
  const {
    samples,
    sampleCount,
    end: sampled,
  } = isFiltered(query) ? NO_SAMPLES : await scanSamples(store, { merchantId, window, query }, positions)
  return {
    merchantId,
    window: answeredWindow(window),
    errorCount: errors.reduce((sum, { count }) => sum + count, ungrouped),
    errors: errors.slice(0, ERROR_LIST_LENGTH),
    samples,
    sampleCount,
    freshness: freshnessOf(now, { positions, ends: [end, sampled] }),
  }
}
