import type { Comparison, Condition, ConditionValue, Global, Program, Rule, Statement } from './algorithm.ts'
import type { Catalogue, RoutingKey } from './catalogue.ts'
import { isEquality, isValueOf } from './condition-types.ts'
import { type BoundProblem, numberProblems, textProblems } from './value-bounds.ts'

/** Where a condition stands; all counted from 0, from the rule inwards. */
export interface ConditionPlace {
  readonly rule: number
  readonly statement: number
  /** Nested statements on the way to it, the outermost first. */
  readonly nested: readonly number[]
  readonly condition: number
}

/** What is wrong with a condition (rules.md 5). */
export type ConditionFault =
  | { readonly reason: 'UNKNOWN_KEY' }
  | { readonly reason: 'COMPARISON_NOT_OF_KEY'; readonly keyType: RoutingKey['type']; readonly comparison: Comparison }
  | { readonly reason: 'COMPARISON_NOT_OF_VALUE'; readonly valueType: 'numberArray' | 'numberComparisons' }
  | { readonly reason: 'VALUE_NOT_LISTED'; readonly listed: readonly string[]; readonly value: string }
  | { readonly reason: 'VALUES_NOT_LISTED'; readonly listed: readonly string[]; readonly values: readonly string[] }
  | {
      readonly reason: 'TYPE_MISMATCH'
      /** What is expected: in a global set, a single value of any type first. */
      readonly keyType: RoutingKey['type'] | 'singleValue'
      readonly valueType: ConditionValue['type']
    }
  | {
      readonly reason: 'OUT_OF_BOUNDS'
      readonly problems: readonly BoundProblem[]
      /** Position in a list of numbers, from 0; null for a single value. */
      readonly element: number | null
    }
  | { readonly reason: 'UNKNOWN_GLOBAL'; readonly name: string }
  | {
      readonly reason: 'GLOBAL_UNUSABLE'
      readonly name: string
      /** Position of the value in the global set, from 0. */
      readonly element: number
      readonly fault: ConditionFault
    }

/** A condition that keeps a program from being stored. */
export interface ConditionProblem {
  readonly place: ConditionPlace
  readonly key: string
  readonly fault: ConditionFault
}

const comparisonFaults = ({ comparison, value }: Condition, { type }: RoutingKey): readonly ConditionFault[] => {
  if (type !== 'integer') return isEquality(comparison) ? [] : [{ reason: 'COMPARISON_NOT_OF_KEY', keyType: type, comparison }]
  const mayBe = value.type === 'numberComparisons' ? comparison === 'equal' : isEquality(comparison)
  if (value.type === 'globalRef') return mayBe ? [] : [{ reason: 'COMPARISON_NOT_OF_KEY', keyType: type, comparison }]
  const { type: valueType } = value
  return mayBe || (valueType !== 'numberArray' && valueType !== 'numberComparisons')
    ? []
    : [{ reason: 'COMPARISON_NOT_OF_VALUE', valueType }]
}

const enumFaults = (catalogue: Catalogue, key: string, listed: readonly string[], value: ConditionValue): readonly ConditionFault[] => {
  const isUnknown = (word: string): boolean => catalogue.listedValue(key, word) === undefined
  if (value.type === 'enumVariant' && isUnknown(value.value)) return [{ reason: 'VALUE_NOT_LISTED', listed, value: value.value }]
  if (value.type !== 'enumVariantArray') return []
  const values = value.values.filter(isUnknown)
  return values.length === 0 ? [] : [{ reason: 'VALUES_NOT_LISTED', listed, values }]
}

const outOfBounds = (problems: readonly BoundProblem[], element: number | null = null): readonly ConditionFault[] =>
  problems.length === 0 ? [] : [{ reason: 'OUT_OF_BOUNDS', problems, element }]

/** What is wrong with a value of the right type. */
const boundFaults = (catalogue: Catalogue, key: string, routingKey: RoutingKey, value: ConditionValue): readonly ConditionFault[] => {
  if (routingKey.type === 'enum') return enumFaults(catalogue, key, routingKey.values, value)
  if (routingKey.type === 'integer') {
    if (value.type === 'number') return outOfBounds(numberProblems(routingKey, value.value))
    if (value.type !== 'numberArray') return []
    return value.values.flatMap((number, element) => outOfBounds(numberProblems(routingKey, number), element))
  }
  const isText = routingKey.type !== 'globalRef' && (value.type === 'text' || value.type === 'metadata')
  return isText ? outOfBounds(textProblems(routingKey, value.value)) : []
}

const SINGLE_VALUES: ReadonlySet<ConditionValue['type']> = new Set(['number', 'enumVariant', 'text', 'metadata'])

/** A set holds single values that the key can have; a key for global sets takes any. */
const elementFault = (catalogue: Catalogue, key: string, routingKey: RoutingKey, value: ConditionValue): ConditionFault | undefined => {
  if (!SINGLE_VALUES.has(value.type)) return { reason: 'TYPE_MISMATCH', keyType: 'singleValue', valueType: value.type }
  if (routingKey.type === 'globalRef') return undefined
  if (!isValueOf(routingKey, value)) return { reason: 'TYPE_MISMATCH', keyType: routingKey.type, valueType: value.type }
  return boundFaults(catalogue, key, routingKey, value)[0]
}

interface Scope {
  readonly catalogue: Catalogue
  readonly globals: ReadonlyMap<string, Global>
  /** What was found of global sets, by routing key and name: each may be long, and many conditions may name it. */
  readonly faultsOfSets: Map<string, readonly ConditionFault[]>
}

const faultsOfSet = ({ catalogue, globals }: Scope, key: string, routingKey: RoutingKey, name: string): readonly ConditionFault[] => {
  const global = globals.get(name)
  if (global === undefined) return [{ reason: 'UNKNOWN_GLOBAL', name }]
  for (const [element, value] of global.values.entries()) {
    const fault = elementFault(catalogue, key, routingKey, value)
    // One is enough: a set may be long, and every condition that names it would repeat them all.
    if (fault !== undefined) return [{ reason: 'GLOBAL_UNUSABLE', name, element, fault }]
  }
  return []
}

const globalFaults = (scope: Scope, key: string, routingKey: RoutingKey, name: string): readonly ConditionFault[] => {
  const set = JSON.stringify([key, name])
  const faults = scope.faultsOfSets.get(set) ?? faultsOfSet(scope, key, routingKey, name)
  scope.faultsOfSets.set(set, faults)
  return faults
}

const valueFaults = (scope: Scope, { key, value }: Condition, routingKey: RoutingKey): readonly ConditionFault[] => {
  if (value.type === 'globalRef') return globalFaults(scope, key, routingKey, value.name)
  if (!isValueOf(routingKey, value)) return [{ reason: 'TYPE_MISMATCH', keyType: routingKey.type, valueType: value.type }]
  return boundFaults(scope.catalogue, key, routingKey, value)
}

const faultsOf = (scope: Scope, condition: Condition): readonly ConditionFault[] => {
  const routingKey = scope.catalogue.keys.get(condition.key)
  if (routingKey === undefined) return [{ reason: 'UNKNOWN_KEY' }]
  return [...comparisonFaults(condition, routingKey), ...valueFaults(scope, condition, routingKey)]
}

type PlacedCondition = readonly [Condition, ConditionPlace]

/** The conditions of a statement before those nested in it. */
const conditionsIn = function* ({ conditions, nested }: Statement, place: Omit<ConditionPlace, 'condition'>): Generator<PlacedCondition> {
  for (const [index, condition] of conditions.entries()) yield [condition, { ...place, condition: index }]
  for (const [index, inner] of nested.entries()) yield* conditionsIn(inner, { ...place, nested: [...place.nested, index] })
}

const conditionsOf = function* ({ statements }: Rule, rule: number): Generator<PlacedCondition> {
  for (const [statement, one] of statements.entries()) yield* conditionsIn(one, { rule, statement, nested: [] })
}

/** Everything that is wrong with the conditions of a program (rules.md 5, S3), in their order; empty when nothing is. */
export const conditionProblems = (catalogue: Catalogue, { rules, globals }: Program): readonly ConditionProblem[] => {
  const scope: Scope = { catalogue, globals: new Map(globals.map((global) => [global.name, global])), faultsOfSets: new Map() }
  return rules.flatMap((rule, index) =>
    [...conditionsOf(rule, index)].flatMap(([condition, place]) =>
      faultsOf(scope, condition).map((fault) => ({ place, key: condition.key, fault })),
    ),
  )
}
