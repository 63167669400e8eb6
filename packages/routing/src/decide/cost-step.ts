import type { PaymentPricing, SuccessRateSettings } from '@switchyard/events'
import { hasFeature } from '../feature-flags/feature-flags.ts'
import type { Case, DecisionSources } from './case.ts'
import type { GatewayDecision } from './decision.ts'
import { shownScore } from './elimination.ts'
import type { DecisionRequest } from './request.ts'
import type { PriceCosts, WeighedCosts } from './weighing.ts'

/** What the step works with beside the case. */
export type CostSources = Pick<DecisionSources, 'features' | 'successRateScoring' | 'weighCosts'>

/** A merchant that tells no margin reckons with the whole amount. */
export const MARGIN_DEFAULT = 1

const isMargin = (margin: number | null | undefined): margin is number => typeof margin === 'number' && margin > 0

/** That of the payment's arm of an experiment, else the merchant's, else all of the amount (cost.md 15.2). */
const marginOf = ({ experiment }: Pick<Case, 'experiment'>, settings: SuccessRateSettings | null): number => {
  const own = experiment?.overrides?.margin
  if (isMargin(own)) return own
  return isMargin(settings?.margin) ? settings.margin : MARGIN_DEFAULT
}

/** An arm of an experiment decides it, else the request, else the merchant's flag (cost.md 15.1). */
const isWanted = ({ request, experiment }: Pick<Case, 'request' | 'experiment'>, { features }: Pick<CostSources, 'features'>): boolean =>
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

/** What {@link pricingOf} works with. */
export type PricingSources = Pick<DecisionSources, 'features' | 'successRateScoring'> & { readonly priceCosts: PriceCosts }

/**
 * What a payment costs, to be recorded where weighing does not tell it: back-tests and experiments reckon with it. Null when
 * nothing is known of it.
 */
export const pricingOf = (
  request: DecisionRequest,
  { costs, candidates, experiment }: Pick<GatewayDecision, 'costs' | 'candidates' | 'experiment'>,
  sources: PricingSources,
): PaymentPricing | null => {
  if (costs !== null && costs.choice.ranked.length > 0) return null
  const { merchantId, payment } = request
  const costsBps = sources.priceCosts({ merchantId, payment, candidates })
  if (costsBps === null) return null
  return {
    costsBps,
    marginRatio: marginOf({ experiment }, sources.successRateScoring.settings),
    wanted: isWanted({ request, experiment }, sources),
  }
}
