import type { ParameterValue } from './algorithm.ts'
import type { Catalogue, RoutingKey } from './catalogue.ts'
import type { CheckedParameters, ParameterProblem, SentParameter } from './parameters.ts'

type Sent = Exclude<SentParameter, null>

const NEEDED = { integer: 'number', enum: 'enumVariant', text: 'text', metadata: 'metadata' } as const

const problemOf = ({ canonicalValue }: Catalogue, key: string, known: RoutingKey | undefined, sent: Sent): ParameterProblem | undefined => {
  if (known === undefined) return sent.type === 'metadata' ? undefined : { code: 'UNKNOWN_PARAMETER', key }
  const isRight = known.type === 'globalRef' ? sent.type !== 'unusable' : sent.type === NEEDED[known.type]
  if (!isRight) return { code: 'PARAMETER_TYPE_MISMATCH', key, expected: known.type }
  if (known.type !== 'enum' || sent.type !== 'enumVariant' || canonicalValue(key, sent.value) !== undefined) return undefined
  return { code: 'INVALID_ENUM_VALUE', key, value: sent.value }
}

const canonical = ({ keys, canonicalValue }: Catalogue, key: string, sent: ParameterValue): ParameterValue =>
  sent.type === 'enumVariant' && keys.get(key)?.type === 'enum'
    ? { type: 'enumVariant', value: canonicalValue(key, sent.value) ?? sent.value }
    : sent

/** What `checkParameters` is, said plainly: the catalogue is gone through from its first key to its last, then the keys that it lacks. */
export const checkByReference = (catalogue: Catalogue, sent: ReadonlyMap<string, SentParameter>): CheckedParameters => {
  const unknown = [...sent.keys()].filter((key) => !catalogue.keys.has(key))
  const parameters: [string, ParameterValue][] = []
  for (const key of [...catalogue.keys.keys(), ...unknown]) {
    const value = sent.get(key) ?? null
    if (value === null) continue
    const problem = problemOf(catalogue, key, catalogue.keys.get(key), value)
    if (problem !== undefined || value.type === 'unusable') {
      return { accepted: false, problem: problem ?? { code: 'UNKNOWN_PARAMETER', key } }
    }
    parameters.push([key, canonical(catalogue, key, value)])
  }
  return { accepted: true, parameters: new Map(parameters) }
}
