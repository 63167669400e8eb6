import { alwaysValid } from './always-valid.ts'
import type { ExperimentTally } from './experiment-tallies.ts'
import { samplesOf } from './sample.ts'
import type { VerdictRules } from './verdict.ts'

/** What shows that a variant loses more approvals than allowed. */
export interface GuardrailBreach {
  /** Upper end of the always-valid interval of the variant's gain, percentage points: below minus the threshold. */
  readonly gainAtMostPp: number
  readonly controlResolvedCount: number
  readonly controlSuccessCount: number
  readonly variantResolvedCount: number
  readonly variantSuccessCount: number
}

/** Whether more is lost than allowed for certain, not by a point estimate: the whole always-valid interval lies below. Null if not. */
export const guardrailBreach = (
  tally: Pick<ExperimentTally, 'control' | 'variant'>,
  { minSampleSize, guardrailThresholdPp }: Pick<VerdictRules, 'minSampleSize' | 'guardrailThresholdPp'>,
): GuardrailBreach | null => {
  const gainAtMostPp = alwaysValid(samplesOf(tally), minSampleSize)?.intervalPp[1] ?? 100
  if (gainAtMostPp >= -guardrailThresholdPp) return null
  const { control, variant } = tally
  return {
    gainAtMostPp,
    controlResolvedCount: control.resolved,
    controlSuccessCount: control.successes,
    variantResolvedCount: variant.resolved,
    variantSuccessCount: variant.successes,
  }
}
