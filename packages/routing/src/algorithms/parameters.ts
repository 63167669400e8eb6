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

const checkEnum = ({ canonicalValue }: Catalogue, key: string, sent: Extract<ParameterValue, { readonly type: 'enumVariant' }>): Usable => {
  const value = canonicalValue(key, sent.value)
  if (value === undefined) return { code: 'INVALID_ENUM_VALUE', key, value: sent.value }
  return value === sent.value ? sent : { type: 'enumVariant', value }
}

const checkKnown = (catalogue: Catalogue, key: string, { type }: RoutingKey, sent: Exclude<SentParameter, null>): Usable => {
  const expected = PARAMETER_TYPES[type] ?? sent.type
  if (sent.type === 'unusable' || sent.type !== expected) return { code: 'PARAMETER_TYPE_MISMATCH', key, expected: type }
  return type === 'enum' && sent.type === 'enumVariant' ? checkEnum(catalogue, key, sent) : sent
}

/** A user's own metadata travels under its own name; nothing else may. */
const checkUnknown = (key: string, sent: Exclude<SentParameter, null>): Usable =>
  sent.type === 'metadata' ? sent : { code: 'UNKNOWN_PARAMETER', key }

/** Puts a name where it belongs in an ascending list: quicker than sorting for the few parameters that payments have. */
const insert = (ascending: string[], name: string): void => {
  let at = ascending.length
  for (; at > 0; at--) {
    const before = ascending[at - 1] ?? ''
    if (before < name) break
    ascending[at] = before
  }
  ascending[at] = name
}

/** What was sent, without what is unset: the names of the catalogue in its order, which is ascending, then the others as they came. */
const inCatalogueOrder = ({ keys }: Catalogue, sent: ReadonlyMap<string, SentParameter>): readonly string[] => {
  const known: string[] = []
  const others: string[] = []
  sent.forEach((value, name) => {
    if (value === null) return
    if (keys.has(name)) insert(known, name)
    else others.push(name)
  })
  return others.length === 0 ? known : [...known, ...others]
}

/**
 * Checks parameters against the catalogue (rules.md 6.2 with Q4, Q15, S8). Of several problems it names the one that
 * comes first in the order of the catalogue, those of unknown keys last. Goes through what was sent, not through the catalogue,
 * which has ten times as many keys; a property test holds it to doing so.
 */
export const checkParameters = (catalogue: Catalogue, sent: ReadonlyMap<string, SentParameter>): CheckedParameters => {
  const parameters = new Map<string, ParameterValue>()
  for (const key of inCatalogueOrder(catalogue, sent)) {
    const value = sent.get(key)
    const routingKey = catalogue.keys.get(key)
    if (!value) continue
    const checked = routingKey === undefined ? checkUnknown(key, value) : checkKnown(catalogue, key, routingKey, value)
    if (isProblem(checked)) return { accepted: false, problem: checked }
    parameters.set(key, checked)
  }
  return { accepted: true, parameters }
}
