import type {
  ExperimentFigures,
  ExperimentPaymentsPage,
  ExperimentResults,
  ExperimentStanding,
  ExperimentTally,
  ResultsRules,
} from '@switchyard/analytics'
import { freshnessAnswer } from './freshness-answer.ts'

type ArmName = 'control' | 'variant'

/**
 * The figures of an arm (analytics.md 6.5). Rates are shares of the payments whose end is known; the pending ones stand
 * apart. Money of different currencies is never added up: then `total_cost_saved` is null, and stands by currency.
 */
const armAnswer = (arm: ArmName, results: ExperimentResults): object => {
  const { tally, pendingCount, failureCount, authRate, firstAttemptAuthRate, averageLatencyMs, netExpectedValueBps, costs } = results[arm]
  return {
    arm,
    transaction_count: tally.assigned,
    success_count: tally.successes,
    failure_count: failureCount,
    resolved_count: tally.resolved,
    pending_count: pendingCount,
    auth_rate: authRate,
    first_attempt_auth_rate: firstAttemptAuthRate,
    total_cost_saved: costs.saved,
    avg_latency_ms: averageLatencyMs,
    avg_chosen_cost_bps: costs.averageCostBps,
    avg_cost_saved_bps: costs.averageSavedBps,
    net_ev_bps: netExpectedValueBps,
    priced_count: costs.pricedCount,
  }
}

const DIMENSIONS: Readonly<Record<ExperimentTally['segments'][number]['dimension'], string>> = {
  paymentMethodType: 'payment_method_type',
  paymentMethod: 'payment_method',
  cardNetwork: 'card_network',
  currency: 'currency',
  country: 'country',
}

type Segment = ExperimentResults['segments'][number]

const countsAnswer = ({ assigned, resolved, successes }: Segment[ArmName]): object => ({
  transaction_count: assigned,
  resolved_count: resolved,
  success_count: successes,
  auth_rate: resolved === 0 ? 0 : successes / resolved,
})

/** One line of the table; `value` is null for all values beyond those that are told apart. */
const segmentAnswer = (segment: Segment): object => ({
  dimension: DIMENSIONS[segment.dimension],
  value: segment.value,
  control: countsAnswer(segment.control),
  variant: countsAnswer(segment.variant),
  delta_pp: segment.deltaPp,
  confidence_interval_pp: segment.intervalPp,
})

const BPS = 10_000

type ApprovedOfArm = ExperimentTally['currencies'][number][ArmName]

const NO_COSTS = { priced_count: 0, priced_amount: 0, realised_cost: null, realised_cost_bps: null, realised_saving: null }

/** Of approved payments whose cost is known. */
const realisedAnswer = ({ pricedCount, pricedAmount, cost, weighedCount, saving }: NonNullable<ApprovedOfArm['costs']>): object => ({
  priced_count: pricedCount,
  priced_amount: pricedAmount,
  realised_cost: pricedCount > 0 ? cost : null,
  realised_cost_bps: pricedAmount > 0 ? (BPS * cost) / pricedAmount : null,
  realised_saving: weighedCount > 0 ? saving : null,
})

/** Approved payments of an arm, and what they cost. */
const approvedAnswer = ({ successes, amount, costs }: ApprovedOfArm): object => ({
  success_count: successes,
  approved_amount: amount,
  ...(costs === undefined ? NO_COSTS : realisedAnswer(costs)),
})

/** Money in major units of its currency; currencies are never added up. */
const currencyAnswer = ({ currency, control, variant }: ExperimentTally['currencies'][number]): object => ({
  currency,
  control: approvedAnswer(control),
  variant: approvedAnswer(variant),
})

/** Why an arm tells no cost, for people; null when both do. */
const costReason = ({ control, variant }: ExperimentResults): string | null => {
  const silent = [control, variant].filter(({ costs }) => costs.pricedCount === 0)
  if (silent.length === 0) return null
  if (silent.length === 2) return 'Of no payment with a known end it is known what it costs: reports, fees or contract rates would tell'
  return `Of no payment of the ${silent[0] === control ? 'control' : 'variant'} arm it is known what it costs`
}

const exclusionsAnswer = ({ exclusions }: ExperimentTally): object =>
  Object.fromEntries(Object.entries(exclusions).map(([reason, count]) => [reason.toLowerCase(), count]))

/** The answer of a results read; what the sheet does not have is extra. */
export const resultsAnswer = (
  { tally, freshness }: ExperimentFigures,
  results: ExperimentResults,
  { rules, experimentId, merchantId }: { readonly rules: ResultsRules; readonly experimentId: string; readonly merchantId: string },
): object => ({
  experiment_id: experimentId,
  merchant_id: merchantId,
  control: armAnswer('control', results),
  variant: armAnswer('variant', results),
  delta_pp: results.deltaPp,
  p_value: results.test?.pValue ?? null,
  confidence_interval: results.test?.interval ?? null,
  verdict: results.verdict,
  min_sample_size: rules.minSampleSize,
  net_delta_bps: results.netDeltaBps,
  evaluation_margin: rules.evaluationMargin,
  guardrail_threshold_pp: rules.guardrailThresholdPp,
  guardrail_breach_certain: results.isGuardrailCertain,
  confidence_interval_auth_pp: results.authIntervalPp,
  sequential_p_value: results.sequential?.pValue ?? null,
  sequential_confidence_interval_pp: results.sequential?.intervalPp ?? null,
  sequential_verdict: results.sequentialVerdict,
  srm_p_value: results.sampleRatio.pValue,
  sample_ratio_mismatch: results.sampleRatio.isAlarming,
  detectable_effect_pp: rules.detectableEffectPp,
  power: results.power,
  required_sample_size: results.requiredSampleSize,
  resolved_count: results.control.tally.resolved + results.variant.tally.resolved,
  pending_count: results.control.pendingCount + results.variant.pendingCount,
  segments: results.segments.map(segmentAnswer),
  by_currency: tally.currencies.map(currencyAnswer),
  cost_reason: costReason(results),
  excluded_decisions: exclusionsAnswer(tally),
  ...freshnessAnswer(freshness),
})

const STATUSES: Readonly<Record<ExperimentStanding, string>> = { open: 'ab_test_decision', failed: 'failure', succeeded: 'success' }

/** The answer of a list of payments (analytics.md 6.6). */
export const transactionsAnswer = (experimentId: string, { total, payments, freshness }: ExperimentPaymentsPage): object => ({
  experiment_id: experimentId,
  total,
  transactions: payments.map(({ paymentId, arm, gateway, standing, lastEventMs }) => ({
    payment_id: paymentId,
    variant_arm: arm.toLowerCase(),
    gateway,
    status: STATUSES[standing],
    created_at_ms: lastEventMs,
  })),
  ...freshnessAnswer(freshness),
})
