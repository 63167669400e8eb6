import { describe, expect, test } from '@jest/globals'
import type { Algorithm, ConnectorReference } from '../algorithms/algorithm.ts'
import { printDefinition } from '../algorithms/definition.ts'
import { createRuleEvaluator } from '../algorithms/rule-evaluator.ts'
import { sampleCatalogue } from '../algorithms/sample-catalogue.fixture.ts'
import type { RoutingAlgorithms } from '../algorithms/stored-algorithm.ts'
import { planByActiveAlgorithm } from './active-algorithm.ts'
import { sampleRequest } from './sample-request.fixture.ts'

const gateway = (gatewayName: string, gatewayId: string | null = null): ConnectorReference => ({ gatewayName, gatewayId })

const live = (algorithm: Algorithm): RoutingAlgorithms => ({
  registered: true,
  algorithms: [
    {
      id: 'a_1',
      name: 'main',
      description: '',
      purpose: 'PAYMENT',
      kind: algorithm.kind,
      definition: printDefinition(algorithm),
      createdAt: 0,
      modifiedAt: 0,
    },
  ],
  active: [{ purpose: 'PAYMENT', algorithmId: 'a_1' }],
})

const priority = (...connectors: readonly ConnectorReference[]): RoutingAlgorithms =>
  live({ kind: 'PRIORITY', output: { form: 'priority', connectors } })

const cardsToAdyen = (value: { readonly type: 'enumVariant' | 'text'; readonly value: string }): RoutingAlgorithms =>
  live({
    kind: 'ADVANCED',
    program: {
      globals: [],
      metadata: null,
      defaultSelection: { form: 'single', connector: gateway('stripe') },
      rules: [
        {
          name: 'cards',
          routingType: 'priority',
          output: { form: 'priority', connectors: [gateway('adyen')] },
          statements: [{ conditions: [{ key: 'payment_method', comparison: 'equal', value, metadata: null }], nested: [] }],
        },
      ],
    },
  })

const evaluator = createRuleEvaluator(sampleCatalogue)
const candidates = ['stripe', 'adyen', 'checkout']
const planOf = (algorithms: RoutingAlgorithms, paymentId = 'p_1', paymentMethodType = 'CARD') =>
  planByActiveAlgorithm(evaluator, algorithms, sampleRequest({}, { paymentId, paymentMethodType }), candidates)

describe('priority list of the live algorithm', () => {
  test('no live algorithm: candidate order, and nothing was run', () => {
    const plan = planOf({ registered: true, algorithms: [], active: [] })
    expect(plan).toEqual({ gateways: candidates, tag: null, algorithmId: null, run: null })
  })

  test('a live algorithm that can not be read leaves the candidates in their order, and says so', () => {
    const readable = priority(gateway('checkout'))
    const plan = planOf({ ...readable, algorithms: readable.algorithms.map((stored) => ({ ...stored, definition: '?' })) })
    expect(plan).toMatchObject({ gateways: candidates, algorithmId: 'a_1', run: { failure: 'PL_EVALUATION_FAILED' } })
  })

  test('a list keeps its order; what is no candidate is left out', () => {
    expect(planOf(priority(gateway('elsewhere'), gateway('checkout'), gateway('stripe'), gateway('checkout')))).toEqual({
      gateways: ['checkout', 'stripe'],
      tag: 'main',
      algorithmId: 'a_1',
      run: { name: 'main', failure: null },
    })
  })

  test('nothing of it among the candidates: candidate order', () => {
    expect(planOf(priority(gateway('elsewhere'))).gateways).toEqual(candidates)
  })

  test('a candidate may name the account: that one is meant before the plain name', () => {
    const algorithms = priority(gateway('stripe', 'eu'), gateway('adyen', 'us'))
    const plan = planByActiveAlgorithm(evaluator, algorithms, sampleRequest(), ['stripe', 'stripe:eu', 'adyen'])
    expect(plan.gateways).toEqual(['stripe:eu', 'adyen'])
  })

  test('a connector without an id is every account of it among the candidates, in the order sent', () => {
    const request = sampleRequest()
    const plan = (algorithms: RoutingAlgorithms, sent: readonly string[]): readonly string[] =>
      planByActiveAlgorithm(evaluator, algorithms, request, sent).gateways
    const sent = ['stripe', 'adyen:us', 'adyen:eu', 'adyenx:1']
    expect(plan(priority(gateway('adyen'), gateway('stripe')), sent)).toEqual(['adyen:us', 'adyen:eu', 'stripe'])
    expect(plan(priority(gateway('adyen', 'eu'), gateway('adyen')), sent)).toEqual(['adyen:eu', 'adyen:us'])
    expect(plan(priority(gateway('adyen')), [...sent, 'adyen'])).toEqual(['adyen'])
    expect(plan(priority(gateway('adyen', 'uk'), gateway('stripe')), sent)).toEqual(['stripe'])
  })

  test('a split sends its shares, the drawn gateway first, the rest by their share', () => {
    const splits = [
      { weight: 10, connector: gateway('checkout') },
      { weight: 20, connector: gateway('adyen') },
      { weight: 70, connector: gateway('stripe') },
    ]
    const algorithms = live({ kind: 'VOLUME_SPLIT', output: { form: 'volumeSplit', splits } })
    const heads = Array.from({ length: 2_000 }, (_, n) => planOf(algorithms, `p_${n}`).gateways)
    const byShare = ['stripe', 'adyen', 'checkout']
    for (const gateways of heads) expect(gateways).toEqual([gateways[0], ...byShare.filter((name) => name !== gateways[0])])
    expect(Math.abs(heads.filter(([head]) => head === 'stripe').length - 1_400)).toBeLessThan(80)
    expect(planOf(algorithms, 'p_7')).toEqual(planOf(algorithms, 'p_7'))
  })

  test('a program answers with the rule that matches, else with its default', () => {
    const algorithms = cardsToAdyen({ type: 'enumVariant', value: 'card' })
    expect(planOf(algorithms)).toMatchObject({ gateways: ['adyen'], tag: 'cards', run: { name: 'cards', failure: null } })
    expect(planOf(algorithms, 'p_1', 'UPI')).toMatchObject({ gateways: ['stripe'], tag: 'main' })
  })

  test('a program that fails leaves the candidates in their order and says so', () => {
    expect(planOf(cardsToAdyen({ type: 'text', value: 'card' }))).toEqual({
      gateways: candidates,
      tag: 'main',
      algorithmId: 'a_1',
      run: { name: 'main', failure: 'PL_EVALUATION_FAILED' },
    })
  })
})
