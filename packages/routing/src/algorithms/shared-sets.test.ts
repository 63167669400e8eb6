import { describe, expect, test } from '@jest/globals'
import type { ParameterValue, Program, Rule } from './algorithm.ts'
import type { Catalogue } from './catalogue.ts'
import { compileAlgorithm } from './compile-algorithm.ts'
import { conditionProblems } from './condition-problems.ts'
import { isEvaluationError } from './evaluation.ts'
import { sampleCatalogue } from './sample-catalogue.fixture.ts'
import { traceProgram } from './trace-program.ts'

const RULE_COUNT = 100
const VALUE_COUNT = 200

const north = { gatewayName: 'northpay', gatewayId: null }
const rule: Rule = {
  name: 'r',
  routingType: 'priority',
  output: { form: 'priority', connectors: [north] },
  statements: [
    {
      conditions: [{ key: 'currency', comparison: 'equal', value: { type: 'globalRef', name: 'long' }, metadata: {} }],
      nested: [],
    },
  ],
}
const programOf = (value: ParameterValue): Program => ({
  globals: [{ name: 'long', values: new Array<ParameterValue>(VALUE_COUNT).fill(value) }],
  defaultSelection: { form: 'priority', connectors: [] },
  rules: new Array<Rule>(RULE_COUNT).fill(rule),
  metadata: null,
})
const euro: ParameterValue = { type: 'enumVariant', value: 'EUR' }

/** The vocabulary, and how often it was asked for a spelling. */
const countingCatalogue = (): { readonly catalogue: Catalogue; readonly askedCount: () => number } => {
  let askedCount = 0
  const counted =
    (ask: Catalogue['listedValue']): Catalogue['listedValue'] =>
    (key, value) => {
      askedCount += 1
      return ask(key, value)
    }
  const { canonicalValue, listedValue } = sampleCatalogue
  return {
    catalogue: { ...sampleCatalogue, canonicalValue: counted(canonicalValue), listedValue: counted(listedValue) },
    askedCount: () => askedCount,
  }
}

describe('a long global set that many conditions name', () => {
  test('was checked anew for each of them, which held the thread for many seconds', () => {
    const { catalogue, askedCount } = countingCatalogue()
    expect(conditionProblems(catalogue, programOf(euro))).toEqual([])
    expect(askedCount()).toBe(VALUE_COUNT)
    // Each of them is told all the same.
    const wrong = conditionProblems(catalogue, programOf({ type: 'enumVariant', value: 'ECU' }))
    expect(wrong.map(({ place }) => place.rule)).toEqual(Array.from({ length: RULE_COUNT }, (_, index) => index))
  })

  test('was kept anew for each of them, which took the memory of the process', () => {
    const { catalogue, askedCount } = countingCatalogue()
    const compiled = compileAlgorithm('routing_1', { kind: 'ADVANCED', program: programOf(euro) }, catalogue)
    // For the conditions, and for the table of decisions.
    expect(askedCount()).toBe(2 * VALUE_COUNT)
    const result = compiled.evaluate(new Map([['currency', euro]]), { paymentId: null, draw: () => 0, fallback: [] })
    expect(isEvaluationError(result) ? result : result.evaluated).toEqual([north])
  })

  test('was gone through anew for each of them when a program was explained', () => {
    const { catalogue, askedCount } = countingCatalogue()
    const dollar: ParameterValue = { type: 'enumVariant', value: 'USD' }
    const trace = traceProgram(programOf(euro), new Map([['currency', dollar]]), catalogue)
    expect(new Set(trace.map(({ result }) => result))).toEqual(new Set(['failed']))
    expect(askedCount()).toBe(VALUE_COUNT)
  })
})
