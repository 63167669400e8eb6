import { describe, expect, test } from '@jest/globals'
import type { GatewayDecision, PaymentDetails } from '@switchyard/routing'
import fc from 'fast-check'
import { decisionAnswer } from './decision-answer.ts'
import { decisionJson } from './decision-json.ts'

const text = fc.oneof(
  // No backslash alone: `JSON.parse` of Node 24 takes other escaped members of one character for it.
  fc.constantFrom('adyen', 'stripe:mca_1', '__proto__', '10', '"', '\\\\', 'a\u0000b'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const plan = fc.record({
  gateways: fc.array(text, { maxLength: 3 }),
  tag: fc.option(text),
  algorithmId: fc.option(text),
  run: fc.option(fc.record({ name: fc.option(text), failure: fc.constantFrom(null, 'PL_EVALUATION_FAILED' as const) })),
})
const debitNetwork = fc.constantFrom('VISA' as const, 'STAR' as const, 'NYCE' as const)
const option = fc.record({ network: debitNetwork, fee: fc.double(), savingPercent: fc.nat() })
const network = fc.record({
  options: fc.array(option, { maxLength: 3 }),
  skipped: fc.array(text, { maxLength: 1 }),
  issuerCountry: text,
  acquirerCountry: text,
  isRegulated: fc.boolean(),
  regulatedName: fc.option(text),
  cardType: fc.constantFrom('debit' as const, 'credit' as const),
  source: fc.constantFrom('METADATA' as const, 'BIN_TABLE' as const),
  category: text,
  feeTableVersion: text,
  gateways: fc.option(fc.array(fc.array(text, { maxLength: 2 }), { minLength: 3, maxLength: 3 })),
})
const experiment = fc.record({
  experimentId: text,
  arm: fc.constantFrom('CONTROL' as const, 'VARIANT' as const),
  algorithmId: fc.option(text),
  overrides: fc.constant(null),
  exclusion: fc.constantFrom(null, 'NO_CANDIDATE' as const),
})
const weighedGateway = fc.record({
  gateway: text,
  authRatio: fc.double({ noNaN: true, noDefaultInfinity: true }),
  costBps: fc.nat(),
  pctBps: fc.nat(),
  fixed: fc.nat(),
  expectedRatio: fc.double({ noNaN: true, noDefaultInfinity: true }),
  source: fc.constantFrom('EXACT' as const, 'CONTRACT' as const, 'REGION' as const),
  interchangeCategory: fc.option(text),
})
const costs = fc.record({
  reason: text,
  fallbacks: fc.array(text, { maxLength: 2 }),
  choice: fc.record({
    outcome: fc.constantFrom('COST_WON' as const, 'AUTH_WON' as const),
    cause: fc.constant('PROMOTED' as const),
    marginRatio: fc.nat(),
    head: fc.option(text),
    chosen: fc.option(text),
    costSavedBps: fc.option(fc.nat()),
    gapRatio: fc.option(fc.nat()),
    ranked: fc.array(weighedGateway, { maxLength: 3 }),
    modelVersion: fc.option(text),
  }),
})
const decisions: fc.Arbitrary<GatewayDecision> = fc.record({
  gateway: text,
  fallbacks: fc.array(text, { maxLength: 3 }),
  candidates: fc.uniqueArray(text, { maxLength: 4 }),
  scores: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
  down: fc.array(text, { maxLength: 2 }),
  approach: fc.constantFrom('SR_SELECTION_V3_ROUTING', 'DEFAULT', 'SR_V3_ALL_DOWNTIME_HEDGING', 'AB_TEST_STATIC_ALGORITHM'),
  gatewayBeforeEvaluation: fc.option(text),
  explored: fc.boolean(),
  probe: fc.boolean(),
  plan: fc.option(plan),
  routingDimension: fc.option(fc.record({ text, level: fc.constantFrom('CARD_LEVEL', 'PM_LEVEL') })),
  dimension: fc.constant(null as never),
  knobs: fc.constant(null as never),
  elimination: fc.constant(null as never),
  network: fc.option(network),
  networkProblem: fc.option(text),
  experiment: fc.option(experiment),
  costs: fc.option(costs),
})

/** A payment for tests, whose network and issuer may be anything. */
const payment = (cardNetwork: string | null): PaymentDetails => ({
  paymentId: 'p',
  amount: 10,
  currency: 'EUR',
  paymentType: 'ORDER_PAYMENT',
  paymentMethodType: 'CARD',
  paymentMethod: 'CREDIT',
  country: null,
  cardType: 'DEBIT',
  cardNetwork,
  cardIsIn: null,
  udfs: null,
  authType: null,
  preferredGateway: null,
  cardProgram: null,
  cardIssuerCountry: cardNetwork,
  channel: null,
})

describe('the text of a decision', () => {
  test('says what its answer says', () => {
    fc.assert(
      fc.property(decisions, fc.option(text), fc.nat(), (decision, network, latencyMs) => {
        const answer = decisionAnswer(decision, payment(network), latencyMs)
        expect(JSON.parse(decisionJson(decision, payment(network), latencyMs))).toEqual(JSON.parse(JSON.stringify(answer)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('is ASCII, whatever the names are', () => {
    const isAscii = (json: string): boolean => Buffer.byteLength(json) === json.length
    fc.assert(fc.property(decisions, fc.option(text), (decision, network) => isAscii(decisionJson(decision, payment(network), 1))))
  })

  test('has the members in the same order', () => {
    const [decision] = fc.sample(decisions, 1)
    if (decision === undefined) throw new Error('no sample')
    expect(Object.keys(JSON.parse(decisionJson(decision, payment(null), 1)))).toEqual(
      Object.keys(decisionAnswer(decision, payment(null), 1)),
    )
  })
})
