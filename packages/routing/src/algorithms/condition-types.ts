import type { Comparison, Condition, ConditionValue } from './algorithm.ts'
import type { Catalogue, RoutingKey } from './catalogue.ts'

/** Value types that go with a type of key, beside the reference to a global set. */
const VALUES: Readonly<Record<RoutingKey['type'], readonly ConditionValue['type'][]>> = {
  integer: ['number', 'numberArray', 'numberComparisons'],
  enum: ['enumVariant', 'enumVariantArray'],
  text: ['text'],
  metadata: ['metadata'],
  globalRef: [],
}

/** Whether a value of this type can be compared with the key. */
export const isValueOf = ({ type }: RoutingKey, value: ConditionValue): boolean =>
  value.type === 'globalRef' || VALUES[type].includes(value.type)

/** Equal or not: the only question that lists, words and sets answer. */
export const isEquality = (comparison: Comparison): boolean => comparison === 'equal' || comparison === 'notEqual'

const isComparable = (comparison: Comparison, value: ConditionValue): boolean => {
  if (value.type === 'number') return true
  return value.type === 'numberComparisons' ? comparison === 'equal' : isEquality(comparison)
}

/** Whether a condition has a meaning for every value that its key can have (rules.md 6.4): then it can't fail an evaluation. */
export const isWellTyped = ({ keys }: Catalogue, { key, comparison, value }: Condition): boolean => {
  const routingKey = keys.get(key)
  return routingKey !== undefined && isValueOf(routingKey, value) && isComparable(comparison, value)
}
