import { describe, expect, test } from '@jest/globals'
import type { PaymentAudit } from '@switchyard/analytics'
import { paymentTimelines, type RecordedPayment } from '@switchyard/analytics'
import type { CostChoice, GatewayDecided, OutcomeRecorded, PaymentsEvent } from '@switchyard/events'
import { sampleGatewayDecided, sampleOutcomeRecorded } from '@switchyard/testing'
import { reasonOf } from '../routes/entry-details.ts'
import { explanationAnswer } from './explanation-answer.ts'

const auditOf = (...events: readonly PaymentsEvent[]): PaymentAudit => {
  const records = events.map(
    (event, offset): RecordedPayment => ({ event, effects: [], position: { partition: 0, offset }, eventId: `e_${offset}` }),
  )
  const key = ['m_1', 'live', 'p_1']
  const { entries, ...payment } = records.reduce(
    (view, record) => paymentTimelines.project(view, record, key),
    paymentTimelines.initialView(key),
  )
  return {
    merchantId: 'm_1',
    window: { label: '1h', startMs: 0, endMs: 1 },
    totals: {
      results: 1,
      success: 0,
      failure: 0,
      byVerdict: { decided: 0, approved: 0, declined: 0, pending: 0, error: 0, evaluated: 0, defaulted: 0 },
    },
    results: [payment],
    timeline: { payment, entries },
    freshness: { asOfMs: 5, positions: [], truncated: false },
  }
}
// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
// oxlint-disable-next-line typescript/no-explicit-any -- as above
const explain = (...events: readonly PaymentsEvent[]): any => explanationAnswer(auditOf(...events))
const decided = (change: Partial<GatewayDecided['data']> = {}) =>
  sampleGatewayDecided({
    scores: [0.9, 0.85, 1],
    gateway: 'checkout',
    fallbacks: ['stripe', 'adyen'],
    gatewayBeforeEvaluation: 'checkout',
    ...change,
  })
const reported = (change: Partial<OutcomeRecorded['data']> = {}) => sampleOutcomeRecorded({ gateway: 'checkout', ...change })

describe('explanation of a decision', () => {
  test('as data: everything as it was recorded', () => {
    expect(explain(decided(), reported({ status: 'FAILURE' }))).toMatchObject({
      merchant_id: 'm_1',
      payment_id: 'p_1',
      verdict: 'declined',
      decision: {
        request_id: 'r_1',
        decided_at: '1970-01-01T00:00:00.000Z',
        request: { ranking_algorithm: 'SR_BASED_ROUTING', amount: 100, currency: 'USD' },
        candidates: [
          { gateway: 'stripe', score: 0.9, rank: 2 },
          { gateway: 'adyen', score: 0.85, rank: 3 },
          { gateway: 'checkout', score: 1, rank: 1 },
        ],
        scoring_key: { payment_type: 'ORDER_PAYMENT', payment_method_type: 'CARD', payment_method: 'CREDIT', currency: null, udfs: [] },
        settings: { bucket_size: 125, hedging_percent: 5, latency_threshold_ms: 90_000, outcome_window_ms: 1_800_000 },
        downtime: null,
        exploration: { explored: false, percent: 5 },
        winner: { gateway: 'checkout', reason: 'HIGHEST_SCORE' },
        routing_approach: 'SR_SELECTION_V3_ROUTING',
      },
      earlier_decisions: [],
      outcomes: [{ gateway: 'checkout', status: 'FAILURE', disposition: 'waiting', counted_as: null }],
      refusals: [],
    })
  })

  test('in words', () => {
    expect(explain(decided(), reported()).in_words).toEqual([
      'At 1970-01-01T00:00:00.000Z the payment was decided by success rates for checkout (SR_SELECTION_V3_ROUTING).',
      'Candidates and the scores that were seen: stripe 0.9, adyen 0.85, checkout 1.',
      'checkout had the highest score.',
      expect.stringMatching(/^At 1970-01-01T00:00:01.000Z checkout was reported as CHARGED\. No decision/),
    ])
    expect(explain(decided()).in_words.at(-1)).toBe('No outcome was reported.')
  })

  test.each([
    ['ONLY_CANDIDATE', { approach: 'DEFAULT' }],
    ['PREFERRED', { approach: 'MERCHANT_PREFERENCE' }],
    ['PREFERRED', { approach: 'PRIORITY_LOGIC', preferredGateway: 'checkout' }],
    ['PREFERRED', { approach: 'PL_DOWNTIME_ROUTING', preferredGateway: 'checkout', algorithmId: 'routing_1' }],
    ['CHEAPER', { approach: 'SR_SELECTION_MULTI_OBJECTIVE', gatewayBeforeEvaluation: 'stripe' }],
    ['PROBED', { approach: 'SR_V3_DOWNTIME_ROUTING', down: ['checkout'], probe: true }],
    ['BETTER_WAS_DOWN', { approach: 'SR_V3_DOWNTIME_ROUTING', gatewayBeforeEvaluation: 'stripe' }],
    ['EXPLORED', { approach: 'SR_V3_HEDGING', explored: true }],
    ['RULE', { approach: 'PRIORITY_LOGIC', algorithmId: 'routing_1', priorityLogicTag: 'cards' }],
    ['CANDIDATE_ORDER', { approach: 'PRIORITY_LOGIC' }],
    ['CANDIDATE_ORDER', { approach: 'PRIORITY_LOGIC', preferredGateway: 'elsewhere' }],
    ['TIE', { scores: [1, 0.9, 1] }],
    ['HIGHEST_SCORE', {}],
  ] as const)('%s', (reason, change) => {
    const { winner } = explain(decided(change)).decision
    expect(winner).toMatchObject({ reason, in_words: expect.stringContaining('checkout') })
  })

  const weighed = (change: Partial<CostChoice>): CostChoice => ({
    outcome: 'AUTH_WON',
    cause: 'HEAD_BEST',
    marginRatio: 1,
    head: 'checkout',
    chosen: 'checkout',
    costSavedBps: null,
    gapRatio: null,
    ranked: [],
    modelVersion: null,
    ...change,
  })
  const byNetworks: Partial<GatewayDecided['data']> = { rankingAlgorithm: 'NTW_SR_HYBRID_ROUTING', approach: 'NTW_BASED_ROUTING' }
  const promoted = weighed({ outcome: 'COST_WON', cause: 'PROMOTED', head: 'adyen', costSavedBps: 12 })

  test.each<readonly [string, Partial<GatewayDecided['data']>, string]>([
    ['cost won under the label of the networks', { ...byNetworks, costChoice: promoted }, 'won over adyen because it costs 12.00 bps less'],
    ['the first by name of equal ones was kept', { costChoice: weighed({}) }, 'the first of them by name'],
    ['so it was while another one was down', { costChoice: weighed({}), down: ['adyen'] }, 'the first of them by name'],
    ['so it was where all were down', { costChoice: weighed({}), down: ['stripe', 'adyen', 'checkout'] }, 'the first of them by name'],
    ['the best was down', { costChoice: weighed({}), down: ['stripe'] }, 'because stripe, which came first before, was held to be down'],
  ])('where cost was weighed no gateway is told to be down that was not: %s', (_, change, words) => {
    const { winner } = explain(decided({ scores: [1, 0.9, 1], gatewayBeforeEvaluation: 'stripe', ...change })).decision
    expect(winner.in_words).toContain(words)
  })

  test('a payment of an experiment was decided by what its arm routes by, whatever was asked for', () => {
    const arm = { experimentId: 'x_1', arm: 'CONTROL', overrides: null, exclusion: null } as const
    const saidOf = (algorithmId: string | null, exclusion: 'NO_CANDIDATE' | null = null): string =>
      explain(decided({ rankingAlgorithm: 'PL_BASED_ROUTING', experiment: { ...arm, algorithmId, exclusion } })).in_words[0]
    expect(saidOf(null)).toContain('was decided by success rates for')
    expect(saidOf('routing_1')).toContain('was decided by a fixed arm of an experiment for')
    expect(saidOf('routing_1', 'NO_CANDIDATE')).toContain('was decided by the priority list for')
  })

  test('the gateway that took the place of one that was down is not told to come first in the algorithm of its arm', () => {
    const inArm: Partial<GatewayDecided['data']> = { approach: 'AB_TEST_STATIC_ALGORITHM', gatewayBeforeEvaluation: null, scores: [] }
    const wordsWith = (down: readonly string[]): string => explain(decided({ ...inArm, down })).decision.winner.in_words
    expect(wordsWith(['stripe'])).toContain('comes first of the gateways that are up in the algorithm')
    expect([wordsWith([]), wordsWith(['checkout', 'stripe'])]).toEqual(
      Array(2).fill(expect.stringContaining('comes first in the algorithm')),
    )
  })

  test('a correction is not told to have changed a window that the failure has left, or never was in', () => {
    const told = reasonOf({ kind: 'outcome', disposition: 'corrected', outcomeClass: 'success', enforceFailure: false } as never)
    expect(told).toContain('where that one still stands in the window')
  })

  test('a wish that had no say is told, but for the list that heard it', () => {
    const ignored = 'Success-rate routing takes no account of the preferred gateway.'
    expect(explain(decided({ preferredGateway: 'stripe' })).in_words).toContain(ignored)
    expect(explain(decided()).in_words).not.toContain(ignored)
    expect(explain(decided({ preferredGateway: 'stripe', ...byNetworks })).in_words).toContain(ignored) // the label is that of the networks
    const heard = explain(decided({ preferredGateway: 'checkout', approach: 'PRIORITY_LOGIC' })).in_words
    expect(heard).not.toContain(ignored)
    expect(heard).toContain('checkout was preferred by the request, which puts it first in the priority list.')
  })

  test('the newest decision is explained, earlier ones stay; a refused call is told', () => {
    const refused: PaymentsEvent = {
      type: 'DecisionRefused',
      data: {
        merchantId: 'm_1',
        paymentId: 'p_1',
        requestId: 'r_0',
        at: 0,
        rankingAlgorithm: null,
        stage: 'request_parse_failed',
        errorCode: 'INVALID_INPUT',
        errorMessage: 'Gateway not found.',
        approach: null,
        payment: null,
      },
    }
    const { decision, earlier_decisions, refusals, in_words } = explain(refused, decided(), decided({ requestId: 'r_9', at: 9 }))
    expect([decision.request_id, earlier_decisions[0].request_id, refusals[0].error_code]).toEqual(['r_9', 'r_1', 'INVALID_INPUT'])
    expect(in_words).toContain('It was decided 2 times; the newest decision counts.')
    expect(in_words).toContain('At 1970-01-01T00:00:00.000Z a call failed: INVALID_INPUT, Gateway not found.')
  })

  test('an outcome without a decision', () => {
    expect(explain(reported())).toMatchObject({ decision: null, in_words: ['No decision is known for this payment.', expect.any(String)] })
  })

  test('a payment whose decision is among the steps that are no longer kept was told to have none', () => {
    const reports = Array.from({ length: 200 }, (_, at) => reported({ at, requestId: `r_${at}`, status: 'PENDING' }))
    const { decision, in_words: words } = explain(decided(), ...reports)
    expect(decision).toBeNull()
    expect([words[0], words.at(-1)]).toEqual(['Its newest steps, which alone are kept, hold no decision.', '1 older steps are not told.'])
  })

  const network: GatewayDecided['data']['network'] = {
    options: [
      { network: 'ACCEL', fee: 8.93, savingPercent: 18.58 },
      { network: 'MASTERCARD', fee: 20.08, savingPercent: 0 },
    ],
    skipped: ['JCB'],
    issuerCountry: 'US',
    acquirerCountry: 'CA',
    isRegulated: false,
    regulatedName: null,
    cardType: 'debit',
    source: 'BIN_TABLE',
    category: 'c_1',
    feeTableVersion: 'v_1',
  }

  test('networks by cost, and what was skipped', () => {
    const asked = {
      rankingAlgorithm: 'NTW_BASED_ROUTING',
      approach: 'NTW_BASED_ROUTING',
      scores: [],
      gatewayBeforeEvaluation: null,
    } as const
    const { decision, in_words: words } = explain(decided({ ...asked, network }))
    expect(decision).toMatchObject({
      winner: { gateway: 'checkout', reason: 'FIRST_CANDIDATE' },
      candidates: [{ score: null }, { score: null }, { score: null }],
      network_problem: null,
      debit_routing_output: {
        networks: [
          { network: 'ACCEL', fee: 8.93, saving_percentage: 18.58 },
          { network: 'MASTERCARD', fee: 20.08, saving_percentage: 0 },
        ],
        skipped_networks: ['JCB'],
        issuer_country: 'US',
        acquirer_country: 'CA',
        is_regulated: false,
        regulated_name: null,
        card_type: 'debit',
        card_data_source: 'bin_table',
        merchant_category_code: 'c_1',
        fee_table_version: 'v_1',
      },
    })
    expect(words).toContain(
      'Networks, the cheapest first: ACCEL (saves 18.58 % of the amount), MASTERCARD (saves 0 % of the amount). Without a say: JCB.',
    )
  })

  test('a hybrid decision is explained by its scores; why its networks could not be told', () => {
    const asked = { rankingAlgorithm: 'NTW_SR_HYBRID_ROUTING', networkProblem: 'no metadata' } as const
    const { decision, in_words: words } = explain(decided(asked))
    expect(decision).toMatchObject({ winner: { reason: 'HIGHEST_SCORE' }, debit_routing_output: null, network_problem: 'no metadata' })
    expect(words).toContain('Its networks could not be told: no metadata.')
    const one = { candidates: ['checkout'], scores: [1], fallbacks: [], approach: 'NTW_BASED_ROUTING', network }
    expect(explain(decided({ ...asked, networkProblem: null, ...one })).decision).toMatchObject({ winner: { reason: 'ONLY_CANDIDATE' } })
  })
})
