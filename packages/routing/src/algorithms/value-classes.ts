import type { ConditionValue, ParameterValue } from './algorithm.ts'
import type { Catalogue } from './catalogue.ts'
import { PARAMETER_TYPES } from './parameters.ts'
import type { Subject } from './rule-filters.ts'

/** The values of a parameter, sorted into classes that conditions can't tell apart. */
export interface ValueClasses {
  /** A value of each class; undefined stands for the absent parameter. */
  readonly samples: readonly (ParameterValue | undefined)[]
  /** Index of the class of a parameter of the key's type. */
  readonly classOf: (parameter: ParameterValue | undefined) => number
}

const ABSENT = 0
const OTHER = 1

/** Absent, anything that is not mentioned, and a class for each mentioned string. */
const stringClasses = (type: 'enumVariant' | 'text', mentioned: ReadonlySet<string>): ValueClasses => {
  const strings = [...mentioned]
  const classes = new Map(strings.map((value, index) => [value, OTHER + 1 + index]))
  // Longer than every mentioned one, so it is none of them.
  const other = `${strings.reduce((longest, value) => (value.length > longest.length ? value : longest), '')}?`
  return {
    samples: [undefined, { type, value: other }, ...strings.map((value) => ({ type, value }))],
    classOf: (parameter) => (parameter === undefined ? ABSENT : (classes.get(String(parameter.value)) ?? OTHER)),
  }
}

/** How many of the ascending numbers are smaller. */
const countBelow = (ascending: Float64Array, value: number): number => {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? value) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Absent, then in turns the gap below a mentioned number and the number itself, last the gap above all. */
const numberClasses = (mentioned: ReadonlySet<number>): ValueClasses => {
  const ascending = Float64Array.from(mentioned).sort()
  const sample = (index: number): number => {
    const [below, above] = [ascending[index - 1], ascending[index]]
    if (below === undefined) return (above ?? 0) - 1
    return above === undefined ? below + 1 : below + (above - below) / 2
  }
  const samples: (ParameterValue | undefined)[] = [undefined]
  for (const [index, value] of ascending.entries()) samples.push({ type: 'number', value: sample(index) }, { type: 'number', value })
  samples.push({ type: 'number', value: sample(ascending.length) })
  return {
    samples,
    classOf: (parameter) => {
      if (parameter?.type !== 'number') return ABSENT
      const below = countBelow(ascending, parameter.value)
      return 1 + 2 * below + (ascending[below] === parameter.value ? 1 : 0)
    },
  }
}

const numbersIn = (value: ConditionValue): readonly number[] => {
  if (value.type === 'number') return [value.value]
  if (value.type === 'numberArray') return value.values
  return value.type === 'numberComparisons' ? value.comparisons.map(({ number }) => number) : []
}

const stringsIn = (value: ConditionValue): readonly string[] => {
  if (value.type === 'enumVariant' || value.type === 'text') return [value.value]
  return value.type === 'enumVariantArray' ? value.values : []
}

/** Absent, another one, and a class for each mentioned value of this metadata. */
const metadataClasses = (key: string, mentioned: ReadonlySet<string>): ValueClasses => {
  const { samples, classOf } = stringClasses('text', mentioned)
  const ofMetadata = (sample: ParameterValue | undefined): ParameterValue | undefined =>
    sample?.type === 'text' ? { type: 'metadata', key, value: sample.value } : undefined
  return {
    samples: samples.map(ofMetadata),
    classOf: (parameter) => (parameter?.type === 'metadata' && parameter.key !== key ? OTHER : classOf(parameter)),
  }
}

const metadataIn = (value: ConditionValue): readonly string[] => (value.type === 'metadata' ? [value.value] : [])

/** The classes of a subject's values under comparisons with these; undefined when its values can't be told apart like this. */
export const createValueClasses = (
  { keys, canonicalValue }: Catalogue,
  { key, metadataKey }: Subject,
  comparedWith: readonly ConditionValue[],
): ValueClasses | undefined => {
  if (metadataKey !== null) return metadataClasses(metadataKey, new Set(comparedWith.flatMap(metadataIn)))
  const routingKey = keys.get(key)
  const type = routingKey && PARAMETER_TYPES[routingKey.type]
  if (type === 'number') return numberClasses(new Set(comparedWith.flatMap(numbersIn)))
  if (type !== 'enumVariant' && type !== 'text') return undefined
  return stringClasses(type, new Set(comparedWith.flatMap(stringsIn).map((value) => canonicalValue(key, value) ?? value)))
}
