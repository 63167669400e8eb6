import { BUCKET_SIZE_MAX } from '../scoring-settings/setting-ranges.ts'
import type { ScoreWindow } from './score-window.ts'

/**
 * Evidence in nats from which a gateway's newest outcomes are taken for another rate (contract/README.md 4). A rise is
 * believed sooner: a gateway that is taken for worse than it is gets few payments to show it. A fall shows in the mean by
 * itself, payment by payment; only in long windows it does so too slowly. And an outage should be known as one first: what
 * is dropped at its first failures keeps payments away that would tell downtime. Chosen by `bench/routing-quality`.
 */
const RISE_NATS = 3.5
const FALL_NATS = 25
/** Outcomes on either side of a change, at least. */
const NEWER_COUNT_MIN = 5
const OLDER_COUNT_MIN = 8

/** Successes that stand in for outcomes that are not known: few, so that the window says early what a gateway is worth. */
export const ADAPTIVE_OPTIMISTIC_COUNT = 6

/** A point in a window at which the gateway's rate changed. */
export interface RateChange {
  /** Outcomes since. */
  readonly newerCount: number
  /** Real outcomes before. */
  readonly olderCount: number
  /** Shares of successes, 0 to 1. */
  readonly newerRate: number
  readonly olderRate: number
}

/** n ln n of whole numbers: a logarithm for each entry of each window would cost more than all the rest. */
const N_LOG_N: Float64Array = Float64Array.from({ length: BUCKET_SIZE_MAX + 1 }, (_, n) => (n === 0 ? 0 : n * Math.log(n)))

const nLogN = (n: number): number => N_LOG_N[n] ?? n * Math.log(n)

/** Log-likelihood of the outcomes at the rate that fits them best. */
const logLikelihood = (successCount: number, count: number): number => nLogN(successCount) + nLogN(count - successCount) - nLogN(count)

/** The change at a given point; null when nothing real is before it. */
export const rateChangeAt = (window: ScoreWindow, newerCount: number): RateChange | null => {
  const olderCount = window.realCount - newerCount
  if (olderCount <= 0) return null
  let newer = 0
  for (let age = 0; age < newerCount; age++) newer += window.outcomeAt(age)
  const older = window.realSuccessCount - newer
  return { newerCount, olderCount, newerRate: newer / newerCount, olderRate: older / olderCount }
}

/**
 * The point at which a likelihood-ratio test sees the clearest change, or null when none is clear enough: the gain of two
 * rates over one, `L(newer) + L(older) - L(all)`. Only real outcomes take part. One pass over the window: within a run of
 * equal outcomes the gain has no maximum (it is convex), so that it is worked out at the ends of runs only.
 */
export const findRateChange = (window: ScoreWindow): RateChange | null => {
  const { realCount: count, realSuccessCount: total } = window
  const last = count - OLDER_COUNT_MIN
  if (last < NEWER_COUNT_MIN) return null
  const one = logLikelihood(total, count)
  let excess = 0
  let clearest = 0
  let newer = 0
  let next = window.outcomeAt(0)
  for (let newerCount = 1; newerCount <= last; newerCount++) {
    const outcome = next
    next = window.outcomeAt(newerCount)
    newer += outcome
    const isWithinRun = next === outcome && newerCount !== NEWER_COUNT_MIN && newerCount !== last
    if (newerCount < NEWER_COUNT_MIN || isWithinRun) continue
    const olderCount = count - newerCount
    const older = total - newer
    const gain = logLikelihood(newer, newerCount) + logLikelihood(older, olderCount) - one
    const needed = newer * olderCount > older * newerCount ? RISE_NATS : FALL_NATS
    if (gain - needed <= excess) continue
    excess = gain - needed
    clearest = newerCount
  }
  return clearest === 0 ? null : rateChangeAt(window, clearest)
}
