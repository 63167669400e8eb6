import { describe, expect, test } from '@jest/globals'
import type { Disposition, EntryFacts, TimelineEntry } from '@switchyard/analytics'
import { sampleGatewayDecided } from '@switchyard/testing'
import { detailsOf } from './entry-details.ts'

const entryOf = (facts: EntryFacts): TimelineEntry => ({
  id: 'e1',
  flow: 'routing_evaluate_advanced',
  at: 1,
  requestId: 'r1',
  stage: 'preview_evaluated',
  status: 'success',
  gateway: 'adyen',
  approach: 'RULE_EVALUATE_PREVIEW',
  ruleName: 'cards',
  errorCode: 'code',
  errorMessage: 'message',
  paymentMethodType: null,
  paymentMethod: null,
  score: null,
  sampleCount: null,
  facts,
})

const DISPOSITIONS: readonly Disposition[] = [
  'counted',
  'corrected',
  'pending',
  'repeated',
  'conflicting',
  'excused',
  'late',
  'reset',
  'foreign',
  'waiting',
]

describe('details of an entry', () => {
  test('an evaluation shows what was asked and answered', () => {
    const facts: EntryFacts = {
      kind: 'evaluation',
      algorithmId: 'a1',
      algorithmKind: 'VOLUME_SPLIT',
      evaluated: ['adyen'],
      eligible: ['adyen', 'stripe'],
      drawnSlot: 1,
      parameters: { currency: 'EUR' },
    }
    expect(detailsOf(entryOf(facts))).toEqual({
      request: { parameters: { currency: 'EUR' } },
      response: { status: 'success', gateway: 'adyen', evaluated: ['adyen'], eligible: ['adyen', 'stripe'], drawn_slot: 1 },
      rule_name: 'cards',
      preview_kind: 'volume_split',
      routing_algorithm_id: 'a1',
    })
  })

  test('a rule hit shows the candidates, a refused call its error', () => {
    expect(detailsOf(entryOf({ kind: 'rule-hit', candidates: ['adyen'] }))).toEqual({
      functional_gateways: ['adyen'],
      experiment_tag: null,
    })
    expect(detailsOf(entryOf({ kind: 'refusal', rankingAlgorithm: null }))).toEqual({
      request: { ranking_algorithm: null },
      error: { code: 'code', message: 'message' },
    })
  })

  test('every disposition of an outcome has its own sentence', () => {
    const reasons = DISPOSITIONS.map((disposition) => {
      const facts: EntryFacts = {
        kind: 'outcome',
        gatewayReferenceId: null,
        enforceFailure: false,
        gatewayLatencyMs: null,
        smartRetry: null,
        error: null,
        errorClass: null,
        outcomeClass: 'declined',
        disposition,
        success: disposition === 'counted' ? false : null,
      }
      return JSON.stringify(detailsOf(entryOf(facts)))
    })
    expect(new Set(reasons).size).toBe(DISPOSITIONS.length)
    expect(reasons[0]).toContain('"counted_as":"failure"')
  })

  const outcomeFacts = {
    kind: 'outcome',
    gatewayReferenceId: null,
    enforceFailure: false,
    gatewayLatencyMs: 5_000,
    smartRetry: null,
    error: null,
    errorClass: null,
    outcomeClass: 'approved',
    disposition: 'counted',
    success: true,
  } as const

  test('what an outcome showed of its gateway; entries of earlier releases know nothing of it', () => {
    const news = { slow: true, dropped: { count: 8, olderRate: 0.25, newerRate: 1 }, health: 'up' } as const
    expect(detailsOf(entryOf({ ...outcomeFacts, news }))).toMatchObject({
      selection_reason: { slow: true, gateway_health: 'up', dropped_outcomes: { count: 8, older_rate: 0.25, newer_rate: 1 } },
    })
    expect(detailsOf(entryOf(outcomeFacts))).toMatchObject({
      selection_reason: { slow: false, gateway_health: null, dropped_outcomes: null },
    })
  })

  test('an outcome a day after its decision was told to have none, and to count nowhere where it counted in an experiment', () => {
    expect(detailsOf(entryOf({ ...outcomeFacts, disposition: 'waiting', success: null }))).toMatchObject({
      selection_reason: { reason: expect.stringMatching(/^No decision is known .* or it is too long ago\. .* counts in no window /) },
    })
  })

  const { dimension, knobs } = sampleGatewayDecided().data
  const decisionFacts = {
    kind: 'decision',
    rankingAlgorithm: 'SR_BASED_ROUTING',
    paymentType: 'ORDER_PAYMENT',
    amount: 1,
    currency: 'EUR',
    country: null,
    cardType: null,
    cardNetwork: null,
    cardIsIn: null,
    authType: null,
    preferredGateway: 'stripe',
    eliminationRequested: null,
    multiObjectiveRequested: null,
    candidates: ['adyen', 'stripe'],
    scores: [1, 0.9],
    fallbacks: ['stripe'],
    gatewayBeforeEvaluation: 'adyen',
    explored: false,
    algorithmId: null,
    latencyUs: null,
    dimension,
    knobs,
    elimination: null,
  } as const

  test.each([
    [
      'a preferred gateway that had no say',
      'SR_V3_HEDGING',
      undefined,
      { down_gateways: [], probe: false, note: expect.stringContaining('preferred') },
    ],
    ['a preferred gateway of a list', 'PRIORITY_LOGIC', undefined, { note: null }],
    [
      'a probe',
      'SR_V3_DOWNTIME_HEDGING',
      { down: ['adyen'], probe: true },
      { down_gateways: ['adyen'], probe: true, note: expect.stringContaining('tries') },
    ],
  ])('a decision tells %s', (_name, approach, downtime, expected) => {
    const facts: EntryFacts = downtime === undefined ? decisionFacts : { ...decisionFacts, downtime }
    expect(detailsOf({ ...entryOf(facts), approach })).toMatchObject({ selection_reason: expected })
  })

  const row = { pctBps: 90, fixed: 0, authRatio: 1, source: 'EXACT', interchangeCategory: null } as const
  const ranked = [
    { ...row, gateway: 'stripe', costBps: 90, expectedRatio: 0.19 },
    { ...row, gateway: 'adyen', costBps: 140, expectedRatio: 0.18 },
  ]
  const costChoice = {
    outcome: 'COST_WON',
    cause: 'PROMOTED',
    marginRatio: 0.2,
    head: 'adyen',
    chosen: 'stripe',
    costSavedBps: 50,
    gapRatio: 0.01,
    ranked,
    modelVersion: 'costs-0-1',
  } as const
  const pricing = { costsBps: [140, null], marginRatio: 0.2, wanted: true }

  test.each([
    ['nothing of costs', {}, null],
    [
      'how costs were weighed',
      { costChoice },
      {
        weighed: true,
        outcome: 'COST_WON',
        head: 'adyen',
        chosen: 'stripe',
        cost_saved_bps: 50,
        gateways: [{ gateway: 'stripe', cost_bps: 90, expected_value: 0.19, source: 'EXACT' }, { gateway: 'adyen' }],
      },
    ],
    [
      'what it costs where that was not weighed',
      { pricing },
      {
        weighed: false,
        cause: null,
        gateways: [
          { gateway: 'adyen', cost_bps: 140 },
          { gateway: 'stripe', cost_bps: null },
        ],
      },
    ],
    [
      'why weighing ranked nothing',
      { costChoice: { ...costChoice, outcome: 'AUTH_WON', cause: 'HEAD_WITHOUT_COST', ranked: [] } as const, pricing },
      { weighed: true, cause: 'HEAD_WITHOUT_COST', gateways: [{ gateway: 'adyen' }, {}] },
    ],
  ])('a decision tells %s', (_name, facts, expected) => {
    const { costs } = detailsOf(entryOf({ ...decisionFacts, ...facts })) as { readonly costs: unknown }
    if (expected === null) expect(costs).toBeNull()
    else expect(costs).toMatchObject(expected)
  })
})
