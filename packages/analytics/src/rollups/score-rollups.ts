import { type DocumentKey, type DocumentProjection, type Draft, foldedInPlace } from '@switchyard/kernel'
import { addPeriod, DAY_MS, endedBy, HOUR_MS, MINUTE_MS, merchantOf, periodOf } from '../keys.ts'
import { COARSE_CELLS_PER_MINUTE_MAX, SCORE_CELLS_PER_MINUTE_MAX } from '../limits.ts'
import { isNewBeginning, type OutcomeEffect, outcomesOf, type PaymentDimensions, type RecordedPayment } from '../recorded-payment.ts'

/** What payments are told apart by in score reads. */
export type Cluster = Omit<PaymentDimensions, 'decidedAt' | 'currency' | 'window'> & { readonly currency: string | null }

/** Scores seen of one gateway for one cluster within a minute. */
export interface ScoreCell extends Cluster {
  readonly gateway: string
  /** Beyond the limit of cells: of all dimensions only method type and method are kept. */
  readonly precision: 'full' | 'coarse'
  /** Sum of the success rates seen, each 0 to 1. */
  readonly scoreSum: number
  readonly scoreCount: number
  readonly lastScore: number
  /** When the window came to it, epoch milliseconds; the report is older where it waited for its decision or was pending. */
  readonly lastAtMs: number
  /** Real outcomes in the window behind the last score. */
  readonly lastSampleCount: number
  /** Where the event that brought the last score stands in its partition of the log; absent in cells of earlier releases. */
  readonly lastOffset?: number
  /** Successes that took longer than the merchant's limit; absent for none, and in cells of earlier releases. */
  readonly slowCount?: number
}

/** One minute of a merchant in scores; a span of time is one ordered range of these. */
export interface ScoreRollup {
  readonly merchantId: string
  /** Start, epoch milliseconds. */
  readonly minuteMs: number
  readonly cells: readonly ScoreCell[]
  /** Scores that are in a coarse cell because the minute had too many clusters. */
  readonly coarseCount: number
  /** Scores that are in no cell. */
  readonly lostCount: number
}

type Score = NonNullable<OutcomeEffect['score']>

type ScoredEffect = OutcomeEffect & { readonly score: Score; readonly payment: PaymentDimensions }

const isScored = (effect: OutcomeEffect): effect is ScoredEffect => effect.score !== null && effect.payment !== null

const isSameMethod = (cell: ScoreCell, gateway: string, payment: PaymentDimensions): boolean =>
  cell.gateway === gateway && cell.paymentMethod === payment.paymentMethod && cell.paymentMethodType === payment.paymentMethodType

const isSameCluster = (cell: ScoreCell, payment: PaymentDimensions): boolean =>
  cell.cardNetwork === payment.cardNetwork &&
  cell.cardIsIn === payment.cardIsIn &&
  cell.currency === payment.currency &&
  cell.country === payment.country &&
  cell.authType === payment.authType

const FULL = { precision: 'full' } as const
const COARSE = { precision: 'coarse', cardNetwork: null, cardIsIn: null, currency: null, country: null, authType: null } as const

/** When a score came, by the clock of who wrote its event, and where that event stands in the log. */
interface Moved {
  readonly at: number
  readonly offset: number
}

const newCell = ({ gateway, slow, score, payment }: ScoredEffect, moved: Moved, kind: typeof FULL | typeof COARSE): ScoreCell => ({
  gateway,
  paymentMethodType: payment.paymentMethodType,
  paymentMethod: payment.paymentMethod,
  cardNetwork: payment.cardNetwork,
  cardIsIn: payment.cardIsIn,
  currency: payment.currency,
  country: payment.country,
  authType: payment.authType,
  ...kind,
  scoreSum: score.value,
  scoreCount: 1,
  lastScore: score.value,
  lastAtMs: moved.at,
  lastSampleCount: score.sampleCount,
  lastOffset: moved.offset,
  ...(slow ? { slowCount: 1 } : {}),
})

const grow = (cell: Draft<ScoreCell>, { slow, score }: ScoredEffect, moved: Moved): void => {
  cell.scoreSum += score.value
  cell.scoreCount += 1
  if (slow) cell.slowCount = (cell.slowCount ?? 0) + 1
  // The window moved in the order of the log, whatever the clocks of those who wrote the events said.
  cell.lastScore = score.value
  cell.lastAtMs = Math.max(cell.lastAtMs, moved.at)
  cell.lastSampleCount = score.sampleCount
  cell.lastOffset = moved.offset
}

/** Too many clusters in this minute: the score goes to the cell of its method and gateway. */
const addCoarse = (view: Draft<ScoreRollup>, scored: ScoredEffect, moved: Moved): void => {
  const { gateway, payment } = scored
  const known = view.cells.find((cell) => cell.precision === 'coarse' && isSameMethod(cell, gateway, payment))
  if (known === undefined && view.cells.length >= SCORE_CELLS_PER_MINUTE_MAX + COARSE_CELLS_PER_MINUTE_MAX) {
    view.lostCount += 1
    return
  }
  view.coarseCount += 1
  if (known === undefined) view.cells.push(newCell(scored, moved, COARSE))
  else grow(known, scored, moved)
}

const addScore = (view: Draft<ScoreRollup>, scored: ScoredEffect, moved: Moved): void => {
  const { gateway, payment } = scored
  const known = view.cells.find((cell) => isSameMethod(cell, gateway, payment) && cell.precision === 'full' && isSameCluster(cell, payment))
  if (known !== undefined) grow(known, scored, moved)
  else if (view.cells.length >= SCORE_CELLS_PER_MINUTE_MAX) addCoarse(view, scored, moved)
  else view.cells.push(newCell(scored, moved, FULL))
}

const emptyMinute = (merchantId: string, minuteMs: number): Draft<ScoreRollup> => ({
  merchantId,
  minuteMs,
  cells: [],
  coarseCount: 0,
  lostCount: 0,
})

const scoresBy = (name: string, widthMs: number): DocumentProjection<ScoreRollup, RecordedPayment> =>
  foldedInPlace({
    name,
    endedBy,

    keysOf: (record) => {
      const { event } = record
      const { merchantId, at } = event.data
      const keys: DocumentKey[] = []
      for (const effect of outcomesOf(record)) if (isScored(effect)) addPeriod(keys, merchantId, periodOf(effect.at, widthMs))
      if (isNewBeginning(event)) addPeriod(keys, merchantId, periodOf(at, widthMs))
      return keys
    },

    initialView: (key) => emptyMinute(merchantOf(key), Number(key[1])),

    copyOf: (view) => ({ ...view, cells: view.cells.map((cell) => ({ ...cell })) }),

    change: (draft, record, key) => {
      const { event, position } = record
      const period = Number(key[1])
      if (isNewBeginning(event)) return emptyMinute(draft.merchantId, period)
      let hasChanged = false
      for (const effect of outcomesOf(record)) {
        if (!isScored(effect) || effect.at < period || effect.at >= period + widthMs) continue
        addScore(draft, effect, { at: event.data.at, offset: position.offset })
        hasChanged = true
      }
      return hasChanged ? draft : undefined
    },
  })

/** Scores by minute, cluster and gateway, from the outcomes that moved a window (analytics.md 2.2). */
export const scoreRollups: DocumentProjection<ScoreRollup, RecordedPayment> = scoresBy('score-rollups-v1', MINUTE_MS)

/** The same by the hour. */
export const scoreHours: DocumentProjection<ScoreRollup, RecordedPayment> = scoresBy('score-hours-v1', HOUR_MS)
/** The same by the day (UTC). */
export const scoreDays: DocumentProjection<ScoreRollup, RecordedPayment> = scoresBy('score-days-v1', DAY_MS)
