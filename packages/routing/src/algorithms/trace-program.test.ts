import { describe, expect, test } from '@jest/globals'
import type { Condition, ParameterValue, Program, Rule, Statement } from './algorithm.ts'
import { sampleCatalogue } from './sample-catalogue.fixture.ts'
import { traceProgram } from './trace-program.ts'

const currency = (value: string): Condition => ({
  key: 'currency',
  comparison: 'equal',
  value: { type: 'enumVariant', value },
  metadata: {},
})
const above = (value: number): Condition => ({ key: 'amount', comparison: 'greaterThan', value: { type: 'number', value }, metadata: {} })
const gold: Condition = { key: 'metadata', comparison: 'equal', value: { type: 'metadata', key: 'tier', value: 'gold' }, metadata: {} }
const broken: Condition = { key: 'amount', comparison: 'equal', value: { type: 'text', value: '1' }, metadata: {} }
const rule = (name: string, ...statements: readonly Statement[]): Rule => ({
  name,
  routingType: 'priority',
  output: { form: 'priority', connectors: [] },
  statements,
})
const statement = (conditions: readonly Condition[], nested: readonly Statement[] = []): Statement => ({ conditions, nested })
const trace = (...rules: readonly Rule[]) => {
  const program: Program = { globals: [], rules, defaultSelection: { form: 'priority', connectors: [] }, metadata: null }
  const tier: ParameterValue = { type: 'metadata', key: 'tier', value: 'base' }
  return traceProgram(
    program,
    new Map<string, ParameterValue>([
      ['amount', { type: 'number', value: 50 }],
      ['tier', tier],
    ]),
    sampleCatalogue,
  )
}

describe('trace of a program', () => {
  test('each rule up to the match tells the conditions that failed, with what was seen', () => {
    expect(
      trace(rule('absent', statement([currency('EUR')])), rule('low', statement([above(50)]), statement([above(10)])), rule('late')),
    ).toEqual([
      {
        name: 'absent',
        result: 'failed',
        failed: [{ place: { rule: 0, statement: 0, nested: [], condition: 0 }, condition: currency('EUR'), seen: null }],
      },
      { name: 'low', result: 'matched', failed: [] },
      { name: 'late', result: 'not-reached', failed: [] },
    ])
  })

  test('every statement has its own failed condition, also nested ones', () => {
    const nested = [statement([above(60)]), statement([above(1), gold])]
    const [failed] = trace(rule('r', statement([above(70)]), statement([above(10)], nested)))
    expect(failed?.failed.map(({ place, seen }) => [place.statement, place.nested, place.condition, seen?.value])).toEqual([
      [0, [], 0, 50],
      [1, [0], 0, 50],
      [1, [1], 1, 'base'],
    ])
  })

  test('a comparison without meaning ends the trace at its condition', () => {
    const results = trace(rule('broken', statement([above(1), broken])), rule('late', statement([above(1)])))
    expect(results.map(({ result }) => result)).toEqual(['error', 'not-reached'])
    expect(results[0]?.failed.map(({ place }) => place.condition)).toEqual([1])
  })
})
