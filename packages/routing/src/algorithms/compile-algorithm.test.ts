import { describe, expect, test } from '@jest/globals'
import type {
  Comparison,
  Condition,
  ConditionValue,
  ConnectorReference,
  ParameterValue,
  Program,
  Rule,
  StaticAlgorithm,
} from './algorithm.ts'
import { compileAlgorithm, createAlgorithmCompiler } from './compile-algorithm.ts'
import { compileCondition, FALSE, MISMATCH, TRUE, type Verdict } from './compile-condition.ts'
import { parseDefinition, printDefinition } from './definition.ts'
import { type EvaluationResult, isEvaluationError } from './evaluation.ts'
import { sampleCatalogue } from './sample-catalogue.fixture.ts'

const compiledAlgorithmOf = createAlgorithmCompiler(sampleCatalogue)

const ref = (gatewayName: string, gatewayId: string | null = null): ConnectorReference => ({ gatewayName, gatewayId })
const enumValue = (value: string): ParameterValue => ({ type: 'enumVariant', value })
const number = (value: number): ParameterValue => ({ type: 'number', value })
const text = (value: string): ParameterValue => ({ type: 'text', value })
const metadata = (key: string, value: string): ParameterValue => ({ type: 'metadata', key, value })
const condition = (key: string, comparison: Comparison, value: ConditionValue): Condition => ({ key, comparison, value, metadata: {} })
const statement = (...conditions: readonly Condition[]) => ({ conditions, nested: [] })
const north = ref('northpay', 'np_1')
const fallback = { form: 'priority', connectors: [north] } as const

// The program of rules.md 2.6.
const eurCards: Rule = {
  name: 'card-eur-mid',
  routingType: 'volumeSplitPriority',
  output: {
    form: 'volumeSplitPriority',
    splits: [
      { weight: 75, connectors: [ref('alpha', 'a1'), ref('beta')] },
      { weight: 25, connectors: [ref('gamma', 'g1'), ref('alpha', 'a1')] },
    ],
  },
  statements: [
    {
      conditions: [
        condition('payment_method', 'equal', enumValue('card')),
        condition('amount', 'equal', {
          type: 'numberComparisons',
          comparisons: [
            { comparison: 'greaterThanEqual', number: 50 },
            { comparison: 'lessThan', number: 900 },
          ],
        }),
      ],
      nested: [
        statement(condition('currency', 'equal', enumValue('EUR'))),
        statement(condition('metadata', 'equal', { type: 'metadata', key: 'tier', value: 'gold' })),
      ],
    },
  ],
}
const program: Program = { globals: [], defaultSelection: fallback, rules: [eurCards], metadata: {} }
const withRules = (...rules: readonly Rule[]): StaticAlgorithm => ({ kind: 'ADVANCED', program: { ...program, rules } })
const rule = (name: string, ...conditions: readonly Condition[]): Rule => ({
  name,
  routingType: 'priority',
  output: { form: 'priority', connectors: [ref(name)] },
  statements: [statement(...conditions)],
})

const evaluate = (
  algorithm: StaticAlgorithm,
  parameters: Record<string, ParameterValue>,
  fallbackConnectors: readonly ConnectorReference[] = [],
): EvaluationResult =>
  compileAlgorithm('routing_1', algorithm, sampleCatalogue).evaluate(new Map(Object.entries(parameters)), {
    paymentId: null,
    draw: () => 0.8,
    fallback: fallbackConnectors,
  })

describe('the worked program', () => {
  const outcomeOf = (amount: ParameterValue, currency: string, extra: Record<string, ParameterValue> = {}): string | null => {
    const parameters = { payment_method: enumValue('card'), amount, currency: enumValue(currency), ...extra }
    const result = evaluate({ kind: 'ADVANCED', program }, parameters)
    return isEvaluationError(result) ? result.code : (result.ruleName ?? result.status)
  }
  const gold = { tier: metadata('tier', 'gold') }

  test.each<[string, ParameterValue, string, Record<string, ParameterValue>, string]>([
    ['lower bound, first branch', number(50), 'EUR', {}, 'card-eur-mid'],
    ['upper bound', number(900), 'EUR', gold, 'DEFAULT_SELECTION'],
    ['second branch, found under its own key', number(100), 'USD', gold, 'card-eur-mid'],
    ['no branch', number(100), 'USD', {}, 'DEFAULT_SELECTION'],
    ['a text where a number is compared', text('100'), 'EUR', {}, 'INVALID_COMPARISON'],
    ['the same, never reached', text('100'), 'EUR', { payment_method: enumValue('upi') }, 'DEFAULT_SELECTION'],
    ['a fraction', number(50.5), 'EUR', {}, 'card-eur-mid'],
  ])('%s', (_why, amount, currency, extra, outcome) => expect(outcomeOf(amount, currency, extra)).toBe(outcome))

  test('the answer of the rule', () => {
    const parameters = { payment_method: enumValue('card'), amount: number(60), currency: enumValue('EUR') }
    expect(evaluate({ kind: 'ADVANCED', program }, parameters)).toEqual({
      status: 'SUCCESS',
      ruleName: 'card-eur-mid',
      label: 'card-eur-mid',
      output: eurCards.output,
      evaluated: [ref('gamma', 'g1'), ref('alpha', 'a1'), ref('beta')],
      eligible: [ref('alpha', 'a1'), ref('beta'), ref('gamma', 'g1')],
      drawnSlot: 1,
    })
  })
})

describe('conditions', () => {
  const globals = [
    { name: 'eea', values: [enumValue('EUR'), enumValue('SEK'), number(5), metadata('tier', 'gold')] },
    { name: 'networks', values: [enumValue('VISA')] },
  ]
  const eea: ConditionValue = { type: 'globalRef', name: 'eea' }
  const list: ConditionValue = { type: 'enumVariantArray', values: ['EUR', 'SEK'] }
  const numbers: ConditionValue = { type: 'numberArray', values: [1, 2] }
  const range: ConditionValue = { type: 'numberComparisons', comparisons: [] }
  const gold = metadata('tier', 'gold')

  test.each<[string, ParameterValue | undefined, Comparison, ConditionValue, Verdict]>([
    ['currency', enumValue('EUR'), 'equal', enumValue('EUR'), TRUE],
    ['currency', enumValue('EUR'), 'notEqual', enumValue('EUR'), FALSE],
    ['currency', enumValue('EUR'), 'greaterThan', enumValue('EUR'), MISMATCH],
    ['currency', enumValue('EUR'), 'equal', list, TRUE],
    ['currency', enumValue('USD'), 'notEqual', list, TRUE],
    ['currency', enumValue('USD'), 'equal', { type: 'enumVariantArray', values: [] }, FALSE],
    ['currency', enumValue('USD'), 'notEqual', { type: 'enumVariantArray', values: [] }, TRUE],
    ['currency', undefined, 'notEqual', enumValue('EUR'), FALSE],
    ['currency', undefined, 'greaterThan', enumValue('EUR'), FALSE],
    ['amount', number(5), 'lessThan', number(5), FALSE],
    ['amount', number(5), 'lessThanEqual', number(5), TRUE],
    ['amount', number(5), 'greaterThanEqual', number(5), TRUE],
    ['amount', number(5.5), 'greaterThan', number(5), TRUE],
    ['amount', number(5), 'notEqual', number(6), TRUE],
    ['amount', number(2), 'equal', numbers, TRUE],
    ['amount', number(3), 'notEqual', numbers, TRUE],
    ['amount', number(3), 'lessThan', numbers, MISMATCH],
    ['amount', number(3), 'equal', range, TRUE],
    ['amount', number(3), 'notEqual', range, MISMATCH],
    ['amount', text('3'), 'equal', number(3), MISMATCH],
    ['business_label', text('x'), 'equal', text('x'), TRUE],
    ['business_label', text('x'), 'notEqual', text('X'), TRUE],
    ['business_label', enumValue('x'), 'equal', text('x'), MISMATCH],
    ['metadata', gold, 'equal', gold, TRUE],
    ['metadata', metadata('tier', 'base'), 'notEqual', gold, TRUE],
    ['metadata', metadata('kind', 'gold'), 'notEqual', gold, TRUE],
    ['metadata', text('gold'), 'equal', gold, MISMATCH],
    ['currency', enumValue('SEK'), 'equal', eea, TRUE],
    ['currency', enumValue('USD'), 'equal', eea, FALSE],
    ['currency', text('SEK'), 'equal', eea, FALSE],
    ['currency', enumValue('USD'), 'notEqual', eea, TRUE],
    ['amount', number(5), 'equal', eea, TRUE],
    ['metadata', gold, 'equal', eea, TRUE],
    ['currency', enumValue('EUR'), 'equal', { type: 'globalRef', name: 'none' }, FALSE],
    ['currency', enumValue('EUR'), 'notEqual', { type: 'globalRef', name: 'none' }, FALSE],
    ['currency', enumValue('EUR'), 'lessThan', eea, MISMATCH],
    ['card_network', enumValue('visa'), 'equal', enumValue('Visa'), TRUE],
    ['card_network', enumValue('visa'), 'equal', { type: 'enumVariantArray', values: ['AMEX', 'visaCard'] }, TRUE],
    ['card_network', enumValue('visa'), 'equal', { type: 'globalRef', name: 'networks' }, TRUE],
    ['payment_method', enumValue('card'), 'equal', enumValue('CARD'), TRUE],
  ])('%s %j %s %j: %i', (key, parameter, comparison, value, verdict) => {
    const parameters = new Map(parameter === undefined ? [] : [[key, parameter]])
    expect(compileCondition(condition(key, comparison, value), { catalogue: sampleCatalogue, globals })(parameters)).toBe(verdict)
  })

  test('a metadata condition prefers the parameter named after its key, if that is metadata', () => {
    const test = compileCondition(condition('metadata', 'equal', gold), { catalogue: sampleCatalogue, globals: [] })
    expect(
      test(
        new Map([
          ['tier', metadata('tier', 'base')],
          ['metadata', gold],
        ]),
      ),
    ).toBe(FALSE)
    expect(
      test(
        new Map([
          ['tier', text('base')],
          ['metadata', gold],
        ]),
      ),
    ).toBe(TRUE)
  })
})

describe('programs', () => {
  const amountOver = (limit: number): Condition => condition('amount', 'greaterThan', number(limit))
  const chosen = (result: EvaluationResult): unknown =>
    isEvaluationError(result) ? result : result.evaluated.map(({ gatewayName }) => gatewayName)

  test('the first matching rule wins', () => {
    expect(chosen(evaluate(withRules(rule('high', amountOver(100)), rule('low', amountOver(10))), { amount: number(200) }))).toEqual([
      'high',
    ])
    expect(chosen(evaluate(withRules(rule('high', amountOver(100)), rule('low', amountOver(10))), { amount: number(50) }))).toEqual(['low'])
  })
  test('a comparison without meaning stops the evaluation, unless an earlier rule matches', () => {
    const broken = rule('broken', condition('amount', 'equal', text('1')))
    expect(evaluate(withRules(broken, rule('low', amountOver(1))), { amount: number(5) })).toEqual({
      code: 'INVALID_COMPARISON',
      ruleName: 'broken',
    })
    expect(chosen(evaluate(withRules(rule('low', amountOver(1)), broken), { amount: number(5) }))).toEqual(['low'])
  })
  test('a rule without statements never matches, a statement without conditions always does', () => {
    expect(evaluate(withRules({ ...rule('none'), statements: [] }), {})).toMatchObject({
      status: 'DEFAULT_SELECTION',
      ruleName: null,
      label: null,
    })
    expect(evaluate(withRules(rule('any')), {})).toMatchObject({ status: 'SUCCESS', ruleName: 'any' })
  })
  test('a rule named like the default still counts as a match', () => {
    expect(evaluate(withRules(rule('default_selection')), {})).toMatchObject({ status: 'SUCCESS', ruleName: 'default_selection' })
  })
  test('the fallback of the request replaces the default when no rule matched, and only then', () => {
    const [x, y] = [ref('x'), ref('y')]
    expect(evaluate(withRules(), {}, [x, y, x])).toEqual({
      status: 'DEFAULT_SELECTION',
      ruleName: null,
      label: 'default_fallback',
      output: { form: 'priority', connectors: [x, y, x] },
      evaluated: [x, y, x],
      eligible: [x, y],
      drawnSlot: null,
    })
    const sameAsDefault = { ...rule('same'), output: fallback }
    expect(evaluate(withRules(sameAsDefault), {}, [x])).toMatchObject({ status: 'SUCCESS', evaluated: [north] })
  })
  test('single and priority answer as configured and ignore the fallback', () => {
    const single: StaticAlgorithm = { kind: 'SINGLE', output: { form: 'single', connector: north } }
    expect(evaluate(single, {}, [ref('x')])).toMatchObject({
      status: 'SUCCESS',
      label: 'straight_through_rule',
      ruleName: null,
      evaluated: [north],
    })
    const priority: StaticAlgorithm = { kind: 'PRIORITY', output: { form: 'priority', connectors: [ref('b'), ref('a'), ref('b')] } }
    expect(evaluate(priority, {})).toMatchObject({
      label: 'priority_rule',
      evaluated: [ref('b'), ref('a'), ref('b')],
      eligible: [ref('b'), ref('a')],
    })
  })
})

describe('stored definitions', () => {
  const stored = { id: 'a', name: '', description: '', purpose: 'PAYMENT', createdAt: 0, modifiedAt: 0 } as const
  test('they read back as they were printed', () => {
    const algorithms: readonly StaticAlgorithm[] = [
      { kind: 'SINGLE', output: { form: 'single', connector: north } },
      { kind: 'VOLUME_SPLIT', output: { form: 'volumeSplit', splits: [{ weight: 3, connector: north }] } },
      { kind: 'ADVANCED', program: { ...program, globals: [{ name: 'g', values: [number(1)] }] } },
    ]
    for (const algorithm of algorithms) expect(parseDefinition(algorithm.kind, printDefinition(algorithm))).toEqual(algorithm)
  })
  test('the compiled form is kept with the stored one, and unknown kinds can not be read', () => {
    const single = {
      ...stored,
      kind: 'SINGLE',
      definition: JSON.stringify({ form: 'single', connector: north }),
    } as const
    expect(compiledAlgorithmOf(single)).toBe(compiledAlgorithmOf(single))
    const context = { paymentId: null, draw: () => 0, fallback: [] }
    expect(compiledAlgorithmOf({ ...stored, kind: 'UNKNOWN', definition: '?' }).evaluate(new Map(), context)).toEqual({
      code: 'ALGORITHM_UNREADABLE',
    })
  })

  test.each(['not JSON', 'null', '{"form":"of a later release"}', '{}'])(
    'a stored definition that makes no sense is an error, every time: %s',
    (definition) => {
      const broken = { ...stored, kind: 'SINGLE', definition } as const
      const context = { paymentId: null, draw: () => 0, fallback: [] }
      const results = [1, 2].map(() => compiledAlgorithmOf(broken).evaluate(new Map(), context))
      expect(results).toEqual([{ code: 'ALGORITHM_UNREADABLE' }, { code: 'ALGORITHM_UNREADABLE' }])
      expect(compiledAlgorithmOf(broken)).toBe(compiledAlgorithmOf({ ...broken, kind: 'UNKNOWN' }))
    },
  )
})
