import { describe, expect, test } from '@jest/globals'
import { checkParameters, createRuleEvaluator, isEvaluationError, type RoutingAlgorithms, routingAlgorithms } from '@switchyard/routing'
import { loadRuleData } from '@switchyard/routing-data'
import type { HandleCommand, StreamStates } from '@switchyard/runtime'
import fc from 'fast-check'
import { routingRoutes } from './routing.ts'

const merchantId = 'm_1'
const { catalogue } = loadRuleData({ routingKeys: undefined, eligibility: undefined })

const word = fc.constantFrom('card', 'EUR', 'debit', 'Visa', '411111', 'gold', '', 'x'.repeat(300))
const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0.5, 1e300, 300, '', [], {}, { type: 'number' }, '__proto__'),
  fc.jsonValue({ maxDepth: 2 }),
)
/** Mostly what belongs there. */
const rarely = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary: value }, { weight: 1, arbitrary: junk })
const number = fc.oneof(fc.nat(1000), fc.constantFrom(0.25, 99.5))
const comparison = fc.constantFrom(
  'equal',
  'equal',
  'equal',
  'not_equal',
  'less_than',
  'less_than_equal',
  'greater_than',
  'greater_than_equal',
)
const value = fc.oneof(
  fc.record({ type: fc.constant('number'), value: rarely(number) }),
  fc.record({ type: fc.constant('number_array'), value: rarely(fc.array(number, { maxLength: 3 })) }),
  fc.record({
    type: fc.constant('number_comparison_array'),
    value: rarely(fc.array(fc.record({ comparison_type: comparison, number }), { maxLength: 2 })),
  }),
  fc.record({ type: fc.constant('enum_variant'), value: rarely(word) }),
  fc.record({ type: fc.constant('enum_variant_array'), value: rarely(fc.array(word, { maxLength: 3 })) }),
  fc.record({ type: fc.constant('str_value'), value: rarely(word) }),
  fc.record({ type: fc.constant('metadata_variant'), value: rarely(fc.record({ key: word, value: word })) }),
  fc.record({ type: fc.constant('global_ref'), value: rarely(fc.constantFrom('g', 'h', '__proto__', 'toString')) }),
)
const enumOf = (lhs: string, ...words: readonly string[]) =>
  fc.record({
    lhs: fc.constant(lhs),
    comparison: fc.constantFrom('equal', 'not_equal'),
    value: fc.constantFrom(...words).map((of) => ({ type: 'enum_variant', value: of })),
  })
const valid = fc.oneof(
  enumOf('currency', 'EUR', 'eur', 'USD'),
  enumOf('payment_method', 'card', 'CARD'),
  enumOf('card_network', 'Visa', 'master card'),
  fc.record({ lhs: fc.constant('amount'), comparison, value: number.map((of) => ({ type: 'number', value: of })) }),
)
const anyCondition = fc.record({
  lhs: rarely(fc.constantFrom('amount', 'currency', 'card_bin', 'metadata', 'constructor', 'card_type')),
  comparison: rarely(comparison),
  value: rarely(value),
})
const condition = fc.oneof({ weight: 6, arbitrary: valid }, { weight: 1, arbitrary: anyCondition })
const { statement } = fc.letrec((tie) => ({
  statement: fc.record({
    condition: rarely(fc.array(condition, { maxLength: 3 })),
    nested: fc.oneof({ depthSize: 'small', maxDepth: 3 }, fc.constant(null), fc.array(tie('statement'), { maxLength: 2 })),
  }),
}))
const connector = fc.record({ gateway_name: rarely(word), gateway_id: rarely(fc.constantFrom(null, 'id')) })
const split = rarely(fc.integer({ min: 0, max: 100 }))
const outputs = {
  priority: rarely(fc.array(connector, { maxLength: 3 })),
  volume_split: rarely(fc.array(fc.record({ split, output: connector }), { minLength: 1, maxLength: 3 })),
  volume_split_priority: rarely(
    fc.array(fc.record({ split, output: fc.array(connector, { maxLength: 2 }) }), { minLength: 1, maxLength: 2 }),
  ),
}
const formed = fc
  .constantFrom<keyof typeof outputs>('priority', 'volume_split', 'volume_split_priority')
  .chain((form) => outputs[form].map((output) => ({ routing_type: form, output: { [form]: output } })))
const rule = fc
  .tuple(fc.record({ name: rarely(word), statements: rarely(fc.array(statement, { maxLength: 3 })) }), formed)
  .map(([named, output]) => ({ ...named, ...output }))
const program = fc.record({
  globals: rarely(fc.dictionary(fc.constantFrom('g', 'h', '__proto__'), fc.array(value, { maxLength: 3 }))),
  default_selection: rarely(fc.record({ priority: outputs.priority })),
  rules: rarely(fc.array(rarely(rule), { maxLength: 4 })),
  metadata: rarely(fc.constant(null)),
})
const algorithm = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('advanced'), data: rarely(program) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: rarely(fc.constantFrom('single', 'priority', 'volume_split')),
      data: fc.oneof(connector, outputs.priority, outputs.volume_split),
    }),
  },
)
const body = rarely(
  fc.record(
    {
      name: rarely(word),
      created_by: fc.constant(merchantId),
      algorithm: rarely(algorithm),
      description: rarely(word),
      algorithm_for: rarely(fc.constant('payment')),
      rule_id: rarely(fc.constant(null)),
    },
    { requiredKeys: ['name', 'created_by', 'algorithm'] },
  ),
)

/** The command side without a log: what is decided takes effect at once. */
const createMerchantState = () => {
  const registered = { type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 0 } } as const
  let state: RoutingAlgorithms = routingAlgorithms.evolve(routingAlgorithms.initialState, registered)
  const handle = ((_slice: unknown, { command }: { readonly command: Parameters<typeof routingAlgorithms.decide>[0] }) => {
    const decision = routingAlgorithms.decide(command, state)
    if (!decision.accepted) return Promise.resolve({ ...decision, state, position: undefined })
    state = decision.events.reduce(routingAlgorithms.evolve, state)
    return Promise.resolve({ accepted: true, state, position: undefined })
  }) as unknown as HandleCommand
  return { handle, current: () => state }
}

describe('POST /routing/create with anything', () => {
  test('it is stored or refused, never a failure; what is stored can be evaluated', async () => {
    const counts = new Map<number, number>()
    const parameters = checkParameters(
      catalogue,
      new Map([
        ['amount', { type: 'number', value: 50 }],
        ['currency', { type: 'enumVariant', value: 'EUR' }],
        ['payment_method', { type: 'enumVariant', value: 'card' }],
        ['card_network', { type: 'enumVariant', value: 'visa' }],
      ]),
    )
    if (!parameters.accepted) throw new Error(parameters.problem.code)
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const merchant = createMerchantState()
        const [create] = routingRoutes({
          handle: merchant.handle,
          states: {} as StreamStates,
          evaluator: createRuleEvaluator(catalogue),
          now: () => 1,
          newId: () => 'id',
        })
        const request = {
          params: {},
          query: new URLSearchParams(),
          headers: {},
          identity: { kind: 'admin' },
          requestId: 'r',
          receivedAt: 0,
          remoteAddress: () => '127.0.0.1',
        } as const
        const reply = await create?.handle({ ...request, body: JSON.parse(JSON.stringify(sent)) })
        const status = reply?.status ?? 0
        counts.set(status, (counts.get(status) ?? 0) + 1)
        expect([200, 400, 409]).toContain(status)
        if (status !== 200) return expect(merchant.current().algorithms).toEqual([])
        const [stored] = merchant.current().algorithms
        if (stored === undefined) throw new Error('what was answered 200 is not stored')
        const compiled = createRuleEvaluator(catalogue).compiledOf(stored)
        const result = compiled.evaluate(parameters.parameters, { paymentId: 'p', draw: () => 0, fallback: [] })
        if (isEvaluationError(result)) throw new Error(result.code)
      }),
      { numRuns: 5_000 },
    )
    // The property means nothing when one kind of answer is rare.
    for (const status of [200, 400]) expect(counts.get(status) ?? 0).toBeGreaterThan(500)
  })
})
