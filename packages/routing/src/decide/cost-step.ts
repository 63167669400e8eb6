import type { SuccessRateSettings } from '@switchyard/events'
import { hasFeature } from '../feature-flags/feature-flags.ts'
import type { Case, DecisionSources } from './case.ts'
import { shownScore } from './elimination.ts'
import type { WeighedCosts } from './weighing.ts'

/** What the step works with beside the case. */
export type CostSources = Pick<DecisionSources, 'features' | 'successRateScoring' | 'weighCosts'>

/** A merchant that tells no margin reckons with the whole amount. */
const MARGIN_DEFAULT = 1

const isMargin = (margin: number | null | undefined): margin is number => typeof margin === 'number' && margin > 0

/** That of the payment's arm of an experiment, else the merchant's, else all of the amount (cost.md 15.2). */
const marginOf = ({ experiment }: Case, settings: SuccessRateSettings | null): number => {
  const own = experiment?.overrides?.margin
  if (isMargin(own)) return own
  return isMargin(settings?.margin) ? settings.margin : MARGIN_DEFAULT
}

/** An arm of an experiment decides it, else the request, else the merchant's flag (cost.md 15.1). */
const isWanted = ({ request, experiment }: Case, { features }: CostSources): boolean =>
  experiment?.overrides?.multiObjective ?? request.multiObjectiveRequested ?? hasFeature(features, 'multi-objective-routing')

/** Approval against cost for a payment that was scored by success rates and does not explore; null where it is not wanted. */
export const weighed = (one: Case, scores: readonly number[], down: readonly string[], sources: CostSources): WeighedCosts | null => {
  if (!isWanted(one, sources)) return null
  const { request, candidates } = one
  return sources.weighCosts({
    merchantId: request.merchantId,
    payment: request.payment,
    candidates,
    authRates: candidates.map((gateway, index) => shownScore(gateway, scores[index] ?? 0, down)),
    down,
    margin: marginOf(one, sources.successRateScoring.settings),
  })
}
