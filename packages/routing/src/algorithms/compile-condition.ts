import { assertNever } from '@switchyard/kernel'
import type { Comparison, Condition, ConditionValue, Global, NumberComparison, ParameterValue } from './algorithm.ts'
import type { Catalogue } from './catalogue.ts'
import { containsOf } from './global-elements.ts'
import type { Parameters } from './parameters.ts'

/** Outcome of a test: false, true, or a comparison that has no meaning, which stops the evaluation. */
export const FALSE = 0
export const TRUE = 1
export const MISMATCH = 2
export type Verdict = typeof FALSE | typeof TRUE | typeof MISMATCH

/** A compiled condition; allocates nothing. */
export type Test = (parameters: Parameters) => Verdict

/** Compares one value. */
export type ValueTest = (parameter: ParameterValue) => Verdict

const NEVER_MEANT: ValueTest = () => MISMATCH
const verdictOf = (holds: boolean): Verdict => (holds ? TRUE : FALSE)

const NUMBER_TESTS: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  equal: (a, b) => a === b,
  notEqual: (a, b) => a !== b,
  lessThan: (a, b) => a < b,
  lessThanEqual: (a, b) => a <= b,
  greaterThan: (a, b) => a > b,
  greaterThanEqual: (a, b) => a >= b,
}

/** The verdict of membership, turned round for `notEqual`; other comparisons have no meaning. */
const membership = (comparison: Comparison, test: (isMember: Verdict, isNot: Verdict) => ValueTest): ValueTest => {
  if (comparison === 'equal') return test(TRUE, FALSE)
  return comparison === 'notEqual' ? test(FALSE, TRUE) : NEVER_MEANT
}

const oneOfNumbers = (comparison: Comparison, numbers: ReadonlySet<number>): ValueTest =>
  membership(comparison, (isMember, isNot) => (parameter) => {
    if (parameter.type !== 'number') return MISMATCH
    return numbers.has(parameter.value) ? isMember : isNot
  })

const oneOfStrings = (type: 'enumVariant' | 'text', comparison: Comparison, strings: ReadonlySet<string>): ValueTest =>
  membership(comparison, (isMember, isNot) => (parameter) => {
    if (parameter.type !== type) return MISMATCH
    return strings.has(parameter.value) ? isMember : isNot
  })

const withinRange = (comparison: Comparison, bounds: readonly NumberComparison[]): ValueTest => {
  if (comparison !== 'equal') return NEVER_MEANT
  const tests = bounds.map((bound) => ({ holds: NUMBER_TESTS[bound.comparison], limit: bound.number }))
  return (parameter) => {
    if (parameter.type !== 'number') return MISMATCH
    for (const { holds, limit } of tests) if (!holds(parameter.value, limit)) return FALSE
    return TRUE
  }
}

const sameMetadata = (comparison: Comparison, key: string, value: string): ValueTest =>
  membership(comparison, (isMember, isNot) => (parameter) => {
    if (parameter.type !== 'metadata') return MISMATCH
    return parameter.key === key && parameter.value === value ? isMember : isNot
  })

/** What conditions are compiled with: the vocabulary, and the sets that the program names. */
export interface CompileScope {
  readonly catalogue: Catalogue
  readonly globals: readonly Global[]
}

/** The value with canonical spellings; what the catalogue lacks stays as it is. */
const canonical = ({ canonicalValue }: Catalogue, routingKey: string, value: ConditionValue): ConditionValue => {
  if (value.type === 'enumVariant') return { ...value, value: canonicalValue(routingKey, value.value) ?? value.value }
  if (value.type === 'enumVariantArray') {
    return { ...value, values: value.values.map((element) => canonicalValue(routingKey, element) ?? element) }
  }
  return value
}

/** An unknown global decides nothing, so neither comparison holds. */
const elementOfGlobal = ({ key, comparison }: Condition, name: string, { catalogue, globals }: CompileScope): ValueTest => {
  const global = globals.find((candidate) => candidate.name === name)
  if (global === undefined) return membership(comparison, () => () => FALSE)
  const contains = containsOf(catalogue, key, global)
  return membership(comparison, (isMember, isNot) => (parameter) => (contains(parameter) ? isMember : isNot))
}

/** Compiles what a condition asks of the value that it looks at. */
export const compileValueTest = (condition: Condition, scope: CompileScope): ValueTest => {
  const { key, comparison } = condition
  const value = canonical(scope.catalogue, key, condition.value)
  switch (value.type) {
    case 'number': {
      const holds = NUMBER_TESTS[comparison]
      return (parameter) => (parameter.type === 'number' ? verdictOf(holds(parameter.value, value.value)) : MISMATCH)
    }
    case 'numberArray':
      return oneOfNumbers(comparison, new Set(value.values))
    case 'numberComparisons':
      return withinRange(comparison, value.comparisons)
    case 'enumVariant':
    case 'text':
      return oneOfStrings(value.type, comparison, new Set([value.value]))
    case 'enumVariantArray':
      return oneOfStrings('enumVariant', comparison, new Set(value.values))
    case 'metadata':
      return sameMetadata(comparison, value.key, value.value)
    case 'globalRef':
      return elementOfGlobal(condition, value.name, scope)
    default:
      return assertNever(value)
  }
}

/**
 * Compiles one condition (rules.md 6.4). An absent parameter makes it false, never an error. A metadata condition looks
 * for a parameter named after its metadata key first.
 */
export const compileCondition = (condition: Condition, scope: CompileScope): Test => {
  const { key, value } = condition
  const test = compileValueTest(condition, scope)
  const byKey: Test = (parameters) => {
    const parameter = parameters.get(key)
    return parameter === undefined ? FALSE : test(parameter)
  }
  if (value.type !== 'metadata') return byKey
  return (parameters) => {
    const own = parameters.get(value.key)
    return own?.type === 'metadata' ? test(own) : byKey(parameters)
  }
}
