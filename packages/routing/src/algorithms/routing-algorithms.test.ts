import { describe, expect, test } from '@jest/globals'
import type { AlgorithmPurpose } from '@switchyard/events'
import { specificationOf } from '@switchyard/testing'
import type { Algorithm, Statement } from './algorithm.ts'
import { splitWarnings } from './algorithm-problems.ts'
import { printDefinition } from './definition.ts'
import { type RoutingAlgorithmsEvent, routingAlgorithms } from './routing-algorithms.ts'
import { sampleCatalogue } from './sample-catalogue.fixture.ts'
import { activeAlgorithm, activePaymentAlgorithm } from './stored-algorithm.ts'

const given = specificationOf(routingAlgorithms)
const merchantId = 'm_1'
const alpha = { gatewayName: 'alpha', gatewayId: null }
const algorithm: Algorithm = { kind: 'PRIORITY', output: { form: 'priority', connectors: [alpha] } }
const registered: RoutingAlgorithmsEvent = { type: 'MerchantRegistered', data: { merchantId, name: null, deciderInput: null, at: 1 } }
const closed: RoutingAlgorithmsEvent = { type: 'MerchantClosed', data: { merchantId, at: 2 } }

const drafted = (algorithmId: string, purpose: AlgorithmPurpose = 'PAYMENT'): RoutingAlgorithmsEvent => ({
  type: 'RoutingAlgorithmDrafted',
  data: {
    merchantId,
    algorithmId,
    name: 'n',
    description: '',
    purpose,
    kind: 'PRIORITY',
    definition: printDefinition(algorithm),
    metadata: null,
    at: 3,
  },
})
const activated = (algorithmId: string, purpose: AlgorithmPurpose = 'PAYMENT'): RoutingAlgorithmsEvent => ({
  type: 'RoutingAlgorithmActivated',
  data: { merchantId, algorithmId, purpose, at: 4 },
})
const draft = {
  type: 'DraftRoutingAlgorithm',
  merchantId,
  algorithmId: 'a',
  name: 'n',
  description: '',
  purpose: 'PAYMENT',
  algorithm,
  catalogue: sampleCatalogue,
  metadata: null,
  at: 3,
} as const
const revise = {
  type: 'ReviseRoutingAlgorithm',
  merchantId,
  algorithmId: 'a',
  name: 'm',
  description: 'd',
  algorithm,
  catalogue: sampleCatalogue,
  at: 4,
} as const
const change = { merchantId, algorithmId: 'a', at: 4 }
const unknown = { code: 'ALGORITHM_NOT_FOUND', algorithmId: 'a' } as const
const live = { code: 'ALGORITHM_ACTIVE', algorithmId: 'a' } as const

describe('routing algorithms', () => {
  test('drafting stores an inactive algorithm', () => given(registered).when(draft).emits(drafted('a')))
  test('an id cannot be used twice', () => {
    given(registered, drafted('a')).when(draft).isRejectedWith({ code: 'ALGORITHM_EXISTS', algorithmId: 'a' })
  })
  test('a purpose of a later release acts as no other', () => {
    const later = [registered, drafted('a', 'UNKNOWN'), activated('a', 'UNKNOWN')].reduce(
      routingAlgorithms.evolve,
      routingAlgorithms.initialState,
    )
    expect(activePaymentAlgorithm(later)).toBeUndefined()
    const beside = [registered, drafted('b'), activated('b'), drafted('a', 'UNKNOWN'), activated('a', 'UNKNOWN')]
    expect(activePaymentAlgorithm(beside.reduce(routingAlgorithms.evolve, routingAlgorithms.initialState))).toMatchObject({ id: 'b' })
  })
  test('what was recorded while the merchant was being closed has no effect on one that comes back', () => {
    const state = [registered, closed, drafted('a'), activated('a'), registered].reduce(
      routingAlgorithms.evolve,
      routingAlgorithms.initialState,
    )
    expect(state).toEqual({ registered: true, algorithms: [], active: [] })
  })
  test('revising rewrites an inactive algorithm', () => {
    const { name, description, at } = revise
    const data = { merchantId, algorithmId: 'a', name, description, kind: 'PRIORITY', definition: printDefinition(algorithm), at } as const
    given(registered, drafted('a')).when(revise).emits({ type: 'RoutingAlgorithmRevised', data })
  })
  test('an active algorithm is neither revised nor discarded', () => {
    given(registered, drafted('a'), activated('a')).when(revise).isRejectedWith(live)
    given(registered, drafted('a'), activated('a'))
      .when({ type: 'DiscardRoutingAlgorithm', ...change })
      .isRejectedWith(live)
  })
  test('discarding removes an inactive algorithm, and its id is free again', () => {
    const discarded = { type: 'RoutingAlgorithmDiscarded', data: change } as const
    given(registered, drafted('a'))
      .when({ type: 'DiscardRoutingAlgorithm', ...change })
      .emits(discarded)
    given(registered, drafted('a'), discarded).when(draft).emits(drafted('a'))
  })
  test('activating replaces the algorithm that was live for the same purpose, silently', () => {
    given(registered, drafted('a'), drafted('b'), activated('b'))
      .when({ type: 'ActivateRoutingAlgorithm', ...change })
      .emits(activated('a'))
    const past = [registered, drafted('a'), drafted('b'), activated('b'), activated('a')]
    const state = past.reduce(routingAlgorithms.evolve, routingAlgorithms.initialState)
    expect(state.active).toEqual([{ purpose: 'PAYMENT', algorithmId: 'a' }])
    given(...past)
      .when({ type: 'DiscardRoutingAlgorithm', ...change, algorithmId: 'b' })
      .emits({ type: 'RoutingAlgorithmDiscarded', data: { ...change, algorithmId: 'b' } })
  })
  test('purposes do not touch each other', () => {
    const past = [registered, drafted('a'), drafted('b', 'PAYOUT'), activated('a'), activated('b', 'PAYOUT')]
    const state = past.reduce(routingAlgorithms.evolve, routingAlgorithms.initialState)
    expect(activePaymentAlgorithm(state)?.id).toBe('a')
    expect(activeAlgorithm(state, 'PAYOUT')?.id).toBe('b')
    expect(activeAlgorithm(state, 'THREE_DS_AUTHENTICATION')).toBeUndefined()
  })
  test('activating the live algorithm again and deactivating an inactive one record nothing', () => {
    given(registered, drafted('a'), activated('a'))
      .when({ type: 'ActivateRoutingAlgorithm', ...change })
      .emitsNothing()
    given(registered, drafted('a'))
      .when({ type: 'DeactivateRoutingAlgorithm', ...change })
      .emitsNothing()
  })
  test('deactivating records it, and frees the algorithm for revision', () => {
    const deactivated = { type: 'RoutingAlgorithmDeactivated', data: { ...change, purpose: 'PAYMENT' } } as const
    given(registered, drafted('a'), activated('a'))
      .when({ type: 'DeactivateRoutingAlgorithm', ...change })
      .emits(deactivated)
    given(registered, drafted('a'), activated('a'), deactivated)
      .when({ type: 'DiscardRoutingAlgorithm', ...change })
      .emits({ type: 'RoutingAlgorithmDiscarded', data: change })
  })
  test('an unknown algorithm is rejected by everything', () => {
    given(registered).when(revise).isRejectedWith(unknown)
    for (const type of ['DiscardRoutingAlgorithm', 'ActivateRoutingAlgorithm', 'DeactivateRoutingAlgorithm'] as const) {
      given(registered)
        .when({ type, ...change })
        .isRejectedWith(unknown)
    }
  })
  test('an unknown merchant is rejected, and one that comes back starts without algorithms', () => {
    given().when(draft).isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId })
    given(registered, drafted('a'), activated('a'), closed)
      .when({ type: 'ActivateRoutingAlgorithm', ...change })
      .isRejectedWith({ code: 'MERCHANT_NOT_FOUND', merchantId })
    given(registered, drafted('a'), activated('a'), closed, registered).when(draft).emits(drafted('a'))
  })
  test('a merchant has at most 1000 algorithms', () => {
    const many = Array.from({ length: 1000 }, (_, i) => drafted(`x${i}`))
    given(registered, ...many)
      .when(draft)
      .isRejectedWith({ code: 'TOO_MANY_ALGORITHMS', limit: 1000 })
  })
  test('a definition has a length limit', () => {
    const long: Algorithm = { kind: 'PRIORITY', output: { form: 'priority', connectors: new Array(40_000).fill(alpha) } }
    given(registered)
      .when({ ...draft, algorithm: long })
      .isRejectedWith({ code: 'DEFINITION_TOO_LONG', limit: 1_048_576 })
  })
})

const condition = { key: 'amount', comparison: 'equal', value: { type: 'number', value: 1 }, metadata: {} } as const
const nested = (depth: number): Statement => ({ conditions: [condition], nested: depth === 1 ? [] : [nested(depth - 1)] })
const split = (...weights: readonly number[]): Extract<Algorithm, { kind: 'VOLUME_SPLIT' }>['output'] => ({
  form: 'volumeSplit',
  splits: weights.map((weight) => ({ weight, connector: alpha })),
})
const program = (statements: readonly Statement[], ruleCount = 1): Algorithm => ({
  kind: 'ADVANCED',
  program: {
    globals: [],
    defaultSelection: { form: 'priority', connectors: [] },
    rules: new Array(ruleCount).fill({ name: 'r', routingType: 'volumeSplit', output: split(1), statements }),
    metadata: null,
  },
})

describe('algorithms that can not be stored', () => {
  const problemOf = (sent: Algorithm): unknown => {
    const state = routingAlgorithms.evolve(routingAlgorithms.initialState, registered)
    const decision = routingAlgorithms.decide({ ...draft, algorithm: sent }, state)
    return decision.accepted ? undefined : decision.rejection
  }
  const invalid = (problem: object): unknown => ({ code: 'ALGORITHM_INVALID', problems: [problem], conditions: [] })

  test('splits without any weight', () => {
    const problem = invalid({ where: { part: 'algorithm' }, reason: 'SPLIT_WITHOUT_WEIGHT' })
    expect(problemOf({ kind: 'VOLUME_SPLIT', output: split() })).toEqual(problem)
    expect(problemOf({ kind: 'VOLUME_SPLIT', output: split(0, 0) })).toEqual(problem)
    expect(problemOf({ kind: 'VOLUME_SPLIT', output: split(0, 1) })).toBeUndefined()
  })
  test('a rule whose routing type is not its output', () => {
    const mismatched = program([])
    if (mismatched.kind !== 'ADVANCED') throw new Error('not a program')
    const rules = mismatched.program.rules.map((rule) => ({ ...rule, routingType: 'priority' as const }))
    expect(problemOf({ kind: 'ADVANCED', program: { ...mismatched.program, rules } })).toEqual(
      invalid({ where: { part: 'rule', index: 0 }, reason: 'ROUTING_TYPE_MISMATCH' }),
    )
  })
  test('too many rules, too many conditions, too deep a nesting', () => {
    const where = { part: 'algorithm' }
    expect(problemOf(program([], 501))).toEqual(invalid({ where, reason: 'TOO_MANY_RULES', limit: 500 }))
    const wide = new Array(5001).fill(nested(1))
    expect(problemOf(program(wide))).toEqual(invalid({ where, reason: 'TOO_MANY_CONDITIONS', limit: 5000 }))
    const deep = { where: { part: 'rule', index: 0 }, reason: 'NESTED_TOO_DEEPLY', limit: 16 }
    expect(problemOf(program([nested(17)]))).toEqual(invalid(deep))
    expect(problemOf(program([nested(16)]))).toBeUndefined()
  })
  test('a rule with more statements than a call takes arguments is told what is wrong with it', () => {
    const statements = [...new Array(131_000).fill({ conditions: [], nested: [] }), nested(17)]
    const problem = { where: { part: 'rule', index: 0 }, reason: 'NESTED_TOO_DEEPLY', limit: 16 }
    expect(problemOf(program(statements))).toEqual(invalid(problem))
  })
  test('a split that does not add up to 100 is a warning only', () => {
    expect(splitWarnings({ kind: 'VOLUME_SPLIT', output: split(60, 40) })).toEqual([])
    expect(splitWarnings({ kind: 'VOLUME_SPLIT', output: split(60, 50) })).toEqual([{ where: { part: 'algorithm' }, total: 110 }])
    expect(splitWarnings(program([]))).toEqual([{ where: { part: 'rule', index: 0 }, total: 1 }])
  })
})
