import { alwaysValid } from './always-valid.ts'
import { type FixedTest, fixedTest } from './fixed-test.ts'
import { gainPp, type Samples } from './sample.ts'

/** What a comparison says (analytics.md 6.5). */
export type ExperimentVerdict = 'collecting_data' | 'guardrail_breached' | 'not_significant' | 'variant_wins' | 'variant_loses'

/** Significance level of every verdict. */
const ALPHA = 0.05

/** What verdicts are given by. */
export interface VerdictRules {
  readonly minSampleSize: number
  /** Loss of approvals that is allowed, percentage points. */
  readonly guardrailThresholdPp: number
  /** Worth of an approval as a share of the amount. */
  readonly evaluationMargin: number
}

/** A verdict and the test behind it; null when none was made. */
export interface FixedVerdict {
  readonly verdict: ExperimentVerdict
  readonly test: FixedTest | null
}

const isCollecting = ({ control, variant }: Samples, { minSampleSize }: VerdictRules): boolean =>
  control.resolved === 0 || variant.resolved === 0 || control.resolved + variant.resolved < minSampleSize

/** Multiplied out, because a loss of exactly the threshold is no breach, and quotients are off in the last digit. */
const isBeyondGuardrail = ({ control, variant }: Samples, { guardrailThresholdPp }: VerdictRules): boolean =>
  100 * (control.successes * variant.resolved - variant.successes * control.resolved) >
  guardrailThresholdPp * control.resolved * variant.resolved

/** The verdict of the sheet, by the point estimate and the fixed test: for one look, at the planned sample. */
export const fixedVerdict = (samples: Samples, rules: VerdictRules): FixedVerdict => {
  if (isCollecting(samples, rules)) return { verdict: 'collecting_data', test: null }
  if (isBeyondGuardrail(samples, rules)) return { verdict: 'guardrail_breached', test: null }
  const test = fixedTest(samples, rules.evaluationMargin)
  if (test === null || test.pValue >= ALPHA) return { verdict: 'not_significant', test }
  return { verdict: test.deltaBps > 0 ? 'variant_wins' : 'variant_loses', test }
}

/** The verdict that may be read at any time; about approvals alone. */
export const sequentialVerdict = (samples: Samples, rules: VerdictRules): ExperimentVerdict => {
  const comparison = alwaysValid(samples, rules.minSampleSize)
  if (comparison === null) return 'collecting_data'
  if (comparison.intervalPp[1] < -rules.guardrailThresholdPp) return 'guardrail_breached'
  if (comparison.pValue < ALPHA) return gainPp(samples) > 0 ? 'variant_wins' : 'variant_loses'
  return isCollecting(samples, rules) ? 'collecting_data' : 'not_significant'
}
