import { type ArmSample, rateOf, type Samples } from './sample.ts'

/** Chance to be wrong at any of all the readings together. */
const ALPHA = 0.05
/** Samples that the interval is made narrowest for are no smaller, so that the first few payments settle nothing. */
const TUNED_SIZE_MIN = 1_000

/** A comparison that stays right however often, and whenever, it is read. */
export interface AlwaysValid {
  /** The variant's gain of approvals, percentage points: all values at all readings hold the true one with 95 %. */
  readonly intervalPp: readonly [low: number, high: number]
  readonly pValue: number
}

/** Half a payment of either kind beside those seen: a rate of 0 or 1 in a small sample is no certainty. */
const spreadOf = ({ resolved, successes }: Pick<ArmSample, 'resolved' | 'successes'>): number => {
  const rate = (successes + 0.5) / (resolved + 1)
  return rate * (1 - rate)
}

/**
 * Noise of the difference: the larger of that of the arms' own rates and that of one rate in both. A small arm in which
 * nothing has failed yet would seem to have hardly any.
 */
const errorOf = ({ control, variant }: Samples): number => {
  const own = spreadOf(control) / control.resolved + spreadOf(variant) / variant.resolved
  const resolved = control.resolved + variant.resolved
  const shared = spreadOf({ resolved, successes: control.successes + variant.successes })
  return Math.sqrt(Math.max(own, shared / control.resolved + shared / variant.resolved))
}

/** Weight of the mixture at this sample, relative to the noise: the interval is narrowest at `tunedSize` payments. */
const mixtureOf = (size: number, tunedSize: number): number => {
  const bound = -2 * Math.log(ALPHA)
  return (size / Math.max(TUNED_SIZE_MIN, tunedSize)) * (bound + Math.log(bound + 1))
}

/**
 * Confidence sequence and p-value of the difference of two rates, by the normal mixture of a sequential likelihood ratio
 * (docs/adr/0051): at every reading `P(ever outside) <= 5 %`. Null while an arm is empty.
 *
 * @param tunedSize Payments of both arms at which the interval should be narrowest.
 */
export const alwaysValid = (samples: Samples, tunedSize: number): AlwaysValid | null => {
  const { control, variant } = samples
  if (control.resolved === 0 || variant.resolved === 0) return null
  const gain = rateOf(variant) - rateOf(control)
  const se = errorOf(samples)
  const mixture = mixtureOf(control.resolved + variant.resolved, tunedSize)
  const half = se * Math.sqrt(((mixture + 1) / mixture) * Math.log((mixture + 1) / (ALPHA * ALPHA)))
  const z = gain / se
  const logRatio = (z * z * mixture) / (2 * (mixture + 1)) - Math.log(mixture + 1) / 2
  const inPp = (value: number): number => 100 * Math.max(-1, Math.min(1, value))
  return { intervalPp: [inPp(gain - half), inPp(gain + half)], pValue: Math.min(1, Math.exp(-logRatio)) }
}
