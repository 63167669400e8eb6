import type { ArmCosts } from './arm-costs.ts'
import type { ArmCounts, ExperimentTally } from './experiment-tallies.ts'

/** What a test sees of an arm: payments whose end is known; those still pending are apart. */
export interface ArmSample {
  readonly resolved: number
  readonly successes: number
  /** Sum over successes of what each saved, basis points of its amount, and of the squares; null when no cost was weighed. */
  readonly saved: { readonly sumBps: number; readonly squareSumBps: number } | null
}

/** Both arms. */
export interface Samples {
  readonly control: ArmSample
  readonly variant: ArmSample
}

/** Share of successes, 0 to 1; 0 of an empty arm. */
export const rateOf = ({ resolved, successes }: ArmSample): number => (resolved === 0 ? 0 : successes / resolved)

/** The variant's gain of approvals, percentage points. */
export const gainPp = ({ control, variant }: Samples): number => 100 * (rateOf(variant) - rateOf(control))

/** An arm as tests see it. Known costs alone make no experiment about costs: that takes payments whose cost was weighed. */
export const sampleOf = ({ resolved, successes, costs }: ArmCounts & { readonly costs?: ArmCosts }): ArmSample => ({
  resolved,
  successes,
  saved:
    costs === undefined || costs.weighedCount === 0
      ? null
      : { sumBps: costs.approvedSavedBpsSum, squareSumBps: costs.approvedSavedBpsSquareSum },
})

/** The same without what was saved. */
export const approvalsAlone = ({ control, variant }: Samples): Samples => ({
  control: { ...control, saved: null },
  variant: { ...variant, saved: null },
})

/** What tests see of an experiment's figures. */
export const samplesOf = ({ control, variant }: Pick<ExperimentTally, 'control' | 'variant'>): Samples => ({
  control: sampleOf(control),
  variant: sampleOf(variant),
})
