import * as z from 'zod'

/** A JSON Schema (2020-12) or a part of one. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Makes JSON Schemas of zod ones; what refers to itself is kept once, by name. */
export interface JsonSchemas {
  /** What a client may send, or gets; `name` tells what this one keeps by name apart from others. */
  readonly of: (schema: z.ZodType, name: string) => JsonSchema
  /** The named ones, for `components.schemas`. */
  readonly named: () => Readonly<Record<string, JsonSchema>>
}

const LOCAL = '#/$defs/'

/** The same with all references to definitions of its own led elsewhere. */
const withReferences = (part: unknown, referenceOf: (definition: string) => string): unknown => {
  if (Array.isArray(part)) return part.map((item) => withReferences(item, referenceOf))
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) =>
      name === '$ref' && typeof value === 'string' && value.startsWith(LOCAL)
        ? [name, referenceOf(value.slice(LOCAL.length))]
        : [name, withReferences(value, referenceOf)],
    ),
  )
}

const objectOf = (part: unknown): JsonSchema => (typeof part === 'object' && part !== null ? { ...part } : {})

/** {@link JsonSchemas} of one document. */
export const createJsonSchemas = (): JsonSchemas => {
  const named: Record<string, JsonSchema> = {}
  return {
    named: () => named,
    of: (schema, name) => {
      const converted = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
      const { $schema: _, $defs = {}, ...rest } = converted
      const nameOf = (definition: string): string => `${name}_${definition.replace(/^_+/, '')}`
      const referenceOf = (definition: string): string => `#/components/schemas/${nameOf(definition)}`
      for (const [definition, part] of Object.entries($defs)) named[nameOf(definition)] = objectOf(withReferences(part, referenceOf))
      return objectOf(withReferences(rest, referenceOf))
    },
  }
}
