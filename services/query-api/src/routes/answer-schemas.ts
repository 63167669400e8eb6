import { z } from 'zod'

const text = z.string()
const textOrNull = z.string().nullable()
const count = z.number().int()
const timeMs = z.number().int()
/** Members that say how far an answer reaches. */
export const freshness: Readonly<Record<'as_of_ms' | 'positions' | 'truncated', z.ZodType>> = {
  as_of_ms: timeMs.nullable(),
  positions: z.unknown(),
  truncated: z.boolean(),
}

const scoreSnapshot = z.object({
  merchant_id: text,
  payment_method_type: textOrNull,
  payment_method: textOrNull,
  gateway: textOrNull,
  score_value: z.number().nullable(),
  transaction_count: count.nullable(),
  slow_count: count.nullable(),
  last_updated_ms: timeMs.nullable(),
})

/** What routes answer when all went well (analytics.md 2); for the API's description. */
export const overviewSchema: z.ZodType = z.object({
  merchant_id: text,
  kpis: z.array(z.object({ label: text, value: text, subtitle: text })),
  route_hits: z.array(z.object({ route: text, count })),
  top_scores: z.array(scoreSnapshot),
  top_errors: z.array(z.object({ route: textOrNull, error_code: textOrNull, error_message: textOrNull, count, last_seen_ms: timeMs })),
  top_rules: z.array(z.object({ rule_name: text, count })),
  outcome_counts: z.object({ approved: count, declined: count, pending: count }),
  total_errors: count,
  start_ms: timeMs,
  end_ms: timeMs,
  ...freshness,
})

export const gatewayScoresSchema: z.ZodType = z.object({
  merchant_id: text,
  range: text,
  snapshots: z.array(scoreSnapshot),
  series: z.array(z.object({ bucket_ms: timeMs, gateway: textOrNull, score_value: z.number().nullable(), snapshot_count: count })),
  bucket_width_ms: count,
  start_ms: timeMs,
  end_ms: timeMs,
  ...freshness,
})

export const paymentAuditSchema: z.ZodType = z.object({
  merchant_id: text,
  range: text,
  payment_id: textOrNull,
  request_id: textOrNull,
  page: count,
  page_size: count,
  total_results: count,
  results: z.array(z.object({ lookup_key: text, payment_id: textOrNull, event_count: count, gateways: z.array(text) })),
  timeline: z.array(z.object({ id: text, flow_type: text, created_at_ms: timeMs })),
  start_ms: timeMs,
  end_ms: timeMs,
  ...freshness,
})

export const explanationSchema: z.ZodType = z.object({
  merchant_id: text,
  verdict: text,
  payment_id: textOrNull,
  in_words: z.array(text),
  decision: z.record(text, z.unknown()).nullable(),
  earlier_decisions: z.array(z.record(text, z.unknown())),
  outcomes: z.array(z.record(text, z.unknown())),
  refusals: z.array(z.record(text, z.unknown())),
  ...freshness,
})

export const simulationLine: z.ZodType = z.object({ type: z.enum(['progress', 'result', 'error']) })

/** Query parameters of the analytics reads (analytics.md 1.2); an unknown range counts as an hour. */
const windowQuery: Readonly<Record<string, z.ZodType>> = {
  range: z.enum(['15m', '1h', '12h', '1d', '1w']),
  start_ms: z.int(),
  end_ms: z.int(),
  bucket: z.enum(['1m', '5m', '15m', '1h', '1d']),
  page: z.int().nonnegative(),
  page_size: z.int().nonnegative(),
}

/** Parameters that take any text. */
export const texts = (...names: readonly string[]): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(names.map((name) => [name, text]))

export const scoreQueryParameters: Readonly<Record<string, z.ZodType>> = {
  ...windowQuery,
  ...texts('gateway', 'payment_method_type', 'payment_method', 'card_network', 'card_is_in', 'currency', 'country', 'auth_type'),
}

export const auditQueryParameters: Readonly<Record<string, z.ZodType>> = {
  ...windowQuery,
  ...texts(
    'payment_id',
    'request_id',
    'gateway',
    'route',
    'flow_type',
    'error_code',
    'status',
    'routing_approach',
    'exclude_routing_approach',
  ),
}

const numberOrNull = z.number().nullable()
const interval = z.array(z.number()).length(2).nullable()

export const experimentResultsSchema: z.ZodType = z.object({
  experiment_id: text,
  merchant_id: text,
  control: z.record(text, z.unknown()),
  variant: z.record(text, z.unknown()),
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
  segments: z.array(z.record(text, z.unknown())),
  by_currency: z.array(z.record(text, z.unknown())),
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
