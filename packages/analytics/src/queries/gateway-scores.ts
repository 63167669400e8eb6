import type { ReadStore } from '@switchyard/kernel'
import type { PaymentScope } from './cells.ts'
import { type AnsweredWindow, answeredWindow, type Freshness, freshnessOf } from './freshness.ts'
import type { IncludedPositions } from './scan.ts'
import { createSeriesCollector, createSnapshotCollector, type ScorePoint, type ScoreSnapshot, scanScores } from './scores.ts'
import { resolveWindow, type WindowQuery } from './window.ts'

/** A question about scores or headline figures. */
export interface ScoreQuery extends PaymentScope {
  readonly window: WindowQuery
}

/** Newest scores and their course. */
export interface GatewayScores {
  readonly merchantId: string
  readonly window: AnsweredWindow
  /** Width of a point of the series, milliseconds. */
  readonly bucketMs: number
  readonly snapshots: readonly ScoreSnapshot[]
  readonly series: readonly ScorePoint[]
  readonly freshness: Freshness
}

/** Scores of a window (analytics.md 2.2). */
export const readGatewayScores = async (store: ReadStore, now: number, merchantId: string, query: ScoreQuery): Promise<GatewayScores> => {
  const window = resolveWindow(query.window, now)
  const positions: IncludedPositions = new Map()
  const snapshots = createSnapshotCollector()
  const series = createSeriesCollector(window.bucketMs)
  const scanned = await scanScores(store, { ...query, merchantId, window }, positions, (cell, minuteMs, isAsked) => {
    if (!isAsked) return
    snapshots.add(cell)
    series.add(cell, minuteMs)
  })
  return {
    merchantId,
    window: answeredWindow(window),
    bucketMs: window.bucketMs,
    snapshots: snapshots.snapshots(),
    series: series.points(),
    freshness: freshnessOf(now, { positions, ends: [scanned, snapshots.end(), series.end()] }),
  }
}
