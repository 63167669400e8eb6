import type { ReadStore, StoredDocument } from '@switchyard/kernel'
import { GROUPS_PER_ANSWER_MAX, SCORE_MINUTES_PAGE_DOCUMENTS, SCORE_MINUTES_SCANNED_MAX, SERIES_POINTS_MAX } from '../limits.ts'
import { type ScoreCell, type ScoreRollup, scoreDays, scoreHours, scoreRollups } from '../rollups/score-rollups.ts'
import { matchOf, type PaymentScope } from './cells.ts'
import { compareText, createGroups, endOf } from './groups.ts'
import { scanPeriods } from './periods.ts'
import { type IncludedPositions, include } from './scan.ts'
import { bucketOf, type Window } from './window.ts'

/** Whose scores, when, and of which payments. */
export interface ScoreScope extends PaymentScope {
  readonly merchantId: string
  readonly window: Window
}

/** Newest score of a gateway for a payment method. */
export interface ScoreSnapshot {
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly gateway: string
  /** 0 to 1. */
  readonly score: number
  /** Real outcomes in the window behind it. */
  readonly sampleCount: number
  /** Successes of the span asked for that took longer than the merchant's limit. */
  readonly slowCount: number
  readonly lastAtMs: number
}

/** A snapshot and where its score stands in the log. */
interface PlacedSnapshot extends ScoreSnapshot {
  readonly lastOffset: number | undefined
}

/** Clusters of one window come in the order of the log, in which the window moved; cells of earlier releases know only clocks. */
const isNewer = (cell: ScoreCell, known: PlacedSnapshot): boolean =>
  cell.lastOffset !== undefined && known.lastOffset !== undefined ? cell.lastOffset > known.lastOffset : cell.lastAtMs > known.lastAtMs

/** Mean of the scores seen within one span of time. */
export interface ScorePoint {
  readonly bucketMs: number
  readonly paymentMethodType: string
  readonly paymentMethod: string
  readonly gateway: string
  /** Mean, 0 to 1. */
  readonly score: number
  /** Scores that the mean is of. */
  readonly scoreCount: number
}

const byScore = (a: ScoreSnapshot, b: ScoreSnapshot): number => b.score - a.score || b.lastAtMs - a.lastAtMs

const byTime = (a: ScorePoint, b: ScorePoint): number =>
  a.bucketMs - b.bucketMs ||
  compareText(a.gateway, b.gateway) ||
  compareText(a.paymentMethodType, b.paymentMethodType) ||
  compareText(a.paymentMethod, b.paymentMethod)

/** Collects snapshots, best score first. */
export interface SnapshotCollector {
  readonly add: (cell: ScoreCell) => void
  readonly snapshots: () => readonly ScoreSnapshot[]
  readonly end: () => 'complete' | 'truncated'
}

/** Newest score by method type, method and gateway (analytics.md 2.2). */
export const createSnapshotCollector = (): SnapshotCollector => {
  const groups = createGroups<PlacedSnapshot>(GROUPS_PER_ANSWER_MAX)
  return {
    add: (cell) => {
      const { paymentMethodType, paymentMethod, gateway, lastScore: score, lastSampleCount: sampleCount, lastAtMs, lastOffset } = cell
      groups.update([paymentMethodType, paymentMethod, gateway], (known) => {
        const slowCount = (known?.slowCount ?? 0) + (cell.slowCount ?? 0)
        if (known !== undefined && !isNewer(cell, known)) return { ...known, slowCount }
        return { paymentMethodType, paymentMethod, gateway, score, sampleCount, slowCount, lastAtMs, lastOffset }
      })
    },
    snapshots: () =>
      groups
        .values()
        .map(({ lastOffset: _, ...snapshot }) => snapshot)
        .sort(byScore),
    end: () => endOf(groups),
  }
}

/** Collects the points of a series. */
export interface SeriesCollector {
  readonly add: (cell: ScoreCell, minuteMs: number) => void
  readonly points: () => readonly ScorePoint[]
  readonly end: () => 'complete' | 'truncated'
}

interface Sum extends Omit<ScorePoint, 'score'> {
  readonly scoreSum: number
}

/** Mean score by time, method type, method and gateway; oldest first, then by gateway (analytics.md 2.2). */
export const createSeriesCollector = (bucketMs: number): SeriesCollector => {
  const groups = createGroups<Sum>(SERIES_POINTS_MAX)
  return {
    add: ({ paymentMethodType, paymentMethod, gateway, scoreSum, scoreCount }, minuteMs) => {
      const bucket = bucketOf(minuteMs, bucketMs)
      groups.update([bucket, paymentMethodType, paymentMethod, gateway], (known) => ({
        bucketMs: bucket,
        paymentMethodType,
        paymentMethod,
        gateway,
        scoreSum: (known?.scoreSum ?? 0) + scoreSum,
        scoreCount: (known?.scoreCount ?? 0) + scoreCount,
      }))
    },
    points: () =>
      groups
        .values()
        .map(({ scoreSum, ...point }) => ({ ...point, score: scoreSum / point.scoreCount }))
        .sort(byTime),
    end: () => endOf(groups),
  }
}

/**
 * Visits the score cells of a window, and says of each whether it is of the payments asked for. The end is
 * `truncated` also when a minute kept too little to tell.
 */
export const scanScores = async (
  store: ReadStore,
  scope: ScoreScope,
  positions: IncludedPositions,
  visit: (cell: ScoreCell, minuteMs: number, isAsked: boolean) => void,
): Promise<'complete' | 'truncated'> => {
  const { merchantId, window } = scope
  const collections = { minutes: scoreRollups.name, hours: scoreHours.name, days: scoreDays.name }
  const limits = { documentsMax: SCORE_MINUTES_SCANNED_MAX, pageDocuments: SCORE_MINUTES_PAGE_DOCUMENTS }
  let isBlurred = false
  const visitPeriod = ({ body, position }: StoredDocument<ScoreRollup>): void => {
    include(positions, position)
    if (body.lostCount > 0) isBlurred = true
    for (const cell of body.cells) {
      const match = matchOf(cell, scope)
      if (match === 'unknown') isBlurred = true
      visit(cell, body.minuteMs, match === 'matches')
    }
  }
  const isClear = ({ lostCount, cells }: ScoreRollup): boolean =>
    lostCount === 0 && !cells.some((cell) => matchOf(cell, scope) === 'unknown')
  const end = await scanPeriods(store, { collections, merchantId, window, ...limits }, visitPeriod, isClear)
  return isBlurred ? 'truncated' : end
}
