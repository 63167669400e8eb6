import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Answer } from './client.ts'
import { resolve, type Schema, schemaOf } from './schema-arbitrary.ts'

/** One method of one path. */
export interface Operation {
  readonly path: string
  readonly method: string
  readonly operation: Schema
}

/** What an OpenAPI document says of answers. */
export interface DescribedApi {
  readonly operations: readonly Operation[]
  /** What is wrong with the body of an answer, in words: it is another than described, or has members that are not named. */
  readonly problemsOf: (operation: Schema, status: number, body: unknown) => readonly string[]
  /** Rejects a document with a schema that can't be compiled. */
  readonly compileAll: () => void
}

const operationsOf = (document: Schema): readonly Operation[] =>
  Object.entries(schemaOf(document['paths'])).flatMap(([path, methods]) =>
    Object.entries(schemaOf(methods)).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: schemaOf(operation),
    })),
  )

const formsOf = (document: Schema, part: Schema): readonly Schema[] => {
  const schema = resolve(document, part)
  const forms = [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? list : []))
  return forms.length === 0 ? [schema] : forms.flatMap((form) => formsOf(document, schemaOf(form)))
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Members that a value has and its schema does not name, each with the way to it: a client that is made from the document would lose them.
 * Where a schema names no members at all, any are allowed.
 */
const unnamedMembers = (document: Schema, schema: Schema, value: unknown, place = ''): readonly string[] => {
  const forms = formsOf(document, schema)
  if (Array.isArray(value)) {
    const items = { anyOf: forms.flatMap((form) => ('items' in form ? [form['items']] : [])) }
    return [...new Set(value.flatMap((item) => unnamedMembers(document, items, item, `${place}[]`)))]
  }
  const named = forms.flatMap((form) => ('properties' in form ? [schemaOf(form['properties'])] : []))
  if (!isObject(value) || named.length === 0) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const parts = named.flatMap((members) => (name in members ? [members[name]] : []))
    return parts.length === 0 ? [`${place}.${name}`] : unnamedMembers(document, { anyOf: parts }, member, `${place}.${name}`)
  })
}

/** {@link DescribedApi} of a document. */
export const describedApi = (document: Schema): DescribedApi => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'api', ...document })
  const checks = new Map<Schema, ValidateFunction>()

  /** Undefined where the answer has no body. */
  const schemaIn = (operation: Schema, status: string): Schema | undefined => {
    const [content] = Object.values(schemaOf(resolve(document, schemaOf(schemaOf(operation['responses'])[status]))['content']))
    return content === undefined ? undefined : schemaOf(schemaOf(content)['schema'])
  }
  const checkOf = (schema: Schema): ValidateFunction => {
    const known = checks.get(schema)
    if (known !== undefined) return known
    const whole: Schema = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components'))
    const check = ajv.compile(whole)
    checks.set(schema, check)
    return check
  }
  const operations = operationsOf(document)

  return {
    operations,
    problemsOf: (operation, status, body) => {
      const schema = schemaIn(operation, String(status))
      if (schema === undefined) return []
      const check = checkOf(schema)
      const wrong = check(body) ? [] : [ajv.errorsText(check.errors)]
      return [...wrong, ...unnamedMembers(document, schema, body).map((place) => `${place} is not described`)]
    },
    compileAll: () => {
      for (const { operation } of operations)
        for (const status of Object.keys(schemaOf(operation['responses']))) {
          const schema = schemaIn(operation, status)
          if (schema !== undefined) checkOf(schema)
        }
    },
  }
}

/** The bodies of an answer: the lines of NDJSON, or the one that it has. */
export const parsedBodies = ({ text, headers }: Answer): readonly unknown[] => {
  if (headers.get('content-type') === 'application/x-ndjson')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  return headers.get('content-type') === 'application/json' ? [JSON.parse(text)] : [text]
}
