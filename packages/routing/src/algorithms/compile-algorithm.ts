import type { Algorithm, Global, Program, Statement } from './algorithm.ts'
import { compileCondition, FALSE, MISMATCH, type Test, TRUE } from './compile-condition.ts'
import { type CompiledOutput, compileOutput, distinct } from './compile-output.ts'
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

const compileStatements = (statements: readonly Statement[], globals: readonly Global[]): Test =>
  some(
    statements.map(({ conditions, nested }) => {
      const tests = conditions.map((condition) => compileCondition(condition, globals))
      return every(nested.length === 0 ? tests : [...tests, compileStatements(nested, globals)])
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

const compileProgram = (algorithmId: string, { rules, globals, defaultSelection }: Program): CompiledAlgorithm => {
  const compiled = rules.map(({ name, statements, output }) => ({
    matches: compileStatements(statements, globals),
    output: compileOutput(algorithmId, output),
    heading: { status: 'SUCCESS', ruleName: name, label: name } as const,
  }))
  const ofDefault = compileOutput(algorithmId, defaultSelection)
  return {
    evaluate: (parameters, context) => {
      for (const { matches, output, heading } of compiled) {
        const verdict = matches(parameters)
        if (verdict === MISMATCH) return { code: 'INVALID_COMPARISON', ruleName: heading.ruleName }
        if (verdict === TRUE) return answerOf(output, context, heading, 'program')
      }
      return context.fallback.length > 0 ? fallbackOf(context) : answerOf(ofDefault, context, NO_MATCH, 'program')
    },
  }
}

/** Compiles an algorithm; the id salts the draws of its splits (rules.md 6.3 to 7). */
export const compileAlgorithm = (algorithmId: string, algorithm: Algorithm): CompiledAlgorithm => {
  if (algorithm.kind === 'ADVANCED') return compileProgram(algorithmId, algorithm.program)
  const output = compileOutput(algorithmId, algorithm.output)
  const heading = { status: 'SUCCESS', ruleName: null, label: LABELS[algorithm.kind] } as const
  return { evaluate: (_parameters, context) => answerOf(output, context, heading, 'algorithm') }
}

const UNREADABLE: CompiledAlgorithm = { evaluate: () => ({ code: 'ALGORITHM_UNREADABLE' }) }
/** Stored algorithms keep their identity until they change, so each is compiled once and forgotten with its state. */
const compiledByStored = new WeakMap<StoredAlgorithm, CompiledAlgorithm>()

/** One recorded text that makes no sense here must not end all decisions of its merchant: it answers an error every time. */
const compiledOrUnreadable = ({ id, kind, definition }: StoredAlgorithm): CompiledAlgorithm => {
  if (kind === 'UNKNOWN') return UNREADABLE
  try {
    return compileAlgorithm(id, parseDefinition(kind, definition))
  } catch {
    return UNREADABLE
  }
}

/** The compiled form of a stored algorithm, kept as long as the stored one lives. */
export const compiledAlgorithmOf = (stored: StoredAlgorithm): CompiledAlgorithm => {
  const known = compiledByStored.get(stored)
  if (known !== undefined) return known
  const compiled = compiledOrUnreadable(stored)
  compiledByStored.set(stored, compiled)
  return compiled
}
