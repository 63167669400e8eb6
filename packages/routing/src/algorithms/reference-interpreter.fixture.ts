import type { Comparison, Condition, ConditionValue, Global, ParameterValue, Program, Statement } from './algorithm.ts'
import type { Catalogue } from './catalogue.ts'

/** Rules.md 6.4 word for word and slowly: what the compiled form must agree with. */
class InvalidComparison extends Error {}

const compareNumbers = (a: number, comparison: Comparison, b: number): boolean => {
  if (comparison === 'equal') return a === b
  if (comparison === 'notEqual') return a !== b
  if (comparison === 'lessThan') return a < b
  if (comparison === 'lessThanEqual') return a <= b
  return comparison === 'greaterThan' ? a > b : a >= b
}

const asList = (value: ConditionValue): readonly unknown[] => ('values' in value ? value.values : 'value' in value ? [value.value] : [])

const holdsFor = (parameter: ParameterValue, { comparison, value }: Condition, globals: readonly Global[]): boolean => {
  if (value.type === 'number' && parameter.type === 'number') return compareNumbers(parameter.value, comparison, value.value)
  if (value.type === 'numberComparisons' && parameter.type === 'number' && comparison === 'equal') {
    return value.comparisons.every((bound) => compareNumbers(parameter.value, bound.comparison, bound.number))
  }
  if (comparison !== 'equal' && comparison !== 'notEqual') throw new InvalidComparison()
  const turned = (isIn: boolean): boolean => (comparison === 'equal' ? isIn : !isIn)
  if (value.type === 'globalRef') {
    const global = globals.find(({ name }) => name === value.name)
    return global !== undefined && turned(global.values.some((element) => JSON.stringify(element) === JSON.stringify(parameter)))
  }
  if (value.type === 'metadata' && parameter.type === 'metadata')
    return turned(value.key === parameter.key && value.value === parameter.value)
  const sameFamily =
    (parameter.type === 'number' && value.type === 'numberArray') ||
    (parameter.type === 'enumVariant' && (value.type === 'enumVariant' || value.type === 'enumVariantArray')) ||
    (parameter.type === 'text' && value.type === 'text')
  if (!sameFamily) throw new InvalidComparison()
  return turned(asList(value).includes(parameter.value))
}

const parameterOf = ({ key, value }: Condition, parameters: ReadonlyMap<string, ParameterValue>): ParameterValue | undefined => {
  const own = value.type === 'metadata' ? parameters.get(value.key) : undefined
  return own?.type === 'metadata' ? own : parameters.get(key)
}

/** Spellings as they are compared: what is sent and what stands in a program may differ in them. */
const spelled = (catalogue: Catalogue, key: string, value: ConditionValue): ConditionValue => {
  const of = (word: string): string => catalogue.canonicalValue(key, word) ?? word
  if (value.type === 'enumVariant') return { ...value, value: of(value.value) }
  return value.type === 'enumVariantArray' ? { ...value, values: value.values.map(of) } : value
}

interface Reference {
  readonly parameters: ReadonlyMap<string, ParameterValue>
  readonly globals: readonly Global[]
  readonly catalogue: Catalogue
}

const conditionHolds = (condition: Condition, { parameters, globals, catalogue }: Reference): boolean => {
  const parameter = parameterOf(condition, parameters)
  if (parameter === undefined) return false
  const of = (value: ConditionValue): ConditionValue => spelled(catalogue, condition.key, value)
  const named = globals.map(({ name, values }) => ({ name, values: values.map(of) }))
  return holdsFor(parameter, { ...condition, value: of(condition.value) }, named)
}

const statementHolds = ({ conditions, nested }: Statement, reference: Reference): boolean =>
  conditions.every((condition) => conditionHolds(condition, reference)) &&
  (nested.length === 0 || nested.some((statement) => statementHolds(statement, reference)))

/** The name of the rule that matches, `default`, or `invalid comparison`. */
export const outcomeByReference = (
  { rules, globals }: Program,
  parameters: ReadonlyMap<string, ParameterValue>,
  catalogue: Catalogue,
): string => {
  try {
    const match = rules.find(({ statements }) => statements.some((one) => statementHolds(one, { parameters, globals, catalogue })))
    return match?.name ?? 'default'
  } catch (error) {
    if (error instanceof InvalidComparison) return 'invalid comparison'
    throw error
  }
}
