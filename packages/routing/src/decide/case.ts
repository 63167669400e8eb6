import type { EliminationKnobs, ExperimentAssignment, ScoringDimension, ScoringKnobs, SuccessRateSettings } from '@switchyard/events'
import type { RouteByNetwork } from '../debit-routing/route-by-network.ts'
import type { EliminationResolver, EliminationRules } from '../elimination/elimination-rules.ts'
import { type DownGateway, NOTHING_DOWN } from '../elimination/merchant-health.ts'
import type { ExperimentSources } from '../experiments/live-experiment.ts'
import { eliminationOf, scoringKnobsOf, settingsOf } from '../experiments/overrides.ts'
import { type FeatureFlags, hasFeature } from '../feature-flags/feature-flags.ts'
import type { PaymentFold } from '../outcomes/payment-fold.ts'
import { dimensionOf } from '../scoring/dimension.ts'
import type { KnobResolver } from '../scoring/knobs.ts'
import type { Elimination } from '../scoring-settings/elimination-settings.ts'
import type { ChosenDimensions } from '../scoring-settings/scoring-dimensions.ts'
import type { PriorityPlan } from './decision.ts'
import type { DecisionRequest } from './request.ts'
import type { WeighCosts } from './weighing.ts'

/** What a decision reads: the merchant's configuration, the success-rate windows and which gateways are down. */
export interface DecisionSources {
  readonly debitRouting: { readonly enabled: boolean }
  readonly features: FeatureFlags
  readonly successRateScoring: { readonly settings: SuccessRateSettings | null }
  readonly scoringDimensions: { readonly chosen: ChosenDimensions | null }
  readonly eliminationSettings: { readonly settings: Elimination | null }
  readonly resolveKnobs: KnobResolver
  readonly resolveElimination: EliminationResolver
  readonly eliminationRules: EliminationRules
  readonly windows: Pick<PaymentFold, 'scoresOf' | 'downAmong'>
  /** The merchant's priority list for the payment. */
  readonly priorityPlan: (request: DecisionRequest, candidates: readonly string[]) => PriorityPlan
  readonly routeByNetwork: RouteByNetwork
  /** Asked only for merchants that experiment on live payments. */
  readonly experiments: ExperimentSources
  /** Asked only where approval is to be weighed against cost. */
  readonly weighCosts: WeighCosts
}

/** What all steps of one decision share. */
export interface Case {
  readonly request: DecisionRequest
  readonly candidates: readonly string[]
  readonly dimension: ScoringDimension
  readonly knobs: ScoringKnobs
  readonly elimination: EliminationKnobs
  /** The payment's part in an experiment; null without one. */
  readonly experiment: ExperimentAssignment | null
}

/** Most candidates that are compared pair by pair, which makes nothing that has to be collected. */
const PAIRWISE_COUNT_MAX = 16

const hasDuplicates = (candidates: readonly string[]): boolean =>
  candidates.length > PAIRWISE_COUNT_MAX
    ? new Set(candidates).size < candidates.length
    : candidates.some((gateway, index) => candidates.indexOf(gateway) !== index)

const withoutDuplicates = (candidates: readonly string[]): readonly string[] =>
  hasDuplicates(candidates) ? [...new Set(candidates)] : candidates

/** The case of a request; an arm of an experiment may have settings of its own (analytics.md 6.3). */
export const caseOf = (request: DecisionRequest, sources: DecisionSources, experiment: ExperimentAssignment | null): Case => {
  const { payment, eliminationRequested: requested } = request
  const { features, successRateScoring, scoringDimensions, eliminationSettings } = sources
  const adaptive = hasFeature(features, 'explore-exploit-srv3')
  const overrides = experiment?.overrides ?? null
  const settings = settingsOf(successRateScoring.settings, overrides)
  const flag = hasFeature(features, 'elimination')
  return {
    request,
    candidates: withoutDuplicates(request.candidates),
    dimension: dimensionOf(payment, scoringDimensions.chosen),
    knobs: scoringKnobsOf(sources.resolveKnobs({ settings, adaptive }, payment), overrides),
    elimination: eliminationOf(sources.resolveElimination({ settings: eliminationSettings.settings, flag, requested }), overrides),
    experiment,
  }
}

/** Candidates that are down, if elimination is enabled. */
export const downOf = (
  { request, candidates, elimination }: Case,
  { windows, eliminationRules }: Pick<DecisionSources, 'windows' | 'eliminationRules'>,
): readonly DownGateway[] => {
  if (!elimination.enabled) return NOTHING_DOWN
  const { merchantId, payment, at } = request
  return windows.downAmong(merchantId, { payment, gateways: candidates, at, rules: eliminationRules })
}
