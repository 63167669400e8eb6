import type { Condition, ParameterValue, Program, Statement } from './algorithm.ts'
import type { Catalogue } from './catalogue.ts'
import { type CompileScope, compileCondition, FALSE, MISMATCH, TRUE, type Verdict } from './compile-condition.ts'
import type { ConditionPlace } from './condition-problems.ts'
import type { Parameters } from './parameters.ts'

/** A condition that did not hold. */
export interface FailedCondition {
  readonly place: ConditionPlace
  readonly condition: Condition
  /** What it was compared with; null when the payment has no such parameter. */
  readonly seen: ParameterValue | null
}

/** What became of a rule: `not-reached` behind the first match, `error` at a comparison without meaning. */
export interface RuleTrace {
  readonly name: string
  readonly result: 'matched' | 'failed' | 'not-reached' | 'error'
  /** Of each statement that did not hold the conditions that decided it, in their order. */
  readonly failed: readonly FailedCondition[]
}

interface Walk {
  readonly scope: CompileScope
  readonly parameters: Parameters
  /** Takes what did not hold. */
  readonly failed: FailedCondition[]
}

const seenBy = ({ key, value }: Condition, parameters: Parameters): ParameterValue | null => {
  const own = value.type === 'metadata' ? parameters.get(value.key) : undefined
  return (own?.type === 'metadata' ? own : parameters.get(key)) ?? null
}

const conditionsVerdict = ({ conditions }: Statement, place: Omit<ConditionPlace, 'condition'>, walk: Walk): Verdict => {
  for (const [index, condition] of conditions.entries()) {
    const verdict = compileCondition(condition, walk.scope)(walk.parameters)
    if (verdict === TRUE) continue
    walk.failed.push({ place: { ...place, condition: index }, condition, seen: seenBy(condition, walk.parameters) })
    return verdict
  }
  return TRUE
}

const statementVerdict = (statement: Statement, place: Omit<ConditionPlace, 'condition'>, walk: Walk): Verdict => {
  const own = conditionsVerdict(statement, place, walk)
  if (own !== TRUE || statement.nested.length === 0) return own
  for (const [index, inner] of statement.nested.entries()) {
    const verdict = statementVerdict(inner, { ...place, nested: [...place.nested, index] }, walk)
    if (verdict !== FALSE) return verdict
  }
  return FALSE
}

const statementsVerdict = (statements: readonly Statement[], rule: number, walk: Walk): Verdict => {
  for (const [statement, one] of statements.entries()) {
    const verdict = statementVerdict(one, { rule, statement, nested: [] }, walk)
    if (verdict !== FALSE) return verdict
  }
  return FALSE
}

const RESULTS = { [FALSE]: 'failed', [TRUE]: 'matched', [MISMATCH]: 'error' } as const

/** Why each rule of a program did or did not match (rules.md 6.4): goes through them slowly, for people who look at a program. */
export const traceProgram = ({ rules, globals }: Program, parameters: Parameters, catalogue: Catalogue): readonly RuleTrace[] => {
  let isDecided = false
  return rules.map(({ name, statements }, index): RuleTrace => {
    if (isDecided) return { name, result: 'not-reached', failed: [] }
    const failed: FailedCondition[] = []
    const verdict = statementsVerdict(statements, index, { scope: { catalogue, globals }, parameters, failed })
    isDecided = verdict !== FALSE
    return { name, result: RESULTS[verdict], failed: verdict === TRUE ? [] : failed }
  })
}
