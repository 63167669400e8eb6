import type { Algorithm, Condition, ConditionValue, Statement } from './algorithm.ts'
import type { Catalogue } from './catalogue.ts'

const listedValue = (catalogue: Catalogue, key: string, value: ConditionValue): ConditionValue => {
  const listed = (word: string): string => catalogue.listedValue(key, word) ?? word
  if (value.type === 'enumVariant') return { ...value, value: listed(value.value) }
  return value.type === 'enumVariantArray' ? { ...value, values: value.values.map(listed) } : value
}

/**
 * The algorithm with the catalogue's spellings of enum values in its conditions (rules.md S8); what the catalogue lacks
 * stays. Global sets stay as they are: several keys may name one.
 */
export const withListedSpellings = (catalogue: Catalogue, algorithm: Algorithm): Algorithm => {
  if (algorithm.kind !== 'ADVANCED') return algorithm
  const ofCondition = (condition: Condition): Condition => ({
    ...condition,
    value: listedValue(catalogue, condition.key, condition.value),
  })
  const ofStatement = ({ conditions, nested }: Statement): Statement => ({
    conditions: conditions.map(ofCondition),
    nested: nested.map(ofStatement),
  })
  const { program } = algorithm
  return {
    ...algorithm,
    program: { ...program, rules: program.rules.map((rule) => ({ ...rule, statements: rule.statements.map(ofStatement) })) },
  }
}
