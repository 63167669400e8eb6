import { twoSided } from './normal.ts'
import type { ArmSample, Samples } from './sample.ts'

/** Quantile of the normal distribution for 95 % on both sides. */
export const Z_95 = 1.96
/** Basis points of the whole amount. */
const FULL_BPS = 10_000
/** Basis points of a percentage point. */
const BPS_PER_PP = 100

/** A test that may be read once, when the planned sample is full: read at will it is wrong far too often. */
export interface FixedTest {
  /** The variant's gain, basis points of expected value. */
  readonly deltaBps: number
  readonly z: number
  readonly pValue: number
  /** 95 %: percentage points of approvals; basis points of expected value when there are costs. */
  readonly interval: readonly [low: number, high: number]
}

/** Expected value of a payment, basis points: an approval is worth `margin` (1: the whole amount) and what it saved. */
export const expectedValueBps = ({ resolved, successes, saved }: ArmSample, margin: number): number =>
  (margin * FULL_BPS * successes + (saved?.sumBps ?? 0)) / resolved

const varianceOf = (arm: ArmSample, margin: number): number => {
  const { resolved, successes, saved } = arm
  const worth = margin * FULL_BPS
  const mean = expectedValueBps(arm, margin)
  const squares = worth * worth * successes + 2 * worth * (saved?.sumBps ?? 0) + (saved?.squareSumBps ?? 0)
  return Math.max(0, (squares - resolved * mean * mean) / (resolved - 1))
}

/**
 * Two-sample z on the value of a payment (analytics.md 6.5); null with fewer than two payments in an arm, and when nothing
 * varies.
 */
export const fixedTest = ({ control, variant }: Samples, margin: number): FixedTest | null => {
  if (control.resolved < 2 || variant.resolved < 2) return null
  const deltaBps = expectedValueBps(variant, margin) - expectedValueBps(control, margin)
  const se = Math.sqrt(varianceOf(control, margin) / control.resolved + varianceOf(variant, margin) / variant.resolved)
  if (!(se > 0 && Number.isFinite(se))) return null
  const hasCosts = control.saved !== null || variant.saved !== null
  const unit = hasCosts ? 1 : margin * BPS_PER_PP
  const z = deltaBps / se
  return {
    deltaBps,
    z,
    pValue: twoSided(z),
    interval: [(deltaBps - Z_95 * se) / unit, (deltaBps + Z_95 * se) / unit],
  }
}
