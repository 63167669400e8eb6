import type { ReadStore } from '@switchyard/kernel'
import { routeOf } from '../flows.ts'
import type { ErrorSample } from '../rollups/error-samples.ts'
import type { ErrorGroup } from '../rollups/minute-rollup.ts'
import { isFiltered } from './cells.ts'
import { createAskedErrors, type ErrorScope, isAboutAsked, isErrorAsked, scanErrorMinutes } from './error-minutes.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from './freshness.ts'
import type { ScoreQuery } from './gateway-scores.ts'
import { scanMinutes } from './minutes.ts'
import type { IncludedPositions } from './scan.ts'
import { resolveWindow } from './window.ts'

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

/** Pages through samples from the newest on. */
const createPage = ({ page, pageSize }: ErrorQuery) => {
  const first = (page - 1) * pageSize
  const samples: ErrorSample[] = []
  let sampleCount = 0
  return {
    samples,
    sampleCount: () => sampleCount,
    take: (sample: ErrorSample): void => {
      if (sampleCount >= first && samples.length < pageSize) samples.push(sample)
      sampleCount++
    },
  }
}

/**
 * Calls that failed (analytics.md 2.6). Route and error code narrow them, and so does what they were about: refused decisions name
 * the payment's dimensions, refused reports the gateway, as far as they could be read.
 */
export const readLogSummaries = async (store: ReadStore, now: number, merchantId: string, query: ErrorQuery): Promise<LogSummaries> => {
  const window = resolveWindow(query.window, now)
  const positions: IncludedPositions = new Map()
  const page = createPage(query)
  const scope = { ...query, merchantId, window }
  const asked = createAskedErrors(scope)
  const sampled = await scanErrorMinutes(store, scope, positions, (minute) => {
    asked.add(minute)
    // The sort is stable: calls of one millisecond are in the order of the log, the newest first.
    for (const sample of minute.samples.toReversed().sort((a, b) => b.at - a.at)) {
      const { flow, errorCode } = sample
      if (isErrorAsked({ route: routeOf(flow), errorCode }, query) && isAboutAsked(sample, query)) page.take(sample)
    }
  })
  const counted = isFiltered(query)
    ? { errors: asked.groups(), ungrouped: 0, end: asked.end() }
    : await countedErrors(store, scope, positions)
  return {
    merchantId,
    window: answeredWindow(window),
    errorCount: counted.errors.reduce((sum, { count }) => sum + count, counted.ungrouped),
    errors: counted.errors.slice(0, ERROR_LIST_LENGTH),
    samples: page.samples,
    sampleCount: page.sampleCount(),
    freshness: freshnessOf(now, { positions, ends: [counted.end, sampled] }),
  }
}

/** All calls that failed, from the counts of all calls. */
const countedErrors = async (store: ReadStore, scope: ErrorScope, positions: IncludedPositions) => {
  const { totals, end } = await scanMinutes(store, scope, positions)
  const errors = totals.errors.filter((error) => isErrorAsked(error, scope))
  const isNarrowed = scope.route !== undefined || scope.errorCode !== undefined
  const ungrouped = isNarrowed ? 0 : totals.counts.ungroupedErrorCount
  return { errors, ungrouped, end: totals.cut.has('errors') ? ('truncated' as const) : end }
}
