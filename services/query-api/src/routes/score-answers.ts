import type { GatewayScores, Overview, ScorePoint, ScoreSnapshot } from '@switchyard/analytics'
import { errorGroupAnswer } from './error-answers.ts'
import { freshnessAnswer } from './freshness-answer.ts'

/**
 * Windows keep no spread or latencies, so those are null; `transaction_count` are real outcomes
 * (analytics.md 2.2). `slow_count` is extra: successes of the span that took longer than the merchant's latency limit.
 */
const snapshotAnswer = (merchantId: string, snapshot: ScoreSnapshot): object => ({
  merchant_id: merchantId,
  payment_method_type: snapshot.paymentMethodType,
  payment_method: snapshot.paymentMethod,
  gateway: snapshot.gateway,
  score_value: snapshot.score,
  sigma_factor: null,
  average_latency: null,
  tp99_latency: null,
  transaction_count: snapshot.sampleCount,
  slow_count: snapshot.slowCount,
  last_updated_ms: snapshot.lastAtMs,
})

/** Points of a series of scores; `snapshot_count` is extra: the scores that the mean is of. */
export const seriesAnswer = (merchantId: string, series: readonly ScorePoint[]): readonly object[] =>
  series.map((point) => ({
    bucket_ms: point.bucketMs,
    merchant_id: merchantId,
    payment_method_type: point.paymentMethodType,
    payment_method: point.paymentMethod,
    gateway: point.gateway,
    score_value: point.score,
    snapshot_count: point.scoreCount,
  }))

/** Answer of the score read (analytics.md 2.2). */
export const gatewayScoresAnswer = ({ merchantId, window, bucketMs, snapshots, series, freshness }: GatewayScores): object => ({
  merchant_id: merchantId,
  range: window.label,
  snapshots: snapshots.map((snapshot) => snapshotAnswer(merchantId, snapshot)),
  series: seriesAnswer(merchantId, series),
  bucket_width_ms: bucketMs,
  start_ms: window.startMs,
  end_ms: window.endMs,
  ...freshnessAnswer(freshness),
})

const kpisAnswer = ({ window, narrowed, errorCount }: Overview): readonly object[] => [
  { label: `Decision events / ${window.label}`, value: String(narrowed.decisionCount), subtitle: 'Gateways chosen' },
  { label: 'Score snapshots', value: String(narrowed.scoreCount), subtitle: 'Outcomes that moved a success rate' },
  { label: 'Rule hits', value: String(narrowed.ruleHitCount), subtitle: 'Decisions that a rule took part in' },
  { label: 'Errors', value: String(errorCount), subtitle: 'Calls that failed' },
]

const routeHitsAnswer = ({ counts }: Overview): readonly object[] => [
  { route: '/decide_gateway', count: counts.decisionCount + counts.decisionErrorCount },
  { route: '/update_gateway', count: counts.outcomeCount + counts.outcomeErrorCount },
  { route: '/rule_evaluate', count: counts.evaluationCount + counts.evaluationErrorCount },
]

/** Answer of the overview (analytics.md 2.1); outcome counts and what the lists leave out are extra. */
export const overviewAnswer = (overview: Overview): object => ({
  merchant_id: overview.merchantId,
  kpis: kpisAnswer(overview),
  route_hits: routeHitsAnswer(overview),
  top_scores: overview.topScores.map((snapshot) => snapshotAnswer(overview.merchantId, snapshot)),
  top_errors: overview.topErrors.map(errorGroupAnswer),
  top_rules: overview.topRules.map(({ ruleName, count }) => ({ rule_name: ruleName, count })),
  smart_retry_stats: {
    retried_count: overview.counts.retriedCount,
    recovered_count: overview.counts.recoveredCount,
    by_trigger: overview.triggers.map(({ gateway, errorCode, count }) => ({ gateway, error_code: errorCode, count })),
    by_fallback: overview.retries,
  },
  outcome_counts: {
    approved: overview.counts.approvedCount,
    declined: overview.counts.declinedCount,
    pending: overview.counts.pendingCount,
  },
  gateway_outcomes: overview.gatewayOutcomes.map(({ gateway, approved, declined, pending }) => ({
    gateway,
    approved,
    declined,
    pending,
    // Of what is settled; null when nothing is.
    approval_rate: approved + declined === 0 ? null : approved / (approved + declined),
  })),
  total_errors: overview.errorCount,
  ungrouped_counts: {
    errors: overview.counts.ungroupedErrorCount,
    rules: overview.counts.ungroupedRuleCount,
    fallbacks: overview.counts.ungroupedRetryCount,
  },
  start_ms: overview.window.startMs,
  end_ms: overview.window.endMs,
  ...freshnessAnswer(overview.freshness),
})
