import { assertNever } from '@switchyard/kernel'
import type { Global, ParameterValue } from './algorithm.ts'
import type { Catalogue } from './catalogue.ts'

/** Whether a parameter is an element of a global set: its type and its value count (rules.md 6.4, S3). */
export type Contains = (parameter: ParameterValue) => boolean

const createContains = (catalogue: Catalogue, key: string, { values }: Global): Contains => {
  const numbers = new Set<number>()
  const enums = new Set<string>()
  const texts = new Set<string>()
  const valuesByMetadataKey = new Map<string, Set<string>>()
  for (const value of values) {
    if (value.type === 'number') numbers.add(value.value)
    else if (value.type === 'enumVariant') enums.add(catalogue.canonicalValue(key, value.value) ?? value.value)
    else if (value.type === 'text') texts.add(value.value)
    else if (value.type === 'metadata')
      valuesByMetadataKey.set(value.key, (valuesByMetadataKey.get(value.key) ?? new Set()).add(value.value))
  }
  return (parameter) => {
    switch (parameter.type) {
      case 'number':
        return numbers.has(parameter.value)
      case 'enumVariant':
        return enums.has(parameter.value)
      case 'text':
        return texts.has(parameter.value)
      case 'metadata':
        return valuesByMetadataKey.get(parameter.key)?.has(parameter.value) === true
      default:
        return assertNever(parameter)
    }
  }
}

type ByRoutingKey = Map<string, Contains>

/** Programs never change, they are replaced: what is derived from a set is kept as long as the set lives. */
const knownSets = new WeakMap<Catalogue, WeakMap<Global, ByRoutingKey>>()

const knownOf = (catalogue: Catalogue, global: Global): ByRoutingKey => {
  const sets = knownSets.get(catalogue) ?? new WeakMap<Global, ByRoutingKey>()
  const known = sets.get(global) ?? new Map<string, Contains>()
  knownSets.set(catalogue, sets)
  sets.set(global, known)
  return known
}

/** What asks a global set about parameters of a key: one for all conditions that name the set, since it may be long and they may be many. */
export const containsOf = (catalogue: Catalogue, key: string, global: Global): Contains => {
  const known = knownOf(catalogue, global)
  const contains = known.get(key) ?? createContains(catalogue, key, global)
  known.set(key, contains)
  return contains
}
