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
 * apart. What costs were saved is null: no event says what a payment cost.
 */
const armAnswer = (arm: ArmName, results: ExperimentResults): object => {
  const { tally, pendingCount, failureCount, authRate, firstAttemptAuthRate, averageLatencyMs, netExpectedValueBps } = results[arm]
  return {
    arm,
    transaction_count: tally.assigned,
    success_count: tally.successes,
    failure_count: failureCount,
    resolved_count: tally.resolved,
    pending_count: pendingCount,
    auth_rate: authRate,
    first_attempt_auth_rate: firstAttemptAuthRate,
    total_cost_saved: null,
    avg_latency_ms: averageLatencyMs,
    avg_chosen_cost_bps: null,
    avg_cost_saved_bps: null,
    net_ev_bps: netExpectedValueBps,
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

/** Approved amounts in major units of their currency; currencies are never added up. What they cost is not recorded yet. */
const currencyAnswer = ({ currency, control, variant }: ExperimentTally['currencies'][number]): object => {
  const ofArm = ({ successes, amount }: typeof control): object => ({
    success_count: successes,
    approved_amount: amount,
    realised_cost: null,
    realised_saving: null,
  })
  return { currency, control: ofArm(control), variant: ofArm(variant) }
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
  net_delta_bps: null,
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
