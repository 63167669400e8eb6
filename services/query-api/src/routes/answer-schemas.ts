import * as z from 'zod'

const text = z.string()
const textOrNull = z.string().nullable()
const count = z.number().int()
const timeMs = z.number().int()
const numberOrNull = z.number().nullable()

/** Members that say how far an answer reaches. */
export const freshness: Readonly<Record<'as_of_ms' | 'positions' | 'truncated', z.ZodType>> = {
  as_of_ms: timeMs.nullable(),
  positions: z.array(z.object({ partition: count, offset: count })),
  truncated: z.boolean(),
}

/** Members of every answer about a merchant's span of time. */
export const windowed: typeof freshness & Readonly<Record<'merchant_id' | 'range' | 'start_ms' | 'end_ms', z.ZodType>> = {
  merchant_id: text,
  range: text,
  start_ms: timeMs,
  end_ms: timeMs,
  ...freshness,
}

const method = { merchant_id: text, payment_method_type: textOrNull, payment_method: textOrNull }

const scoreSnapshot = z.object({
  ...method,
  gateway: textOrNull,
  score_value: numberOrNull,
  sigma_factor: numberOrNull,
  average_latency: numberOrNull,
  tp99_latency: numberOrNull,
  transaction_count: count.nullable(),
  slow_count: count.nullable(),
  last_updated_ms: timeMs.nullable(),
})

/** A point of a series of scores. */
export const scorePoint: z.ZodType = z.object({
  ...method,
  bucket_ms: timeMs,
  gateway: textOrNull,
  score_value: numberOrNull,
  snapshot_count: count,
})

const outcomeCounts = { approved: count, declined: count, pending: count }

/** What routes answer when all went well (analytics.md 2); for the API's description. */
export const overviewSchema: z.ZodType = z.object({
  merchant_id: text,
  kpis: z.array(z.object({ label: text, value: text, subtitle: text })),
  route_hits: z.array(z.object({ route: text, count })),
  top_scores: z.array(scoreSnapshot),
  top_errors: z.array(z.object({ route: textOrNull, error_code: textOrNull, error_message: textOrNull, count, last_seen_ms: timeMs })),
  top_rules: z.array(z.object({ rule_name: text, count })),
  smart_retry_stats: z.object({
    retried_count: count,
    recovered_count: count,
    by_trigger: z.array(z.object({ gateway: text, error_code: textOrNull, count })),
    by_fallback: z.array(z.object({ gateway: text, retried: count, recovered: count })),
  }),
  outcome_counts: z.object(outcomeCounts),
  gateway_outcomes: z.array(z.object({ gateway: text, ...outcomeCounts, approval_rate: numberOrNull })),
  total_errors: count,
  ungrouped_counts: z.object({ errors: count, rules: count, fallbacks: count }),
  start_ms: timeMs,
  end_ms: timeMs,
  ...freshness,
})

export const gatewayScoresSchema: z.ZodType = z.object({
  ...windowed,
  snapshots: z.array(scoreSnapshot),
  series: z.array(scorePoint),
  bucket_width_ms: count,
})

/** Query parameters of the analytics reads (analytics.md 1.2); an unknown range counts as an hour. */
export const windowQuery: Readonly<Record<string, z.ZodType>> = {
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
