import type { DocumentProjection } from '@switchyard/kernel'
import { endedBy, MINUTE_MS, merchantOf, minuteKey, minuteOf } from '../keys.ts'
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
  /** Epoch milliseconds. */
  readonly lastAtMs: number
  /** Real outcomes in the window behind the last score. */
  readonly lastSampleCount: number
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

interface ScoredEffect {
  readonly effect: OutcomeEffect
  readonly score: Score
  readonly payment: PaymentDimensions
}

const scoredOf = (effects: readonly OutcomeEffect[]): readonly ScoredEffect[] => {
  const scored: ScoredEffect[] = []
  for (const effect of effects) {
    if (effect.score !== null && effect.payment !== null) scored.push({ effect, score: effect.score, payment: effect.payment })
  }
  return scored
}

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

const newCell = ({ effect, score, payment }: ScoredEffect, kind: typeof FULL | typeof COARSE): ScoreCell => ({
  gateway: effect.gateway,
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
  lastAtMs: effect.at,
  lastSampleCount: score.sampleCount,
  ...(effect.slow ? { slowCount: 1 } : {}),
})

const grown = (cell: ScoreCell, { effect, score }: ScoredEffect): ScoreCell => {
  const slow = effect.slow ? { slowCount: (cell.slowCount ?? 0) + 1 } : {}
  const sum = { ...cell, ...slow, scoreSum: cell.scoreSum + score.value, scoreCount: cell.scoreCount + 1 }
  if (effect.at < cell.lastAtMs) return sum
  return { ...sum, lastScore: score.value, lastAtMs: effect.at, lastSampleCount: score.sampleCount }
}

/** Too many clusters in this minute: the score goes to the cell of its method and gateway. */
const withCoarse = (view: ScoreRollup, scored: ScoredEffect): ScoreRollup => {
  const { gateway } = scored.effect
  const index = view.cells.findIndex((cell) => cell.precision === 'coarse' && isSameMethod(cell, gateway, scored.payment))
  const known = view.cells[index]
  const coarseCount = view.coarseCount + 1
  if (known !== undefined) return { ...view, coarseCount, cells: view.cells.with(index, grown(known, scored)) }
  if (view.cells.length >= SCORE_CELLS_PER_MINUTE_MAX + COARSE_CELLS_PER_MINUTE_MAX) return { ...view, lostCount: view.lostCount + 1 }
  return { ...view, coarseCount, cells: [...view.cells, newCell(scored, COARSE)] }
}

const withScore = (view: ScoreRollup, scored: ScoredEffect): ScoreRollup => {
  const { effect, payment } = scored
  const index = view.cells.findIndex(
    (cell) => isSameMethod(cell, effect.gateway, payment) && cell.precision === 'full' && isSameCluster(cell, payment),
  )
  const known = view.cells[index]
  if (known !== undefined) return { ...view, cells: view.cells.with(index, grown(known, scored)) }
  if (view.cells.length >= SCORE_CELLS_PER_MINUTE_MAX) return withCoarse(view, scored)
  return { ...view, cells: [...view.cells, newCell(scored, FULL)] }
}

const emptyMinute = (merchantId: string, minuteMs: number): ScoreRollup => ({
  merchantId,
  minuteMs,
  cells: [],
  coarseCount: 0,
  lostCount: 0,
})

/** Scores by minute, cluster and gateway, from the outcomes that moved a window (analytics.md 2.2). */
export const scoreRollups: DocumentProjection<ScoreRollup, RecordedPayment> = {
  name: 'score-rollups-v1',
  endedBy,

  keysOf: (record) => {
    const { event } = record
    const minutes = new Set(scoredOf(outcomesOf(record)).map(({ effect }) => minuteOf(effect.at)))
    if (isNewBeginning(event)) minutes.add(minuteOf(event.data.at))
    return [...minutes].map((minute) => minuteKey(event.data.merchantId, minute))
  },

  initialView: (key) => emptyMinute(merchantOf(key), Number(key[1])),

  project: (view, record, key) => {
    const { event } = record
    const minute = Number(key[1])
    if (isNewBeginning(event)) return emptyMinute(view.merchantId, minute)
    let next = view
    for (const scored of scoredOf(outcomesOf(record))) {
      if (scored.effect.at >= minute && scored.effect.at < minute + MINUTE_MS) next = withScore(next, scored)
    }
    return next
  },
}
