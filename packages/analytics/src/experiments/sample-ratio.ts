import { twoSided } from './normal.ts'

/** An alarm that is false once in a thousand looks at a fair split. */
const ALARM_BELOW = 0.001
/** Payments that each arm should have had before its share says anything. */
const EXPECTED_MIN = 5

/** Whether payments fell into the arms as they should have. */
export interface SampleRatio {
  /** Chance of a split that is this far off by itself; null while there are too few payments. */
  readonly pValue: number | null
  readonly isAlarming: boolean
}

/** Chi-square with one degree of freedom of the payments assigned, held against the share of the variant, 0 to 1. */
export const sampleRatio = (assigned: { readonly control: number; readonly variant: number }, variantShare: number): SampleRatio => {
  const total = assigned.control + assigned.variant
  const expected = total * variantShare
  if (Math.min(expected, total - expected) < EXPECTED_MIN) return { pValue: null, isAlarming: false }
  const z = (assigned.variant - expected) / Math.sqrt(total * variantShare * (1 - variantShare))
  const pValue = twoSided(z)
  return { pValue, isAlarming: pValue < ALARM_BELOW }
}
