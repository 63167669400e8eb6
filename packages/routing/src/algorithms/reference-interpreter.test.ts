import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Comparison, Condition, ConditionValue, ParameterValue, Program, Rule, Statement } from './algorithm.ts'
import { compileAlgorithm } from './compile-algorithm.ts'
import { parseDefinition, printDefinition } from './definition.ts'
import { isEvaluationError } from './evaluation.ts'
import { outcomeByReference } from './reference-interpreter.fixture.ts'
import { sampleCatalogue } from './sample-catalogue.fixture.ts'

type Values = Readonly<Record<string, ParameterValue>>

const KEYS = ['k1', 'k2', 'k3']
const word = fc.constantFrom('a', 'b')
const small = fc.integer({ min: 0, max: 3 })
const parameter: fc.Arbitrary<ParameterValue> = fc.oneof(
  fc.record({ type: fc.constant('number' as const), value: small }),
  fc.record({ type: fc.constant('enumVariant' as const), value: word }),
  fc.record({ type: fc.constant('text' as const), value: word }),
  fc.record({ type: fc.constant('metadata' as const), key: fc.constantFrom(...KEYS), value: word }),
)
const comparison = fc.constantFrom<Comparison>('equal', 'equal', 'notEqual', 'lessThan', 'lessThanEqual', 'greaterThan', 'greaterThanEqual')
const bound = fc.record({ comparison, number: small })
const value: fc.Arbitrary<ConditionValue> = fc.oneof(
  { weight: 4, arbitrary: parameter },
  fc.record({ type: fc.constant('numberArray' as const), values: fc.array(small, { maxLength: 3 }) }),
  fc.record({ type: fc.constant('enumVariantArray' as const), values: fc.array(word, { maxLength: 2 }) }),
  fc.record({ type: fc.constant('numberComparisons' as const), comparisons: fc.array(bound, { maxLength: 2 }) }),
  fc.record({ type: fc.constant('globalRef' as const), name: fc.constantFrom('g1', 'g2', 'missing') }),
)
const condition: fc.Arbitrary<Condition> = fc.record({ key: fc.constantFrom(...KEYS), comparison, value, metadata: fc.constant({}) })
const { statement } = fc.letrec<{ statement: Statement }>((tie) => ({
  statement: fc.record({
    conditions: fc.array(condition, { maxLength: 3 }),
    nested: fc.oneof({ depthSize: 'small', maxDepth: 3 }, fc.constant([]), fc.array(tie('statement'), { maxLength: 2 })),
  }),
}))
const rules: fc.Arbitrary<readonly Rule[]> = fc.array(fc.array(statement, { maxLength: 3 }), { maxLength: 4 }).map((list) =>
  list.map((statements, i) => ({
    name: `r${i}`,
    routingType: 'priority',
    output: { form: 'priority', connectors: [{ gatewayName: `r${i}`, gatewayId: null }] },
    statements,
  })),
)
const globals = fc.tuple(fc.array(parameter), fc.array(parameter)).map(([g1, g2]) => [
  { name: 'g1', values: g1 },
  { name: 'g2', values: g2 },
])
const program: fc.Arbitrary<Program> = fc.record({
  rules,
  globals,
  defaultSelection: fc.constant({ form: 'priority', connectors: [{ gatewayName: 'default', gatewayId: null }] } as const),
  metadata: fc.constant(null),
})
const parameters: fc.Arbitrary<Values> = fc.dictionary(fc.constantFrom(...KEYS), parameter, { noNullPrototype: true })

const evaluateCompiled = (sent: Program, values: Values): string => {
  const compiled = compileAlgorithm('id', { kind: 'ADVANCED', program: sent }, sampleCatalogue)
  const result = compiled.evaluate(new Map(Object.entries(values)), { paymentId: 'p', draw: () => 0, fallback: [] })
  return isEvaluationError(result) ? 'invalid comparison' : (result.evaluated[0]?.gatewayName ?? '')
}

describe('compiled programs', () => {
  test('they agree with a naive interpreter on random programs', () => {
    const outcomes = new Map<string, number>()
    fc.assert(
      fc.property(program, parameters, (sent, values) => {
        const expected = outcomeByReference(sent, new Map(Object.entries(values)), sampleCatalogue)
        outcomes.set(expected, (outcomes.get(expected) ?? 0) + 1)
        expect(evaluateCompiled(sent, values)).toBe(expected)
      }),
      { numRuns: 2000 },
    )
    // The property means nothing when one kind of outcome is rare.
    for (const outcome of ['r0', 'r1', 'default', 'invalid comparison']) expect(outcomes.get(outcome) ?? 0).toBeGreaterThan(20)
  })

  test('a program reads back from the log as it was written', () => {
    fc.assert(
      fc.property(program, (sent) => {
        const algorithm = { kind: 'ADVANCED', program: sent } as const
        expect(parseDefinition('ADVANCED', printDefinition(algorithm))).toEqual(algorithm)
      }),
    )
  })
})
