import { type PaymentAudit, type PaymentSummary, routeOf, type TimelineEntry } from '@switchyard/analytics'
import type { AuditRequest } from './analytics-query.ts'
import { routeLabelOf, stageLabelOf } from './audit-names.ts'
import { detailsOf } from './entry-details.ts'
import { freshnessAnswer } from './freshness-answer.ts'

const resultAnswer = (payment: PaymentSummary): object => ({
  lookup_key: payment.lookupKey,
  payment_id: payment.paymentId,
  request_id: payment.requestId,
  merchant_id: payment.merchantId,
  first_seen_ms: payment.firstSeenMs,
  last_seen_ms: payment.lastSeenMs,
  event_count: payment.eventCount,
  latest_status: payment.latestStatus,
  latest_gateway: payment.latestGateway,
  latest_stage: payment.latestStage === null ? null : stageLabelOf(payment.latestStage),
  gateways: payment.gateways,
  routes: payment.routes.map(routeLabelOf),
  verdict: payment.verdict,
})

/** The label that was answered; of a refused decision without one the strategy asked for, under which it is found (analytics.md 3.2). */
const approachOf = ({ approach, facts }: TimelineEntry): string | null =>
  approach ?? (facts.kind === 'refusal' ? facts.rankingAlgorithm : null)

const entryAnswer = (payment: PaymentSummary, entry: TimelineEntry): object => {
  const details = detailsOf(entry)
  return {
    id: entry.id,
    flow_type: entry.flow,
    event_stage: entry.stage,
    route: routeOf(entry.flow),
    merchant_id: payment.merchantId,
    payment_id: payment.paymentId,
    request_id: entry.requestId,
    global_request_id: entry.caller?.globalRequestId ?? null,
    trace_id: entry.caller?.traceId ?? null,
    payment_method_type: entry.paymentMethodType,
    payment_method: entry.paymentMethod,
    gateway: entry.gateway,
    routing_approach: approachOf(entry),
    rule_name: entry.ruleName,
    status: entry.status,
    error_code: entry.errorCode,
    error_message: entry.errorMessage,
    score_value: entry.score,
    sigma_factor: null,
    average_latency: null,
    tp99_latency: null,
    transaction_count: entry.sampleCount,
    details: JSON.stringify(details),
    details_json: details,
    created_at_ms: entry.at,
  }
}

const totalsAnswer = ({ totals }: PaymentAudit): object => ({
  total_results: totals.results,
  total_success: totals.success,
  total_failure: totals.failure,
  total_decided: totals.byVerdict.decided,
  total_approved: totals.byVerdict.approved,
  total_declined: totals.byVerdict.declined,
  total_error: totals.byVerdict.error,
  total_pending: totals.byVerdict.pending,
})

/** The filters as they were understood. */
const filtersAnswer = ({ query }: AuditRequest): object => ({
  gateway: query.gateway ?? null,
  route: query.route ?? null,
  status: query.status ?? null,
  flow_type: query.flowType ?? null,
  routing_approach: query.routingApproach ?? null,
  error_code: query.errorCode ?? null,
  page: query.page,
  page_size: query.pageSize,
})

/** Answer of the audit reads (analytics.md 2.7); verdicts, their totals and the freshness are extra. */
export const auditAnswer = (audit: PaymentAudit, request: AuditRequest): object => {
  const { timeline } = audit
  const first = audit.results[0]
  return {
    merchant_id: audit.merchantId,
    range: audit.window.label,
    payment_id: request.paymentId ?? first?.paymentId ?? null,
    request_id: request.requestId ?? first?.requestId ?? null,
    ...filtersAnswer(request),
    ...totalsAnswer(audit),
    results: audit.results.map(resultAnswer),
    timeline: timeline === null ? [] : timeline.entries.map((entry) => entryAnswer(timeline.payment, entry)),
    start_ms: audit.window.startMs,
    end_ms: audit.window.endMs,
    ...freshnessAnswer(audit.freshness),
  }
}
