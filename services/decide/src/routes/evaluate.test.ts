import { beforeEach, describe, expect, test } from '@jest/globals'
import { createEventCodec, type PaymentsEvent, publishedSchemaIds } from '@switchyard/events'
import { bodyOfReply, type RouteReply } from '@switchyard/http'
import {
  type Algorithm,
  type ConnectorReference,
  createRuleEvaluator,
  printDefinition,
  type RoutingAlgorithms,
  type RoutingAlgorithmsEvent,
  type Rule,
  routingAlgorithms,
} from '@switchyard/routing'
import { loadRuleData } from '@switchyard/routing-data'
import { evaluateRoute } from './evaluate.ts'

const merchantId = 'm_1'
const { catalogue, eligibility } = loadRuleData({ routingKeys: undefined, eligibility: undefined })
const codec = createEventCodec(publishedSchemaIds(), { strict: true })
const ref = (gatewayName: string, gatewayId: string | null = null): ConnectorReference => ({ gatewayName, gatewayId })
const split: Algorithm = {
  kind: 'VOLUME_SPLIT',
  output: {
    form: 'volumeSplit',
    splits: [
      { weight: 75, connector: ref('alpha', 'a1') },
      { weight: 25, connector: ref('beta') },
    ],
  },
}
const rule: Rule = {
  name: 'big',
  routingType: 'priority',
  output: { form: 'priority', connectors: [ref('gamma')] },
  statements: [
    { conditions: [{ key: 'amount', comparison: 'greaterThan', value: { type: 'number', value: 100 }, metadata: {} }], nested: [] },
  ],
}
const advanced: Algorithm = {
  kind: 'ADVANCED',
  program: { globals: [], defaultSelection: { form: 'single', connector: ref('alpha', 'a1') }, rules: [rule], metadata: null },
}

/** The merchant's algorithms, as a log may hold them: also such as would not be stored any more. */
const stateWith = (algorithm: Algorithm): RoutingAlgorithms => {
  const drafted = (algorithmId: string, { kind }: Algorithm, definition: string): RoutingAlgorithmsEvent => {
    const data = {
      merchantId,
      algorithmId,
      name: 'n',
      description: '',
      purpose: 'PAYMENT',
      kind,
      definition,
      metadata: null,
      at: 1,
    } as const
    return { type: 'RoutingAlgorithmDrafted', data }
  }
  const events: readonly RoutingAlgorithmsEvent[] = [
    { type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 0 } },
    drafted('live', algorithm, printDefinition(algorithm)),
    drafted('draft', advanced, printDefinition(advanced)),
    { type: 'RoutingAlgorithmActivated', data: { merchantId, algorithmId: 'live', purpose: 'PAYMENT', at: 2 } },
  ]
  return events.reduce(routingAlgorithms.evolve, routingAlgorithms.initialState)
}

let recorded: PaymentsEvent[]
beforeEach(() => {
  recorded = []
})

const evaluate = (algorithm: Algorithm, body: object): RouteReply => {
  const state = stateWith(algorithm)
  const states = new Map([[merchantId, state]])
  const route = evaluateRoute({
    states: { stateOf: (slice, key) => (states.get(key) as never) ?? slice.initialState },
    record: (event) => recorded.push(codec.decode(codec.encode(event)) as PaymentsEvent),
    now: () => 7,
    draw: () => 0.9,
    evaluator: createRuleEvaluator(catalogue),
    eligibility,
  })
  const request = {
    params: {},
    query: new URLSearchParams(),
    headers: {},
    identity: { kind: 'admin' },
    requestId: 'req_1',
    receivedAt: 0,
    remoteAddress: () => '127.0.0.1',
  } as const
  const reply = route.handle({ ...request, body: { created_by: merchantId, parameters: {}, ...body } })
  if (reply instanceof Promise) throw new Error('a hot route answers at once')
  return { ...reply, body: bodyOfReply(reply) }
}
const amount = (value: number): object => ({ amount: { type: 'number', value } })
const refusal = (message: string): object => ({ status: 400, body: { code: 'TE_04', message, data: null } })

describe('POST /routing/evaluate', () => {
  test('a drawn split: the answer in full, and its event', () => {
    expect(evaluate(split, { payment_id: null }).json).toBe(
      '{"payment_id":null,"status":"success","output":{"type":"volume_split","splits":[{"connector":{"gateway_name":"alpha","gateway_id":"a1"},"split":75},{"connector":{"gateway_name":"beta","gateway_id":null},"split":25}]},"evaluated_output":[{"gateway_name":"beta","gateway_id":null},{"gateway_name":"alpha","gateway_id":"a1"}],"eligible_connectors":[{"gateway_name":"alpha","gateway_id":"a1"},{"gateway_name":"beta","gateway_id":null}]}',
    )
    expect(recorded).toEqual([
      {
        type: 'RuleEvaluated',
        data: {
          merchantId,
          paymentId: null,
          requestId: 'req_1',
          at: 7,
          algorithmId: 'live',
          kind: 'VOLUME_SPLIT',
          status: 'SUCCESS',
          ruleName: 'volume_split_rule',
          gateway: 'beta',
          evaluated: ['beta', 'alpha'],
          eligible: ['alpha', 'beta'],
          drawnSlot: 1,
          parameters: {},
          experimentId: null,
          experimentArm: null,
        },
      },
    ])
  })

  test('what looks like a card number never reaches the log', () => {
    const metadata = { type: 'metadata_variant', value: { key: 'note', value: 'card 4242 4242 4242 4242' } }
    evaluate(advanced, { parameters: { ...amount(5), metadata } })
    expect(recorded).toMatchObject([{ data: { parameters: { amount: '5', metadata: 'note=card [digits]' } } }])
    evaluate(advanced, { parameters: { payment_method: { type: 'enum_variant', value: '4242-4242-4242-4242' } } })
    expect(recorded.at(-1)).toMatchObject({ type: 'RuleEvaluationRefused' })
    expect(JSON.stringify(recorded)).not.toMatch(/4242/)
  })

  test('what looks like a card number in the name of a parameter never reaches the log', () => {
    const card = { type: 'metadata_variant', value: { key: 'seen', value: 'yes' } }
    expect(evaluate(advanced, { parameters: { ...amount(5), 'card-4242424242424242': card } }).status).toBe(200)
    expect(recorded).toMatchObject([{ data: { parameters: { amount: '5', 'card-[digits]': 'seen=yes' } } }])
  })

  test('a payment always gets the same split, and 100 payments get both', () => {
    const headOf = (paymentId: string): string =>
      JSON.stringify(evaluate(split, { payment_id: paymentId }).body).split('evaluated_output')[1] ?? ''
    const heads = Array.from({ length: 100 }, (_, i) => headOf(`pay_${i}`))
    expect(heads[0]).toBe(headOf('pay_0'))
    const alphas = heads.filter((head) => head.startsWith('":[{"gateway_name":"alpha"')).length
    expect(alphas).toBeGreaterThan(60)
    expect(alphas).toBeLessThan(90)
  })

  test('an empty payment id does not send every payment the same way', () => {
    const ofDraw = evaluate(split, { payment_id: null }).body
    expect(evaluate(split, { payment_id: '' }).body).toEqual({ ...Object(ofDraw), payment_id: '' })
    expect(recorded.at(-1)).toMatchObject({ data: { paymentId: '', drawnSlot: 1 } })
  })

  test('a rule that matches, the default, and the fallback of the request', () => {
    expect(evaluate(advanced, { payment_id: 'p', parameters: amount(101) }).body).toMatchObject({
      payment_id: 'p',
      status: 'success',
      output: { type: 'priority', connectors: [{ gateway_name: 'gamma', gateway_id: null }] },
    })
    expect(evaluate(advanced, { parameters: amount(100) }).body).toMatchObject({
      status: 'default_selection',
      output: { type: 'straight_through', connector: { gateway_name: 'alpha', gateway_id: 'a1' } },
    })
    expect(evaluate(advanced, { parameters: amount(100), fallback_output: [{ gateway_name: 'zeta' }] }).body).toMatchObject({
      status: 'default_selection',
      evaluated_output: [{ gateway_name: 'zeta', gateway_id: null }],
    })
    expect(recorded.map(({ data }) => 'ruleName' in data && data.ruleName)).toEqual(['big', null, 'default_fallback'])
    expect(recorded[0]?.data).toMatchObject({ parameters: { amount: '101' } })
  })

  test('an algorithm that is not live can be tried out', () => {
    expect(evaluate(split, { routing_algorithm_id: 'draft', parameters: amount(500) }).body).toMatchObject({
      evaluated_output: [{ gateway_name: 'gamma' }],
    })
    expect(evaluate(split, { routing_algorithm_id: 'none' })).toEqual(refusal('Routing algorithm not found for the provided id : none'))
  })

  test.each<[string, object, string, string]>([
    ['an unknown key', { colour: { type: 'str_value', value: 'red' } }, 'Invalid parameter: colour', 'parameter_validation_failed'],
    [
      'an unknown enum value',
      { currency: { type: 'enum_variant', value: 'EURO' } },
      "Invalid request received : Invalid enum value 'EURO' for key 'currency'",
      'parameter_validation_failed',
    ],
    [
      'a wrong type',
      { currency: { type: 'enum_variant_array', value: ['EUR'] } },
      "Invalid request received : Expected enum value for key 'currency'",
      'parameter_validation_failed',
    ],
  ])('%s is refused and recorded', (_what, parameters, message, stage) => {
    expect(evaluate(advanced, { parameters })).toEqual(refusal(message))
    const data = { merchantId, paymentId: null, requestId: 'req_1', at: 7, stage, errorCode: 'TE_04', errorMessage: message }
    expect(recorded).toEqual([{ type: 'RuleEvaluationRefused', data }])
  })

  test('a comparison without meaning stops the evaluation', () => {
    const condition = { key: 'amount', comparison: 'equal', value: { type: 'text', value: '1' }, metadata: {} } as const
    const broken = { ...rule, statements: [{ conditions: [condition], nested: [] }] }
    const algorithm: Algorithm = { ...advanced, program: { ...advanced.program, rules: [broken] } }
    expect(evaluate(algorithm, { parameters: amount(1) })).toEqual(
      refusal('Invalid request received : Interpreter error: InvalidComparison'),
    )
    expect(recorded[0]?.data).toMatchObject({ stage: 'preview_interpreter_failed' })
  })

  test('a merchant without a live algorithm', () => {
    expect(evaluate(split, { created_by: 'm_9' })).toEqual(refusal('No active routing algorithm found for the created_by entity : m_9'))
    expect(recorded).toEqual([])
  })

  test('a body that does not fit is 422 and leaves no event', () => {
    for (const body of [
      { created_by: 1 },
      { parameters: null },
      { parameters: { amount: { type: 'number', value: -1 } } },
      { parameters: { amount: 5 } },
      { parameters: { ['x'.repeat(256)]: null } },
      { fallback_output: [{ gateway_name: 'a', gateway_id: 'x'.repeat(256) }] },
    ]) {
      expect(evaluate(split, body)).toMatchObject({ status: 422 })
    }
    expect(recorded).toEqual([])
  })

  test('a number that is no longer exact is refused', () => {
    expect(evaluate(advanced, { parameters: amount(Number.MAX_SAFE_INTEGER) })).toMatchObject({ status: 200 })
    const reply = evaluate(advanced, { parameters: amount(Number.MAX_SAFE_INTEGER + 1) })
    expect(reply.status).toBe(422)
    expect(JSON.stringify(reply.body)).toContain("numbers above 9007199254740991 can't be represented exactly")
  })
})
