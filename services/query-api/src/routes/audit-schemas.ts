import * as z from 'zod'
import { freshness, texts, windowed, windowQuery } from './answer-schemas.ts'

const text = z.string()
const textOrNull = z.string().nullable()
const flag = z.boolean()
const count = z.number().int()
const countOrNull = count.nullable()
const numberOrNull = z.number().nullable()
const timeMs = z.number().int()
/** Parts that are told as they were recorded, and differ by kind and release. */
const recorded = z.record(text, z.unknown())
const recordedOrNull = recorded.nullable()

const auditedPayment = z.object({
  lookup_key: text,
  payment_id: textOrNull,
  request_id: textOrNull,
  merchant_id: text,
  first_seen_ms: timeMs,
  last_seen_ms: timeMs,
  event_count: count,
  latest_status: textOrNull,
  latest_gateway: textOrNull,
  latest_stage: textOrNull,
  gateways: z.array(text),
  routes: z.array(text),
  verdict: text,
})

const timelineEntry = z.object({
  id: text,
  flow_type: text,
  event_stage: text,
  route: text,
  merchant_id: text,
  payment_id: textOrNull,
  request_id: textOrNull,
  global_request_id: textOrNull,
  trace_id: textOrNull,
  payment_method_type: textOrNull,
  payment_method: textOrNull,
  gateway: textOrNull,
  routing_approach: textOrNull,
  rule_name: textOrNull,
  status: textOrNull,
  error_code: textOrNull,
  error_message: textOrNull,
  score_value: numberOrNull,
  sigma_factor: numberOrNull,
  average_latency: numberOrNull,
  tp99_latency: numberOrNull,
  transaction_count: countOrNull,
  details: text,
  details_json: recorded,
  created_at_ms: timeMs,
})

/** What the audit reads answer (analytics.md 2.7); for the API's description. */
export const paymentAuditSchema: z.ZodType = z.object({
  ...windowed,
  payment_id: textOrNull,
  request_id: textOrNull,
  gateway: textOrNull,
  route: textOrNull,
  status: textOrNull,
  flow_type: textOrNull,
  routing_approach: textOrNull,
  error_code: textOrNull,
  page: count,
  page_size: count,
  total_results: count,
  total_success: count,
  total_failure: count,
  total_decided: count,
  total_approved: count,
  total_declined: count,
  total_error: count,
  total_pending: count,
  results: z.array(auditedPayment),
  timeline: z.array(timelineEntry),
})

const settings = z.object({
  bucket_size: count,
  hedging_percent: z.number(),
  latency_threshold_ms: numberOrNull,
  outcome_window_ms: numberOrNull,
  adaptive: flag,
  extra_scores: z.array(z.object({ gateway: text, sigma_factor: z.number() })),
})

const explainedDecision = z.object({
  request_id: textOrNull,
  decided_at: text,
  request: recorded,
  candidates: z.array(z.object({ gateway: text, score: numberOrNull, rank: countOrNull })),
  scoring_key: recorded,
  settings,
  settings_from: recordedOrNull,
  downtime: recordedOrNull,
  exploration: z.object({ explored: flag, percent: numberOrNull, draw: z.number() }),
  winner: z.object({ gateway: textOrNull, reason: text, in_words: text }),
  fallback_gateways: z.array(text),
  gateway_before_evaluation: textOrNull,
  routing_approach: textOrNull,
  debit_routing_output: recordedOrNull,
  network_problem: textOrNull,
  experiment: recordedOrNull,
  costs: recordedOrNull,
  routing_algorithm_id: textOrNull,
  rule_name: textOrNull,
  latency_us: numberOrNull,
})

const explainedOutcome = z.object({
  request_id: textOrNull,
  reported_at: text,
  gateway: textOrNull,
  status: textOrNull,
  disposition: text,
  counted_as: z.enum(['success', 'failure']).nullable(),
  reason: text,
  score_after: numberOrNull,
  sample_count: countOrNull,
  slow: flag,
  gateway_health: textOrNull,
  dropped_outcomes: z.object({ count, older_rate: z.number(), newer_rate: z.number() }).nullable(),
  enforced_failure: flag,
  gateway_latency_ms: numberOrNull,
  error_code: textOrNull,
  error_message: textOrNull,
  gsm_info: recordedOrNull,
})

const explainedRefusal = z.object({
  request_id: textOrNull,
  refused_at: text,
  stage: text,
  error_code: textOrNull,
  error_message: textOrNull,
})

/** What the read of one payment answers. */
export const explanationSchema: z.ZodType = z.object({
  merchant_id: text,
  verdict: text,
  payment_id: textOrNull,
  in_words: z.array(text),
  decision: explainedDecision.nullable(),
  earlier_decisions: z.array(explainedDecision),
  outcomes: z.array(explainedOutcome),
  refusals: z.array(explainedRefusal),
  ...freshness,
})

/** Query parameters of the audit reads. */
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
