import { Z_95 } from './fixed-test.ts'
import { normalCdf } from './normal.ts'

/** Quantile of the normal distribution for the wished power of 80 %. */
const Z_POWER = 0.8416

/** What the power of an experiment follows from. */
export interface PowerQuestion {
  /** Rate of approvals of the control, 0 to 1. */
  readonly baseRate: number
  /** Difference that should be found, percentage points, up or down. */
  readonly effectPp: number
}

const clamped = (rate: number): number => Math.max(0, Math.min(1, rate))

/** Where an effect does not fit above the base rate, it is meant downwards: the variance differs little. */
const variancesOf = ({ baseRate, effectPp }: PowerQuestion): { readonly control: number; readonly variant: number } => {
  const shifted = baseRate + effectPp / 100 <= 1 ? baseRate + effectPp / 100 : baseRate - effectPp / 100
  const rate = clamped(shifted)
  return { control: baseRate * (1 - baseRate), variant: rate * (1 - rate) }
}

/** Chance, 0 to 1, that the fixed test finds the effect with so many payments; null for an empty arm, and when nothing varies. */
export const powerAt = (question: PowerQuestion, sizes: { readonly control: number; readonly variant: number }): number | null => {
  if (sizes.control === 0 || sizes.variant === 0) return null
  const { control, variant } = variancesOf(question)
  const se = Math.sqrt(control / sizes.control + variant / sizes.variant)
  if (!(se > 0)) return null
  const shift = Math.abs(question.effectPp) / 100 / se
  return normalCdf(shift - Z_95) + normalCdf(-shift - Z_95)
}

/** Payments of both arms together with which the fixed test finds the effect in four of five experiments. */
export const requiredSampleSize = (question: PowerQuestion, variantShare: number): number | null => {
  const { control, variant } = variancesOf(question)
  const effect = Math.abs(question.effectPp) / 100
  const spread = control / (1 - variantShare) + variant / variantShare
  return effect > 0 && spread > 0 ? Math.ceil(((Z_95 + Z_POWER) ** 2 * spread) / effect ** 2) : null
}
