import { describe, expect, test } from '@jest/globals'
import { createEventCodec, publishedSchemaIds } from '@switchyard/events'
import { createRuleEvaluator, type Output, printDefinition, type RoutingAlgorithms, type Rule } from '@switchyard/routing'
import { loadRuleData } from '@switchyard/routing-data'
import fc from 'fast-check'
import { loadDebitData } from './debit-data/load-debit-data.ts'
import { evaluateByReference } from './reference-evaluator.fixture.ts'
import { sampleService } from './sample-service.fixture.ts'

const ruleData = loadRuleData({ routingKeys: undefined, eligibility: undefined })
const debitData = loadDebitData({ networkFees: undefined, binTable: undefined })
const { compiledOf } = createRuleEvaluator(ruleData.catalogue)
const codec = createEventCodec(publishedSchemaIds(), { strict: true })

const connector = fc.record({
  gatewayName: fc.constantFrom('adyen', 'Stripe', 'checkout', 'wörldpay "eu"'),
  gatewayId: fc.constantFrom(null, null, 'mca_1'),
})
const connectors = fc.array(connector, { maxLength: 4 })
const weight = fc.nat(3)
const output: fc.Arbitrary<Output> = fc.oneof(
  fc.record({ form: fc.constant('single' as const), connector }),
  fc.record({ form: fc.constant('priority' as const), connectors }),
  fc.record({ form: fc.constant('volumeSplit' as const), splits: fc.array(fc.record({ weight, connector }), { maxLength: 3 }) }),
  fc.record({ form: fc.constant('volumeSplitPriority' as const), splits: fc.array(fc.record({ weight, connectors }), { maxLength: 3 }) }),
)
const condition = fc.oneof(
  fc.record({ key: fc.constant('amount'), value: fc.record({ type: fc.constant('number' as const), value: fc.nat(3) }) }),
  fc.record({
    key: fc.constantFrom('currency', 'card_network'),
    value: fc.record({ type: fc.constant('enumVariant' as const), value: fc.constantFrom('EUR', 'USD', 'visa', 'Mastercard') }),
  }),
)
const rule: fc.Arbitrary<Rule> = fc
  .tuple(fc.constantFrom('eur', 'Große "Beträge"'), output, fc.array(condition, { minLength: 1, maxLength: 2 }))
  .map(([name, answer, conditions]) => ({
    name,
    routingType: 'priority',
    output: answer,
    statements: [{ conditions: conditions.map((one) => ({ ...one, comparison: 'equal', metadata: {} })), nested: [] }],
  }))
const state: fc.Arbitrary<RoutingAlgorithms> = fc.tuple(fc.array(rule, { maxLength: 4 }), output).map(([rules, defaultSelection]) => {
  const algorithm = { kind: 'ADVANCED', program: { globals: [], defaultSelection, rules, metadata: null } } as const
  const stored = { id: 'routing_1', name: 'n', description: '', purpose: 'PAYMENT', createdAt: 1, modifiedAt: 1 } as const
  return {
    registered: true,
    algorithms: [{ ...stored, kind: 'ADVANCED', definition: printDefinition(algorithm) }],
    active: [{ purpose: 'PAYMENT', algorithmId: 'routing_1' }],
  }
})

const word = (...values: string[]) => fc.record({ type: fc.constant('enum_variant'), value: fc.constantFrom(...values) })
const note = fc.constantFrom('gold', '4242 4242 4242 4242', 'x'.repeat(300), 'naïve')
const parameters = fc.record(
  {
    amount: fc.record({ type: fc.constant('number'), value: fc.constantFrom(0, 1, 2, 49.9) }),
    currency: word('EUR', 'usd'),
    card_network: word('visa', 'VISA', 'Master_Card'),
    payment_method_type: word('credit', 'ideal'),
    billing_country: word('Germany', 'Netherlands'),
    capture_method: word('manual', 'automatic'),
    metadata: fc.record({ type: fc.constant('metadata_variant'), value: fc.record({ key: fc.constant('tier'), value: note }) }),
    10: fc.record({ type: fc.constant('metadata_variant'), value: fc.record({ key: fc.constant('zone'), value: note }) }),
    card_bin: fc.record({ type: fc.constant('str_value'), value: note }),
    wallet: fc.constant(null),
    // Seldom, so that most requests are answered.
    colour: fc.constantFrom(null, null, null, { type: 'str_value', value: 'red' }, { type: 'colour' }),
  },
  { requiredKeys: [] },
)
const body = fc.record(
  {
    created_by: fc.constant('m_9'),
    parameters,
    payment_id: fc.option(fc.constantFrom('p_1', 'p_2', '"π"', 'x'.repeat(65))),
    fallback_output: fc.constantFrom(null, [], [{ gateway_name: 'zeta' }, { gateway_name: 'adyen', gateway_id: 'mca_1' }]),
    algorithm_for: fc.constantFrom('payment', null, 'payment', 'payout'),
    trace: fc.constantFrom(false, null),
  },
  { requiredKeys: ['created_by', 'parameters'] },
)

describe('the way of an evaluation', () => {
  test('answers and records what the plain reference does, byte by byte', async () => {
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(state, fc.array(body, { minLength: 5, maxLength: 10 }), async (algorithms, bodies) => {
        const { call, recorded } = sampleService({ slices: { 'routing-algorithms': algorithms }, debitData })
        for (const sent of bodies) {
          const { status, json } = await call('/routing/evaluate', sent)
          const expected = evaluateByReference(ruleData, compiledOf, { body: sent, state: algorithms })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          expect([status, json]).toEqual([expected.status, expected.json])
          if (expected.event === undefined) continue
          expect(recorded.at(-1)).toEqual(expected.event)
          expect(recorded.slice(-1).map(codec.encode)).toEqual([codec.encode(expected.event)])
        }
      }),
      { numRuns: 200 },
    )
    // The property means nothing when one of them is rare.
    for (const status of [200, 400, 422]) expect(statuses.get(status) ?? 0).toBeGreaterThan(50)
  })
})
