import * as z from 'zod'
import { freshness } from './answer-schemas.ts'

const text = z.string()
const textOrNull = z.string().nullable()
const count = z.number().int()
const timeMs = z.number().int()
const numberOrNull = z.number().nullable()
const interval = z.array(z.number()).length(2).nullable()

const arm = z.object({
  arm: z.enum(['control', 'variant']),
  transaction_count: count,
  success_count: count,
  failure_count: count,
  resolved_count: count,
  pending_count: count,
  auth_rate: numberOrNull,
  first_attempt_auth_rate: numberOrNull,
  total_cost_saved: numberOrNull,
  avg_latency_ms: numberOrNull,
  avg_chosen_cost_bps: numberOrNull,
  avg_cost_saved_bps: numberOrNull,
  net_ev_bps: numberOrNull,
  priced_count: count,
})
const armOfSegment = z.object({ transaction_count: count, resolved_count: count, success_count: count, auth_rate: z.number() })
const approvedOfArm = z.object({
  success_count: count,
  approved_amount: z.number(),
  priced_count: count,
  priced_amount: z.number(),
  realised_cost: numberOrNull,
  realised_cost_bps: numberOrNull,
  realised_saving: numberOrNull,
})

/** What a results read answers (analytics.md 6.5); for the API's description. */
export const experimentResultsSchema: z.ZodType = z.object({
  experiment_id: text,
  merchant_id: text,
  control: arm,
  variant: arm,
  delta_pp: numberOrNull,
  p_value: numberOrNull,
  confidence_interval: interval,
  verdict: text,
  min_sample_size: count,
  net_delta_bps: numberOrNull,
  evaluation_margin: z.number(),
  guardrail_threshold_pp: z.number(),
  guardrail_breach_certain: z.boolean(),
  confidence_interval_auth_pp: interval,
  sequential_p_value: numberOrNull,
  sequential_confidence_interval_pp: interval,
  sequential_verdict: text,
  srm_p_value: numberOrNull,
  sample_ratio_mismatch: z.boolean(),
  detectable_effect_pp: z.number(),
  power: numberOrNull,
  required_sample_size: count.nullable(),
  resolved_count: count,
  pending_count: count,
  segments: z.array(
    z.object({
      dimension: text,
      value: textOrNull,
      control: armOfSegment,
      variant: armOfSegment,
      delta_pp: numberOrNull,
      confidence_interval_pp: interval,
    }),
  ),
  by_currency: z.array(z.object({ currency: text, control: approvedOfArm, variant: approvedOfArm })),
  cost_reason: textOrNull,
  excluded_decisions: z.record(text, count),
  ...freshness,
})

export const experimentPaymentsSchema: z.ZodType = z.object({
  experiment_id: text,
  total: count,
  transactions: z.array(z.object({ payment_id: text, variant_arm: text, gateway: textOrNull, status: text, created_at_ms: timeMs })),
  ...freshness,
})

const spanQuery: Readonly<Record<string, z.ZodType>> = { start_ms: z.int(), end_ms: z.int() }

export const resultsQueryParameters: Readonly<Record<string, z.ZodType>> = {
  ...spanQuery,
  min_sample_size: z.int().nonnegative(),
  guardrail_threshold_pp: z.number().nonnegative(),
  evaluation_margin: z.number().nonnegative(),
  detectable_effect_pp: z.number().nonnegative(),
}

export const transactionsQueryParameters: Readonly<Record<string, z.ZodType>> = {
  ...spanQuery,
  arm: z.enum(['control', 'variant']),
  status: z.enum(['success', 'failure', 'ab_test_decision']),
  page: z.int().nonnegative(),
  page_size: z.int().nonnegative(),
}
