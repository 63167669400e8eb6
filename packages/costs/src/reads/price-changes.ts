import type { KnownPrice } from '@switchyard/events'
import type { Fee } from '../fit/fitted-cluster.ts'
import { clusterText, type FitCluster } from '../statistics/fit-cluster.ts'

/** A share may move by so much without being another price, bps. */
const PRICE_TOLERANCE_BPS = 3
/** A fixed part may move by so much, major units. */
const PRICE_TOLERANCE_FIXED = 0.01
/** Moves within so many standard errors are chance: each cluster is looked at hundreds of times a year. */
const CHANCE_ERRORS = 6
/** Changes that are told of one fit. */
export const PRICE_CHANGE_COUNT_MAX = 200
/** One unit of the fixed part counts like so many bps. */
const FIXED_WEIGHT = 10_000

/** A cluster whose price is another one than before. */
export interface PriceChange {
  readonly cluster: FitCluster
  readonly before: Fee
  readonly after: Fee
}

const moves = (one: number, other: number, tolerance: number, error: number): boolean =>
  Math.abs(other - one) > Math.max(tolerance, CHANCE_ERRORS * error)

/** Whether a price is another one: by more than the tolerance of its two parts, and than chance explains (cost.md 10.3). */
export const isPriceChange = (before: KnownPrice, after: KnownPrice): boolean =>
  moves(before.fee.pctBps, after.fee.pctBps, PRICE_TOLERANCE_BPS, Math.hypot(before.pctErrorBps, after.pctErrorBps)) ||
  moves(before.fee.fixed, after.fee.fixed, PRICE_TOLERANCE_FIXED, Math.hypot(before.fixedError, after.fixedError))

/** What later prices are compared with when this one is none: the price that is known more exactly, or small moves would add up unseen. */
export const unchangedPrice = (before: KnownPrice, after: KnownPrice): KnownPrice => ({
  ...(after.pctErrorBps < before.pctErrorBps ? after : before),
  lookedAtEpochDay: after.lookedAtEpochDay,
})

const sizeOf = ({ before, after }: PriceChange): number =>
  Math.abs(after.pctBps - before.pctBps) + Math.abs(after.fixed - before.fixed) * FIXED_WEIGHT

/** The largest changes first, up to a bound. */
export const largestChanges = (changes: readonly PriceChange[]): readonly PriceChange[] =>
  [...changes]
    .sort((one, other) => sizeOf(other) - sizeOf(one) || (clusterText(one.cluster) < clusterText(other.cluster) ? -1 : 1))
    .slice(0, PRICE_CHANGE_COUNT_MAX)
