import fc from 'fast-check'

/** A JSON Schema, or a part of an OpenAPI document. */
export type Schema = { readonly [name: string]: unknown }

/** What values are made with. */
export interface ValueSource {
  /** Whose references are followed. */
  readonly document: Schema
  /** Values that mean something to the server, by the name of the member that holds them. */
  readonly known: Readonly<Record<string, readonly unknown[]>>
}

const DEPTH_MAX = 6
const LIST_LENGTH_MAX = 4
const TEXT_LENGTH_MAX = 40

const isSchema = (part: unknown): part is Schema => typeof part === 'object' && part !== null && !Array.isArray(part)
export const schemaOf = (part: unknown): Schema => (isSchema(part) ? part : {})
const schemasOf = (part: unknown): readonly Schema[] => (Array.isArray(part) ? part.map(schemaOf) : [])
const numberOf = (part: unknown, otherwise: number): number => (typeof part === 'number' ? part : otherwise)

/** What a reference leads to. */
export const resolve = (document: Schema, part: Schema): Schema => {
  const { $ref: reference } = part
  if (typeof reference !== 'string') return part
  return reference
    .slice(2)
    .split('/')
    .reduce<Schema>((place, name) => schemaOf(place[name]), document)
}

/** Values that no schema asks for. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    null,
    '',
    '\u0000',
    '__proto__',
    'constructor',
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER,
    [],
    {},
    [[[[]]]],
    'ü'.repeat(300),
  ),
)

const textOf = ({ minLength, maxLength, pattern, format }: Schema): fc.Arbitrary<unknown> => {
  if (typeof pattern === 'string' && format === undefined) return fc.stringMatching(new RegExp(pattern))
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  const minimum = numberOf(minLength, 0)
  return fc.string({
    unit: 'grapheme',
    minLength: minimum,
    maxLength: Math.min(numberOf(maxLength, TEXT_LENGTH_MAX), minimum + TEXT_LENGTH_MAX),
  })
}

const numbersOf = ({ minimum, maximum }: Schema): fc.Arbitrary<number> =>
  fc.double({ min: numberOf(minimum, -1e9), max: numberOf(maximum, 1e9), noNaN: true })

const integersOf = ({ minimum, maximum }: Schema): fc.Arbitrary<number> =>
  fc.integer({ min: Math.max(numberOf(minimum, -1e6), -(2 ** 31)), max: Math.min(numberOf(maximum, 1e6), 2 ** 31 - 1) })

const objectOf = (schema: Schema, source: ValueSource, depth: number): fc.Arbitrary<unknown> => {
  const properties = Object.entries(schemaOf(schema['properties']))
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const values = Object.fromEntries(properties.map(([name, part]) => [name, memberOf(name, schemaOf(part), source, depth + 1)]))
  const object = fc.record(values, { requiredKeys: required.filter((name) => name in values) })
  if (properties.length > 0 || !isSchema(schema['additionalProperties'])) return object
  const key = fc.oneof(fc.constantFrom(...keysOf(source)), fc.string({ maxLength: TEXT_LENGTH_MAX }))
  return fc.dictionary(key, valueOf(schema['additionalProperties'], source, depth + 1), { maxKeys: LIST_LENGTH_MAX })
}

const keysOf = ({ known }: ValueSource): readonly string[] => Object.keys(known)

const ofType = (type: unknown, schema: Schema, source: ValueSource, depth: number): fc.Arbitrary<unknown> => {
  switch (type) {
    case 'string':
      return textOf(schema)
    case 'integer':
      return integersOf(schema)
    case 'number':
      return numbersOf(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array': {
      const maxLength = depth > DEPTH_MAX ? 0 : Math.min(numberOf(schema['maxItems'], LIST_LENGTH_MAX), LIST_LENGTH_MAX)
      const minLength = Math.min(numberOf(schema['minItems'], 0), maxLength)
      return maxLength === 0 ? fc.constant([]) : fc.array(valueOf(schemaOf(schema['items']), source, depth + 1), { minLength, maxLength })
    }
    case 'object':
      return objectOf(schema, source, depth)
    default:
      return anything
  }
}

/** Values that a schema allows, as far as it says. */
export const valueOf = (part: Schema, source: ValueSource, depth = 0): fc.Arbitrary<unknown> => {
  const schema = resolve(source.document, part)
  if ('const' in schema) return fc.constant(schema['const'])
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...schema['enum'])
  const alternatives = schemasOf(schema['anyOf'] ?? schema['oneOf'])
  if (alternatives.length > 0) {
    const ending = alternatives.filter(({ type }) => type === 'null')
    const allowed = depth > DEPTH_MAX && ending.length > 0 ? ending : alternatives
    return fc.oneof(...allowed.map((alternative) => valueOf(alternative, source, depth + 1)))
  }
  const types: readonly unknown[] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
  return fc.oneof(...types.map((type) => ofType(type, schema, source, depth)))
}

/** A member: what the server knows by that name as often as not, and now and then what the schema does not allow. */
export const memberOf = (name: string, part: Schema, source: ValueSource, depth = 0): fc.Arbitrary<unknown> => {
  const known = source.known[name] ?? []
  const allowed = valueOf(part, source, depth)
  const usual =
    known.length === 0 ? allowed : fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: allowed })
  return fc.oneof({ weight: 29, arbitrary: usual }, { weight: 1, arbitrary: anything })
}
