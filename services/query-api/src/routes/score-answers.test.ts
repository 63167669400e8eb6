import { describe, expect, test } from '@jest/globals'
import type { Overview } from '@switchyard/analytics'
import { gatewayScoresAnswer, overviewAnswer } from './score-answers.ts'

const window = { label: 'custom', startMs: 0, endMs: 900_000 } as const
const freshness = { asOfMs: 5, positions: [{ partition: 2, offset: 7 }], truncated: true }
const snapshot = {
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
  gateway: 'adyen',
  score: 0.9,
  sampleCount: 12,
  slowCount: 2,
  lastAtMs: 800_000,
}
const snapshotWire = {
  merchant_id: 'm_1',
  payment_method_type: 'CARD',
  payment_method: 'CREDIT',
  gateway: 'adyen',
  score_value: 0.9,
  sigma_factor: null,
  average_latency: null,
  tp99_latency: null,
  transaction_count: 12,
  slow_count: 2,
  last_updated_ms: 800_000,
}

const overview: Overview = {
  merchantId: 'm_1',
  window,
  counts: {
    decisionCount: 10,
    decisionErrorCount: 1,
    outcomeCount: 8,
    outcomeErrorCount: 2,
    evaluationCount: 4,
    evaluationErrorCount: 3,
    ruleHitCount: 5,
    scoreCount: 7,
    approvedCount: 6,
    declinedCount: 1,
    pendingCount: 1,
    retriedCount: 2,
    recoveredCount: 1,
    ungroupedDecisionCount: 0,
    ungroupedErrorCount: 9,
    ungroupedRuleCount: 0,
    ungroupedRetryCount: 0,
  },
  narrowed: { decisionCount: 10, ruleHitCount: 5, scoreCount: 7 },
  errorCount: 6,
  topScores: [snapshot],
  topErrors: [{ route: 'decide_gateway', errorCode: 'e', errorMessage: 'm', count: 1, lastSeenMs: 4 }],
  topRules: [{ ruleName: 'cards', count: 5 }],
  retries: [{ gateway: 'adyen', retried: 2, recovered: 1 }],
  triggers: [{ gateway: 'adyen', errorCode: 'issuer_down', count: 3 }],
  gatewayOutcomes: [
    { gateway: 'adyen', approved: 6, declined: 2, pending: 1 },
    { gateway: 'stripe', approved: 0, declined: 0, pending: 1 },
  ],
  freshness,
}

describe('answers of scores and figures', () => {
  test('overview', () => {
    const answer = overviewAnswer(overview)
    expect(answer).toMatchObject({
      merchant_id: 'm_1',
      route_hits: [
        { route: '/decide_gateway', count: 11 },
        { route: '/update_gateway', count: 10 },
        { route: '/rule_evaluate', count: 7 },
      ],
      top_scores: [snapshotWire],
      top_errors: [{ route: 'decide_gateway', error_code: 'e', error_message: 'm', count: 1, last_seen_ms: 4 }],
      top_rules: [{ rule_name: 'cards', count: 5 }],
      smart_retry_stats: {
        retried_count: 2,
        recovered_count: 1,
        by_trigger: [{ gateway: 'adyen', error_code: 'issuer_down', count: 3 }],
        by_fallback: [{ gateway: 'adyen', retried: 2, recovered: 1 }],
      },
      outcome_counts: { approved: 6, declined: 1, pending: 1 },
      gateway_outcomes: [
        { gateway: 'adyen', approved: 6, declined: 2, pending: 1, approval_rate: 0.75 },
        { gateway: 'stripe', approved: 0, declined: 0, pending: 1, approval_rate: null },
      ],
      total_errors: 6,
      ungrouped_counts: { errors: 9 },
      as_of_ms: 5,
      positions: [{ partition: 2, offset: 7 }],
      truncated: true,
    })
    expect(answer).toMatchObject({
      kpis: [
        { label: 'Decision events / custom', value: '10' },
        { label: 'Score snapshots', value: '7' },
        { label: 'Rule hits', value: '5' },
        { label: 'Errors', value: '6' },
      ],
    })
  })

  test('gateway scores', () => {
    const { score, paymentMethodType, paymentMethod, gateway } = snapshot
    const point = { bucketMs: 60_000, paymentMethodType, paymentMethod, gateway, score, scoreCount: 3 }
    expect(
      gatewayScoresAnswer({ merchantId: 'm_1', window, bucketMs: 60_000, snapshots: [snapshot], series: [point], freshness }),
    ).toMatchObject({
      merchant_id: 'm_1',
      range: 'custom',
      snapshots: [snapshotWire],
      series: [
        {
          bucket_ms: 60_000,
          merchant_id: 'm_1',
          payment_method_type: 'CARD',
          payment_method: 'CREDIT',
          gateway: 'adyen',
          score_value: 0.9,
          snapshot_count: 3,
        },
      ],
      bucket_width_ms: 60_000,
      as_of_ms: 5,
    })
  })
})
