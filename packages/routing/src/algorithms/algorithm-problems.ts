import type { ExperimentProblem } from '../experiments/experiment-problems.ts'
import type { Algorithm, Output, Rule, Statement } from './algorithm.ts'
import { CONDITION_COUNT_MAX, RULE_COUNT_MAX, SPLIT_TOTAL, STATEMENT_DEPTH_MAX } from './limits.ts'

/** The part of an algorithm that something is said about; rules count from 0. */
export type AlgorithmPart = { readonly part: 'algorithm' | 'default' } | { readonly part: 'rule'; readonly index: number }

/** Why an algorithm can't be stored. */
export type AlgorithmProblem = OutputProblem | ExperimentProblem

/** What is wrong with the outputs or the rules of an algorithm. */
export type OutputProblem = { readonly where: AlgorithmPart } & (
  | { readonly reason: 'SPLIT_WITHOUT_WEIGHT' }
  | { readonly reason: 'ROUTING_TYPE_MISMATCH' }
  | { readonly reason: 'TOO_MANY_RULES' | 'TOO_MANY_CONDITIONS' | 'NESTED_TOO_DEEPLY'; readonly limit: number }
)

/** A split that does not add up to {@link SPLIT_TOTAL}: allowed, its weights are relative. */
export interface SplitWarning {
  readonly where: AlgorithmPart
  readonly total: number
}

interface PlacedOutput {
  readonly where: AlgorithmPart
  readonly output: Output
}

const outputsOf = (algorithm: Algorithm): readonly PlacedOutput[] => {
  if (algorithm.kind === 'AB_TEST') return []
  if (algorithm.kind !== 'ADVANCED') return [{ where: { part: 'algorithm' }, output: algorithm.output }]
  return [
    { where: { part: 'default' }, output: algorithm.program.defaultSelection },
    ...algorithm.program.rules.map(({ output }, index): PlacedOutput => ({ where: { part: 'rule', index }, output })),
  ]
}

/** Sum of the weights; undefined for outputs that are no split. */
const splitTotalOf = (output: Output): number | undefined =>
  output.form === 'volumeSplit' || output.form === 'volumeSplitPriority'
    ? output.splits.reduce((sum: number, { weight }) => sum + weight, 0)
    : undefined

const depthOf = (statements: readonly Statement[]): number =>
  statements.reduce((deepest, { nested }) => Math.max(deepest, 1 + depthOf(nested)), 0)

const conditionCountOf = (statements: readonly Statement[]): number =>
  statements.reduce((sum, { conditions, nested }) => sum + conditions.length + conditionCountOf(nested), 0)

const problemsOfRule = (rule: Rule, index: number): readonly OutputProblem[] => {
  const where = { part: 'rule', index } as const
  const problems: OutputProblem[] = []
  if (rule.output.form !== 'single' && rule.output.form !== rule.routingType) problems.push({ where, reason: 'ROUTING_TYPE_MISMATCH' })
  if (depthOf(rule.statements) > STATEMENT_DEPTH_MAX) problems.push({ where, reason: 'NESTED_TOO_DEEPLY', limit: STATEMENT_DEPTH_MAX })
  return problems
}

const problemsOfRules = (rules: readonly Rule[]): readonly OutputProblem[] => {
  const where = { part: 'algorithm' } as const
  if (rules.length > RULE_COUNT_MAX) return [{ where, reason: 'TOO_MANY_RULES', limit: RULE_COUNT_MAX }]
  const conditionCount = rules.reduce((sum, { statements }) => sum + conditionCountOf(statements), 0)
  if (conditionCount > CONDITION_COUNT_MAX) return [{ where, reason: 'TOO_MANY_CONDITIONS', limit: CONDITION_COUNT_MAX }]
  return rules.flatMap(problemsOfRule)
}

/** Everything about its outputs and rules that keeps an algorithm from being stored (rules.md 5.3 "Ours", Q11); empty when it may be. */
export const algorithmProblems = (algorithm: Algorithm): readonly OutputProblem[] => [
  ...(algorithm.kind === 'ADVANCED' ? problemsOfRules(algorithm.program.rules) : []),
  ...outputsOf(algorithm)
    .filter(({ output }) => splitTotalOf(output) === 0)
    .map(({ where }): OutputProblem => ({ where, reason: 'SPLIT_WITHOUT_WEIGHT' })),
]

/** Splits whose weights do not add up to {@link SPLIT_TOTAL} (rules.md S5). */
export const splitWarnings = (algorithm: Algorithm): readonly SplitWarning[] =>
  outputsOf(algorithm).flatMap(({ where, output }) => {
    const total = splitTotalOf(output) ?? SPLIT_TOTAL
    return total === SPLIT_TOTAL ? [] : [{ where, total }]
  })
