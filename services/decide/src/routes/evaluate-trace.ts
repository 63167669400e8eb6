import type {
  ConditionPlace,
  FailedCondition,
  Parameters,
  ParameterValue,
  RuleEvaluator,
  RuleTrace,
  StoredAlgorithm,
} from '@switchyard/routing'
import { parseDefinition, traceProgram } from '@switchyard/routing'

const snakeCase = (word: string): string => word.replace(/[A-Z]/g, '_$&').toLowerCase()

const printParameter = (parameter: ParameterValue): object => {
  if (parameter.type === 'metadata') return { type: 'metadata_variant', value: { key: parameter.key, value: parameter.value } }
  return { type: parameter.type === 'text' ? 'str_value' : snakeCase(parameter.type), value: parameter.value }
}

const printPlace = ({ rule, statement, nested, condition }: ConditionPlace): string =>
  `rules[${rule}].statements[${statement}]${nested.map((index) => `.nested[${index}]`).join('')}.condition[${condition}]`

const printFailed = ({ place, condition, seen }: FailedCondition): object => ({
  path: printPlace(place),
  lhs: condition.key,
  comparison: snakeCase(condition.comparison),
  seen: seen && printParameter(seen),
})

const RESULTS: Readonly<Record<RuleTrace['result'], string>> = {
  matched: 'matched',
  failed: 'failed',
  'not-reached': 'not_reached',
  error: 'error',
}

/** Why each rule of a program did or did not match, as clients see it; empty for an algorithm without rules. */
export const traceOf = ({ kind, definition }: StoredAlgorithm, parameters: Parameters, { catalogue }: RuleEvaluator): readonly object[] => {
  if (kind !== 'ADVANCED') return []
  const algorithm = parseDefinition(kind, definition)
  if (algorithm.kind !== 'ADVANCED') return []
  return traceProgram(algorithm.program, parameters, catalogue).map(({ name, result, failed }) => ({
    rule: name,
    result: RESULTS[result],
    failed: failed.map(printFailed),
  }))
}
