import { assertNever } from '@switchyard/kernel'
import type { ParameterValue } from './algorithm.ts'
import type { Catalogue, RoutingKey } from './catalogue.ts'

/** Payment parameters by name, with canonical enum values. */
export type Parameters = ReadonlyMap<string, ParameterValue>

/** A parameter as it was sent: null is unset, `unusable` a value of a type that only conditions have. */
export type SentParameter = ParameterValue | { readonly type: 'unusable' } | null

/** Why parameters can't be used. */
export type ParameterProblem =
  | { readonly code: 'UNKNOWN_PARAMETER'; readonly key: string }
  | { readonly code: 'INVALID_ENUM_VALUE'; readonly key: string; readonly value: string }
  | { readonly code: 'PARAMETER_TYPE_MISMATCH'; readonly key: string; readonly expected: RoutingKey['type'] }

/** Parameters ready for conditions, or the first thing that is wrong with them. */
export type CheckedParameters =
  | { readonly accepted: true; readonly parameters: Parameters }
  | { readonly accepted: false; readonly problem: ParameterProblem }

type Usable = ParameterValue | ParameterProblem
const isProblem = (checked: Usable): checked is ParameterProblem => 'code' in checked

/** The type of a parameter for each type of key; a key for global sets takes any. */
export const PARAMETER_TYPES: Readonly<Record<RoutingKey['type'], ParameterValue['type'] | null>> = {
  integer: 'number',
  enum: 'enumVariant',
  text: 'text',
  metadata: 'metadata',
  globalRef: null,
}

const checkKnown = (catalogue: Catalogue, key: string, { type }: RoutingKey, sent: Exclude<SentParameter, null>): Usable => {
  const expected = PARAMETER_TYPES[type] ?? sent.type
  if (sent.type === 'unusable' || sent.type !== expected) return { code: 'PARAMETER_TYPE_MISMATCH', key, expected: type }
  switch (sent.type) {
    case 'enumVariant': {
      const value = type === 'enum' ? catalogue.canonicalValue(key, sent.value) : sent.value
      return value === undefined ? { code: 'INVALID_ENUM_VALUE', key, value: sent.value } : { type: 'enumVariant', value }
    }
    case 'number':
    case 'text':
    case 'metadata':
      return sent
    default:
      return assertNever(sent)
  }
}

/** A user's own metadata travels under its own name; nothing else may. */
const checkUnknown = (key: string, sent: Exclude<SentParameter, null>): Usable =>
  sent.type === 'metadata' ? sent : { code: 'UNKNOWN_PARAMETER', key }

/**
 * Checks parameters against the catalogue (rules.md 6.2 with Q4, Q15, S8). Of several problems it names the one that
 * comes first in the order of the catalogue, those of unknown keys last.
 */
export const checkParameters = (catalogue: Catalogue, sent: ReadonlyMap<string, SentParameter>): CheckedParameters => {
  const parameters = new Map<string, ParameterValue>()
  const keep = (key: string, checked: Usable): ParameterProblem | undefined => {
    if (isProblem(checked)) return checked
    parameters.set(key, checked)
    return undefined
  }
  for (const [key, routingKey] of catalogue.keys) {
    const value = sent.get(key) ?? null
    const problem = value && keep(key, checkKnown(catalogue, key, routingKey, value))
    if (problem) return { accepted: false, problem }
  }
  for (const [key, value] of sent) {
    const problem = value && !catalogue.keys.has(key) ? keep(key, checkUnknown(key, value)) : undefined
    if (problem) return { accepted: false, problem }
  }
  return { accepted: true, parameters }
}
