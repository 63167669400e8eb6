import * as z from 'zod'
import { freshness, scorePoint, scoreQueryParameters, texts, windowed } from './answer-schemas.ts'

const text = z.string()
const textOrNull = z.string().nullable()
const count = z.number().int()
const countOrNull = count.nullable()
const timeMs = z.number().int()
const share = z.number().nullable()

/** What the reads of decisions, errors, routing events and changes answer; for the API's description. */
export const decisionsSchema: z.ZodType = z.object({
  ...windowed,
  tiles: z.array(z.object({ label: text, value: text, subtitle: text })),
  series: z.array(z.object({ bucket_ms: timeMs, routing_approach: text, count })),
  approaches: z.array(z.object({ rule_name: text, routing_approach: text, count })),
  bucket_width_ms: count,
})

export const routingStatsSchema: z.ZodType = z.object({
  ...windowed,
  gateway_share: z.array(z.object({ bucket_ms: timeMs, gateway: text, count })),
  top_rules: z.array(z.object({ rule_name: text, count })),
  sr_trend: z.array(scorePoint),
  available_filters: z.object({
    dimensions: z.array(z.object({ key: text, label: text, values: z.array(text) })),
    missing_dimensions: z.array(text),
    gateways: z.array(text),
  }),
  bucket_width_ms: count,
})

export const logSummariesSchema: z.ZodType = z.object({
  ...windowed,
  total_errors: count,
  errors: z.array(z.object({ route: text, error_code: textOrNull, error_message: textOrNull, count, last_seen_ms: timeMs })),
  samples: z.array(
    z.object({
      route: text,
      merchant_id: text,
      payment_id: textOrNull,
      request_id: textOrNull,
      global_request_id: textOrNull,
      trace_id: textOrNull,
      gateway: textOrNull,
      routing_approach: textOrNull,
      status: textOrNull,
      error_code: textOrNull,
      error_message: textOrNull,
      flow_type: text,
      created_at_ms: timeMs,
    }),
  ),
  page: count,
  page_size: count,
  total_samples: count,
})

/** Values and dimensions of a row that the self-tuning wrote; absent when null. */
const calibrated = {
  bucket_size: count.optional(),
  previous_bucket_size: count.optional(),
  hedging_percent: z.number().optional(),
  previous_hedging_percent: z.number().optional(),
  card_network: text.optional(),
  currency: text.optional(),
  country: text.optional(),
  auth_type: text.optional(),
}

const approvals = z.object({ payment_count: count, outcome_count: count, approved_count: count, approval_rate: share })

/** What the report of the self-tuning answers. */
export const selfTuningSchema: z.ZodType = z.object({
  ...windowed,
  mode: z.enum(['off', 'observe_only', 'autopilot']),
  run_count: count,
  rows: z.array(z.object({ payment_method_type: text, payment_method: textOrNull, source: z.literal('autopilot'), ...calibrated })),
  changes: z.array(
    z.object({
      run_id: text,
      at_ms: timeMs,
      outcome: text,
      payment_method_type: text,
      payment_method: text,
      ...calibrated,
      payment_count: count,
      gateway_count: count,
      hedging_capped: z.boolean(),
      before: approvals,
      after: approvals,
      delta_pp: share,
      confidence_interval_pp: z.tuple([z.number(), z.number()]).nullable(),
    }),
  ),
  page: count,
  page_size: count,
  total_results: count,
})

/** Query parameters of the report of the self-tuning. */
export const selfTuningQueryParameters: Readonly<Record<string, z.ZodType>> = {
  range: z.enum(['15m', '1h', '12h', '1d', '1w']),
  start_ms: z.int(),
  end_ms: z.int(),
  page: z.int().nonnegative(),
  page_size: z.int().nonnegative(),
  ...texts('payment_method_type', 'payment_method'),
}

export const routingEventsSchema: z.ZodType = z.object({
  ...windowed,
  events: z.array(
    z.object({
      id: text,
      event_type: z.enum([
        'leader_changed',
        'gateway_entered_downtime',
        'gateway_left_downtime',
        'calibration_applied',
        'calibration_evaluated',
      ]),
      merchant_id: text,
      payment_method_type: textOrNull,
      payment_method: textOrNull,
      bucket_ms: timeMs,
      gateway: text,
      previous_gateway: textOrNull,
      score: share,
      previous_score: share,
      transaction_count: countOrNull,
      at_ms: timeMs,
      ...calibrated,
      flow_type: text.optional(),
      outcome: text.optional(),
      payment_count: count.optional(),
      gateway_count: count.optional(),
      hedging_capped: z.boolean().optional(),
    }),
  ),
  generated_at_ms: timeMs,
})

export const changesSchema: z.ZodType = z.object({
  merchant_id: text,
  changes: z.array(
    z.object({
      id: text,
      at: text,
      at_ms: timeMs,
      change: text,
      subject: text,
      subject_id: textOrNull,
      actor: textOrNull,
      request_id: textOrNull,
      before: z.record(text, z.unknown()),
      after: z.record(text, z.unknown()),
    }),
  ),
  page: count,
  page_size: count,
  total_results: count,
  ...freshness,
})

/** Query parameters of the reads of decisions: labels narrow them too. */
export const decisionQueryParameters: Readonly<Record<string, z.ZodType>> = {
  ...scoreQueryParameters,
  ...texts('routing_approach', 'exclude_routing_approach'),
}

/** Query parameters of the read of errors: route and error code narrow them too. */
export const errorQueryParameters: Readonly<Record<string, z.ZodType>> = { ...scoreQueryParameters, ...texts('route', 'error_code') }

/** Query parameters of the feed of routing events (analytics.md 5.1); another bucket counts as five minutes. */
export const routingEventsQueryParameters: Readonly<Record<string, z.ZodType>> = {
  range: z.enum(['15m', '1h', '12h', '1d', '1w']),
  start_ms: z.int(),
  end_ms: z.int(),
  bucket: z.enum(['1s', '1m', '5m']),
  min_transaction_count: z.int(),
  min_score_delta: z.number(),
  tolerance_pp: z.number(),
  limit: z.int().nonnegative(),
  include: z.enum(['all']),
  ...texts('payment_method_type', 'payment_method'),
}

/** Query parameters of the read of changes. */
export const changesQueryParameters: Readonly<Record<string, z.ZodType>> = {
  start_ms: z.int(),
  end_ms: z.int(),
  page: z.int().nonnegative(),
  page_size: z.int().nonnegative(),
  ...texts('merchant_id', 'subject', 'subject_id', 'actor', 'change'),
}
