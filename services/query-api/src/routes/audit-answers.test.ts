import { describe, expect, test } from '@jest/globals'
import { type PaymentAudit, type PaymentTimeline, paymentTimelines, type RecordedPayment } from '@switchyard/analytics'
import type { PaymentsEvent } from '@switchyard/events'
import { parseAuditQuery } from './analytics-query.ts'
import { auditAnswer } from './audit-answers.ts'

const decided: PaymentsEvent = {
  type: 'GatewayDecided',
  data: {
    merchantId: 'm_1',
    paymentId: 'pay_1',
    requestId: 'r_1',
    at: 1_000,
    rankingAlgorithm: 'SR_BASED_ROUTING',
    paymentType: 'ORDER_PAYMENT',
    paymentMethodType: 'CARD',
    paymentMethod: 'CREDIT',
    amount: 12.5,
    currency: 'EUR',
    country: 'DE',
    cardType: null,
    cardNetwork: 'VISA',
    cardIsIn: '411111',
    authType: null,
    preferredGateway: null,
    eliminationRequested: null,
    multiObjectiveRequested: null,
    candidates: ['adyen', 'stripe', '__proto__'],
    scores: [0.9, 0.8, 0.7],
    gateway: 'adyen',
    fallbacks: ['stripe'],
    approach: 'SR_SELECTION_V3_ROUTING',
    gatewayBeforeEvaluation: 'adyen',
    explored: false,
    algorithmId: null,
    priorityLogicTag: 'cards',
    dimension: {
      paymentType: 'ORDER_PAYMENT',
      paymentMethodType: 'CARD',
      paymentMethod: 'CREDIT',
      cardNetwork: null,
      cardIsIn: null,
      currency: null,
      country: null,
      authType: null,
      udfs: [],
      version: 0,
    },
    knobs: {
      bucketSize: 125,
      hedgingPercent: 5,
      latencyThresholdMs: 300_000,
      outcomeWindowMs: null,
      adaptive: false,
      extraScores: [],
      sources: null,
    },
    latencyUs: 180,
    merchantRegistrationCount: 1,
    elimination: null,
    down: [],
    probe: false,
    network: null,
    networkProblem: null,
    experiment: null,
    costChoice: null,
    pricing: null,
  },
}
const reported: PaymentsEvent = {
  type: 'OutcomeRecorded',
  data: {
    merchantId: 'm_1',
    paymentId: 'pay_1',
    requestId: 'r_2',
    at: 2_000,
    gateway: 'adyen',
    status: 'FAILURE',
    statusClass: 'FAILURE',
    gatewayReferenceId: 'acc_1',
    enforceFailure: false,
    gatewayLatencyMs: 300,
    smartRetry: true,
    error: {
      flow: 'Authorize',
      subFlow: 'authorize',
      errorCode: '05',
      errorMessage: 'do not honour',
      issuerErrorCode: null,
      cardNetwork: null,
    },
    errorClass: null,
    excused: false,
    upload: null,
    merchantRegistrationCount: 1,
  },
}

const timelineOf = (...events: readonly PaymentsEvent[]): PaymentTimeline => {
  const key = ['m_1', 'live', 'pay_1']
  const records = events.map(
    (event, offset): RecordedPayment => ({ event, effects: [], position: { partition: 0, offset }, eventId: `e${offset}` }),
  )
  return records.reduce((view, record) => paymentTimelines.project(view, record, key), paymentTimelines.initialView(key))
}

const auditOf = ({ entries, ...payment }: PaymentTimeline): PaymentAudit => ({
  merchantId: 'm_1',
  window: { label: '1h', startMs: 0, endMs: 3_600_000 },
  totals: {
    results: 1,
    success: 0,
    failure: 1,
    byVerdict: { decided: 0, approved: 0, declined: 1, pending: 0, error: 0, evaluated: 0, defaulted: 0 },
  },
  results: [payment],
  timeline: { payment, entries },
  freshness: { asOfMs: 3_600_000, positions: [{ partition: 0, offset: 1 }], truncated: false },
})

const answer = auditAnswer(auditOf(timelineOf(decided, reported)), parseAuditQuery(new URLSearchParams('status=failure'), 'live', 0))

describe('audit answers', () => {
  test('list: labels for people, echoes, separate totals', () => {
    expect(answer).toMatchObject({
      merchant_id: 'm_1',
      range: '1h',
      payment_id: 'pay_1',
      request_id: 'r_2',
      status: 'FAILURE',
      route: null,
      page: 1,
      page_size: 12,
      total_results: 1,
      total_success: 0,
      total_failure: 1,
      total_declined: 1,
      results: [
        {
          lookup_key: 'pay_1',
          first_seen_ms: 1_000,
          last_seen_ms: 2_000,
          event_count: 3,
          latest_status: 'FAILURE',
          latest_gateway: 'adyen',
          latest_stage: 'Update Gateway',
          gateways: ['adyen'],
          routes: ['Decide Gateway', 'Update Gateway'],
        },
      ],
      as_of_ms: 3_600_000,
    })
  })

  test('timeline: raw routes, every key present, the decision with its scores', () => {
    expect(answer).toMatchObject({
      timeline: [
        { flow_type: 'decide_gateway_rule_hit', route: 'decide_gateway', rule_name: 'cards', status: 'hit' },
        {
          id: 'e0',
          flow_type: 'decide_gateway_decision',
          event_stage: 'gateway_decided',
          status: 'success',
          global_request_id: null,
          trace_id: null,
          score_value: null,
          created_at_ms: 1_000,
          details_json: {
            request: { amount: 12.5, eligible_gateways: ['adyen', 'stripe', '__proto__'] },
            response: { decided_gateway: 'adyen', fallback_gateways: ['stripe'] },
            score_context: { adyen: 0.9, stripe: 0.8 },
            selection_reason: { priority_logic_tag: 'cards' },
          },
        },
        {
          flow_type: 'update_gateway_score_update',
          status: 'FAILURE',
          error_code: '05',
          details_json: {
            request: { txn_latency: 300, is_smart_retry: true, error_info: { sub_flow: 'authorize' } },
            selection_reason: { disposition: 'waiting', reason: expect.stringContaining('No decision is known') },
          },
        },
      ],
    })
  })

  test('a decision tells the reset approach that its answer had, not that there was none', () => {
    expect(answer).toMatchObject({ timeline: [{}, { details_json: { selection_reason: { reset_approach: 'NO_RESET' } } }, {}] })
  })

  test('the scores of a decision are those of its answer, which put a gateway that was down behind the others', () => {
    const withDown: PaymentsEvent = { ...decided, data: { ...decided.data, down: ['adyen'] } }
    const told = auditAnswer(auditOf(timelineOf(withDown)), parseAuditQuery(new URLSearchParams(), 'live', 0))
    expect(told).toMatchObject({ timeline: [{}, { details_json: { score_context: { adyen: 0.18, stripe: 0.8 } } }] })
  })

  test.each([
    ['PL_BASED_ROUTING', null, 'PL_BASED_ROUTING'],
    ['PL_BASED_ROUTING', 'NONE', 'NONE'],
    [null, null, null],
  ])(
    'a refused decision that asked for %s and was answered %s had no routing_approach under which it was found',
    (asked, label, expected) => {
      const refused: PaymentsEvent = {
        type: 'DecisionRefused',
        data: {
          merchantId: 'm_1',
          paymentId: 'pay_1',
          requestId: 'r_3',
          at: 3_000,
          rankingAlgorithm: asked,
          stage: 'request_failed',
          errorCode: 'TE_05',
          errorMessage: 'off',
          approach: label,
          payment: null,
        },
      }
      const told = auditAnswer(auditOf(timelineOf(refused)), parseAuditQuery(new URLSearchParams(), 'live', 0))
      expect(told).toMatchObject({ timeline: [{ flow_type: 'decide_gateway_error', routing_approach: expected }] })
    },
  )

  test('details are the same as text and as data', () => {
    const { timeline } = JSON.parse(JSON.stringify(answer))
    for (const { details, details_json } of timeline) expect(JSON.parse(details)).toEqual(details_json)
    expect(timeline).toHaveLength(3)
  })
})
