import type { Program, Statement, StaticAlgorithm } from './algorithm.ts'
import type { Catalogue } from './catalogue.ts'
import { type CompileScope, compileCondition, FALSE, MISMATCH, type Test, TRUE } from './compile-condition.ts'
import { type CompiledOutput, compileOutput, distinct } from './compile-output.ts'
import { createDecisionTable } from './decision-table.ts'
import { parseDefinition } from './definition.ts'
import type { Evaluation, EvaluationContext, EvaluationResult } from './evaluation.ts'
import type { Parameters } from './parameters.ts'
import type { StoredAlgorithm } from './stored-algorithm.ts'

/** An algorithm as closures: compiled once, evaluated for every payment. */
export interface CompiledAlgorithm {
  readonly evaluate: (parameters: Parameters, context: EvaluationContext) => EvaluationResult
}

const LABELS = { SINGLE: 'straight_through_rule', PRIORITY: 'priority_rule', VOLUME_SPLIT: 'volume_split_rule' } as const
const FALLBACK_LABEL = 'default_fallback'
const WORD_BITS = 32

type Mismatch = Extract<EvaluationResult, { readonly code: 'INVALID_COMPARISON' }>

/** All of them, from left to right, until one is not true. */
const every =
  (tests: readonly Test[]): Test =>
  (parameters) => {
    for (const test of tests) {
      const verdict = test(parameters)
      if (verdict !== TRUE) return verdict
    }
    return TRUE
  }

/** Any of them, from left to right, until one is not false. */
const some =
  (tests: readonly Test[]): Test =>
  (parameters) => {
    for (const test of tests) {
      const verdict = test(parameters)
      if (verdict !== FALSE) return verdict
    }
    return FALSE
  }

const compileStatements = (statements: readonly Statement[], scope: CompileScope): Test =>
  some(
    statements.map(({ conditions, nested }) => {
      const tests = conditions.map((condition) => compileCondition(condition, scope))
      return every(nested.length === 0 ? tests : [...tests, compileStatements(nested, scope)])
    }),
  )

/** What is said of an answer besides its connectors. */
type Heading = Pick<Evaluation, 'status' | 'ruleName' | 'label'>

const answerOf = (
  { output, eligible, answer }: CompiledOutput,
  context: EvaluationContext,
  { status, ruleName, label }: Heading,
  source: 'program' | 'algorithm',
): EvaluationResult => {
  const answered = answer(context)
  if (answered === undefined) return { code: 'SPLIT_NOT_DRAWN', source }
  const { evaluated, drawnSlot } = answered
  return { status, ruleName, label, output, evaluated, eligible, drawnSlot }
}

const NO_MATCH: Heading = { status: 'DEFAULT_SELECTION', ruleName: null, label: null }

const fallbackOf = ({ fallback }: EvaluationContext): Evaluation => ({
  ...NO_MATCH,
  label: FALLBACK_LABEL,
  output: { form: 'priority', connectors: fallback },
  evaluated: fallback,
  eligible: distinct(fallback),
  drawnSlot: null,
})

/** A rule that is ready to be asked. */
interface CompiledRule {
  readonly matches: Test
  readonly output: CompiledOutput
  readonly heading: Heading & { readonly ruleName: string }
}

/** The first of the remaining rules that does not say no; undefined when all do. Ends at a comparison without meaning. */
const firstAnswering = (
  rules: readonly CompiledRule[],
  remaining: Uint32Array,
  parameters: Parameters,
): CompiledRule | Mismatch | undefined => {
  for (let word = 0; word < remaining.length; word++) {
    for (let rest = remaining[word] ?? 0; rest !== 0; rest &= rest - 1) {
      const rule = rules[word * WORD_BITS + (WORD_BITS - 1 - Math.clz32(rest & -rest))]
      const verdict = rule?.matches(parameters)
      if (rule === undefined || verdict === FALSE) continue
      return verdict === MISMATCH ? { code: 'INVALID_COMPARISON', ruleName: rule.heading.ruleName } : rule
    }
  }
  return undefined
}

const compileProgram = (algorithmId: string, { rules, globals, defaultSelection }: Program, catalogue: Catalogue): CompiledAlgorithm => {
  const scope = { catalogue, globals }
  const compiled = rules.map(
    ({ name, statements, output }): CompiledRule => ({
      matches: compileStatements(statements, scope),
      output: compileOutput(algorithmId, output),
      heading: { status: 'SUCCESS', ruleName: name, label: name },
    }),
  )
  const table = createDecisionTable(rules, scope)
  const ofDefault = compileOutput(algorithmId, defaultSelection)
  return {
    evaluate: (parameters, context) => {
      const rule = firstAnswering(compiled, table.remaining(parameters), parameters)
      if (rule !== undefined) return 'code' in rule ? rule : answerOf(rule.output, context, rule.heading, 'program')
      return context.fallback.length > 0 ? fallbackOf(context) : answerOf(ofDefault, context, NO_MATCH, 'program')
    },
  }
}

/** Compiles an algorithm; the id salts the draws of its splits (rules.md 6.3 to 7). */
export const compileAlgorithm = (algorithmId: string, algorithm: StaticAlgorithm, catalogue: Catalogue): CompiledAlgorithm => {
  if (algorithm.kind === 'ADVANCED') return compileProgram(algorithmId, algorithm.program, catalogue)
  const output = compileOutput(algorithmId, algorithm.output)
  const heading = { status: 'SUCCESS', ruleName: null, label: LABELS[algorithm.kind] } as const
  return { evaluate: (_parameters, context) => answerOf(output, context, heading, 'algorithm') }
}

const UNREADABLE: CompiledAlgorithm = { evaluate: () => ({ code: 'ALGORITHM_UNREADABLE' }) }
/** An experiment chooses between algorithms; by itself it says nothing about a payment. */
const EXPERIMENT: CompiledAlgorithm = { evaluate: () => ({ code: 'ALGORITHM_IS_EXPERIMENT' }) }

/** One recorded text that makes no sense here must not end all decisions of its merchant: it answers an error every time. */
const compiledOrUnreadable = ({ id, kind, definition }: StoredAlgorithm, catalogue: Catalogue): CompiledAlgorithm => {
  if (kind === 'UNKNOWN') return UNREADABLE
  try {
    const algorithm = parseDefinition(kind, definition)
    return algorithm.kind === 'AB_TEST' ? EXPERIMENT : compileAlgorithm(id, algorithm, catalogue)
  } catch {
    return UNREADABLE
  }
}

/** The compiled form of a stored algorithm. */
export type CompiledAlgorithmOf = (stored: StoredAlgorithm) => CompiledAlgorithm

/**
 * Compiles stored algorithms, each once: they keep their identity until they change, and the compiled form is forgotten
 * with the stored one.
 */
export const createAlgorithmCompiler = (catalogue: Catalogue): CompiledAlgorithmOf => {
  const compiledByStored = new WeakMap<StoredAlgorithm, CompiledAlgorithm>()
  return (stored) => {
    const known = compiledByStored.get(stored)
    if (known !== undefined) return known
    const compiled = compiledOrUnreadable(stored, catalogue)
    compiledByStored.set(stored, compiled)
    return compiled
  }
}
