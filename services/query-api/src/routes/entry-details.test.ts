import { describe, expect, test } from '@jest/globals'
import type { Disposition, EntryFacts, TimelineEntry } from '@switchyard/analytics'
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

const DISPOSITIONS: readonly Disposition[] = ['counted', 'corrected', 'pending', 'repeated', 'conflicting', 'late', 'foreign', 'waiting']

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
        outcomeClass: 'declined',
        disposition,
        success: disposition === 'counted' ? false : null,
      }
      return JSON.stringify(detailsOf(entryOf(facts)))
    })
    expect(new Set(reasons).size).toBe(DISPOSITIONS.length)
    expect(reasons[0]).toContain('"counted_as":"failure"')
  })
})
