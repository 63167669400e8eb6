import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Comparison, Condition, ConditionValue, ParameterValue, Program, Rule, Statement } from './algorithm.ts'
import { compileAlgorithm } from './compile-algorithm.ts'
import { createDecisionTable } from './decision-table.ts'
import { isEvaluationError } from './evaluation.ts'
import { checkParameters, type SentParameter } from './parameters.ts'
import { outcomeByReference } from './reference-interpreter.fixture.ts'
import { sampleCatalogue } from './sample-catalogue.fixture.ts'

const currency = fc.constantFrom('EUR', 'INR', 'SEK', 'USD', 'eur')
const network = fc.constantFrom('visa', 'Visa', 'VISACARD', 'amex', 'carnet', 'master card')
const amount = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(0.5, 2.5, 4.25))
const label = fc.constantFrom('aa', 'bb', 'cc')
const typed = <Key extends string>(key: Key, value: fc.Arbitrary<ConditionValue>) => fc.tuple(fc.constant(key), value)
const enumValue = (word: fc.Arbitrary<string>): fc.Arbitrary<ConditionValue> =>
  fc.oneof(
    word.map((value) => ({ type: 'enumVariant' as const, value })),
    fc.array(word, { maxLength: 3 }).map((values) => ({ type: 'enumVariantArray' as const, values })),
    fc.constantFrom('some', 'none').map((name) => ({ type: 'globalRef' as const, name })),
  )
const equality = fc.constantFrom<Comparison>('equal', 'equal', 'equal', 'notEqual')
const anyComparison = fc.constantFrom<Comparison>('equal', 'notEqual', 'lessThan', 'lessThanEqual', 'greaterThan', 'greaterThanEqual')
const bound = fc.record({ comparison: anyComparison, number: amount })
const numberValue: fc.Arbitrary<ConditionValue> = amount.map((value) => ({ type: 'number', value }))
const meant: fc.Arbitrary<Condition> = fc
  .oneof(
    fc.tuple(fc.oneof(typed('currency', enumValue(currency)), typed('card_network', enumValue(network))), equality),
    fc.tuple(typed('amount', numberValue), anyComparison),
    fc.tuple(
      typed(
        'amount',
        fc.array(amount, { maxLength: 3 }).map((values) => ({ type: 'numberArray', values })),
      ),
      equality,
    ),
    fc.tuple(
      typed(
        'amount',
        fc.array(bound, { maxLength: 2 }).map((comparisons) => ({ type: 'numberComparisons', comparisons })),
      ),
      fc.constant<Comparison>('equal'),
    ),
    fc.tuple(
      typed(
        'business_label',
        label.map((value) => ({ type: 'text', value })),
      ),
      equality,
    ),
    fc.tuple(
      typed('metadata', fc.record({ type: fc.constant('metadata' as const), key: fc.constantFrom('tier', 'x'), value: label })),
      equality,
    ),
  )
  .map(([[key, value], comparison]) => ({ key, comparison, value, metadata: {} }))
/** Now and then one that can't be stored any more: what it stops must stay stopped. */
const unmeant: fc.Arbitrary<Condition> = fc.constantFrom<Condition>(
  { key: 'amount', comparison: 'equal', value: { type: 'text', value: '1' }, metadata: {} },
  { key: 'currency', comparison: 'lessThan', value: { type: 'enumVariant', value: 'EUR' }, metadata: {} },
)
const condition = fc.oneof({ weight: 12, arbitrary: meant }, { weight: 1, arbitrary: unmeant })
const { statement } = fc.letrec<{ statement: Statement }>((tie) => ({
  statement: fc.record({
    conditions: fc.array(condition, { maxLength: 4 }),
    nested: fc.oneof({ depthSize: 'small', maxDepth: 2 }, fc.constant([]), fc.array(tie('statement'), { maxLength: 2 })),
  }),
}))
const ruleOf = (statements: readonly Statement[], index: number): Rule => ({
  name: `r${index}`,
  routingType: 'priority',
  output: { form: 'priority', connectors: [{ gatewayName: `r${index}`, gatewayId: null }] },
  statements,
})
const globals: Program['globals'] = [
  {
    name: 'some',
    values: [
      { type: 'enumVariant', value: 'EUR' },
      { type: 'enumVariant', value: 'VISA' },
      { type: 'number', value: 2 },
    ],
  },
]
const programOf = (rules: readonly Rule[]): Program => ({
  globals,
  rules,
  defaultSelection: { form: 'priority', connectors: [{ gatewayName: 'default', gatewayId: null }] },
  metadata: null,
})
const program = fc.array(fc.array(statement, { maxLength: 2 }), { maxLength: 40 }).map((list) => programOf(list.map(ruleOf)))
const sent: fc.Arbitrary<Record<string, SentParameter>> = fc.record(
  {
    currency: currency.map((value) => ({ type: 'enumVariant' as const, value })),
    card_network: network.map((value) => ({ type: 'enumVariant' as const, value })),
    amount: amount.map((value) => ({ type: 'number' as const, value })),
    business_label: fc.constantFrom('aa', 'bb', 'zz').map((value) => ({ type: 'text' as const, value })),
    metadata: label.map((value) => ({ type: 'metadata' as const, key: 'tier', value })),
    tier: label.map((value) => ({ type: 'metadata' as const, key: 'tier', value })),
  },
  { requiredKeys: [] },
)

const outcomeOf = (one: Program, parameters: ReadonlyMap<string, ParameterValue>): string => {
  const compiled = compileAlgorithm('id', { kind: 'ADVANCED', program: one }, sampleCatalogue)
  const result = compiled.evaluate(parameters, { paymentId: 'p', draw: () => 0, fallback: [] })
  return isEvaluationError(result) ? 'invalid comparison' : (result.evaluated[0]?.gatewayName ?? '')
}

describe('decision table', () => {
  test('12,000 random programs and payments: the same answers as a naive interpreter', () => {
    const outcomes = new Map<string, number>()
    fc.assert(
      fc.property(program, fc.array(sent, { minLength: 4, maxLength: 4 }), (one, payments) => {
        for (const payment of payments) {
          const checked = checkParameters(sampleCatalogue, new Map(Object.entries(payment)))
          if (!checked.accepted) throw new Error(checked.problem.code)
          const expected = outcomeByReference(one, checked.parameters, sampleCatalogue)
          outcomes.set(expected, (outcomes.get(expected) ?? 0) + 1)
          expect(outcomeOf(one, checked.parameters)).toBe(expected)
        }
      }),
      { numRuns: 3_000 },
    )
    // The property means nothing when one kind of outcome is rare.
    for (const outcome of ['r0', 'r5', 'default', 'invalid comparison']) expect(outcomes.get(outcome) ?? 0).toBeGreaterThan(50)
  })

  const remainingOf = (rules: readonly Rule[], parameters: ReadonlyMap<string, ParameterValue>): number => {
    const row = createDecisionTable(rules, { catalogue: sampleCatalogue, globals: [] }).remaining(parameters)
    return row.reduce((sum, word) => sum + word.toString(2).replaceAll('0', '').length, 0)
  }
  const rules = Array.from({ length: 100 }, (_, index) =>
    ruleOf(
      [
        {
          conditions: [
            { key: 'currency', comparison: 'equal', value: { type: 'enumVariant', value: index % 2 === 0 ? 'EUR' : 'USD' }, metadata: {} },
            { key: 'amount', comparison: 'lessThan', value: { type: 'number', value: index }, metadata: {} },
          ],
          nested: [],
        },
      ],
      index,
    ),
  )

  test('it leaves only rules that single values do not rule out', () => {
    const payment = (code: string, amountSent: number): ReadonlyMap<string, ParameterValue> =>
      new Map<string, ParameterValue>([
        ['currency', { type: 'enumVariant', value: code }],
        ['amount', { type: 'number', value: amountSent }],
      ])
    expect(remainingOf(rules, payment('EUR', 97))).toBe(1)
    expect(remainingOf(rules, payment('SEK', 1))).toBe(0)
    expect(remainingOf(rules, new Map([['currency', { type: 'enumVariant', value: 'EUR' }]]))).toBe(0)
  })

  test('a list of many numbers took a hundred times its memory in rows of the table: beyond a bound its rule is asked itself', () => {
    const listing = (count: number): Condition => {
      const values = Array.from({ length: count }, (_, index) => 10 + index)
      return { key: 'amount', comparison: 'equal', value: { type: 'numberArray', values }, metadata: {} }
    }
    const none = new Map<string, ParameterValue>([['amount', { type: 'number', value: 1 }]])
    expect(remainingOf([ruleOf([{ conditions: [listing(30_000)], nested: [] }], 0)], none)).toBe(0)
    expect(remainingOf([ruleOf([{ conditions: [listing(33_000)], nested: [] }], 0)], none)).toBe(1)
  })

  test('a value of another type drops no rule: whoever asks for it fails the evaluation', () => {
    expect(remainingOf(rules, new Map([['currency', { type: 'text', value: 'EUR' }]]))).toBe(100)
  })
})
