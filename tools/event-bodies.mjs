// Straight-line code that writes and reads the Avro bodies of a topic: records of many members take half the time of what
// interprets their schema.
const PRIMITIVES = new Set(['string', 'boolean', 'int', 'long', 'double'])
/** Types of which most events of a moment hold equal values, as all lists of texts do: they are recalled by their bytes. */
const RECURRING = new Set(['ScoringDimension', 'ScoringKnobs', 'EliminationKnobs', 'ExperimentAssignment'])
const isRecurringList = (schema) => schema.type === 'array' && schema.items === 'string'
const titleOf = (name) => name[0].toUpperCase() + name.slice(1)
/** Those of them that are the same object in most events: they are written by copying their bytes. */
const SHARED = new Set(['ScoringDimension', 'ScoringKnobs', 'EliminationKnobs'])
/** Texts of which every event has another one. */
const UNIQUE = new Set(['paymentId', 'requestId'])
/** What of an event says nothing to who folds payments into success rates: a reader of the part passes over it. */
const LEFT_OUT = {
  GatewayDecided: [
    'preferredGateway',
    'eliminationRequested',
    'multiObjectiveRequested',
    'scores',
    'fallbacks',
    'gatewayBeforeEvaluation',
    'explored',
    'algorithmId',
    'priorityLogicTag',
    'latencyUs',
    'down',
    'network',
    'networkProblem',
  ],
  OutcomeRecorded: ['gatewayReferenceId', 'smartRetry', 'error', 'errorClass'],
}
const constantOf = (name) => name.replaceAll(/(?<=[a-z])[A-Z]/g, '_$&').toUpperCase()

/** A block, or the one statement itself. */
const blockOf = (lines, indent) => (lines.trim().includes('\n') ? `{\n${lines}${indent}}\n` : lines.trimStart())

/** The shared types that were asked for, with their code, in an order in which each stands behind what it needs. */
const createTypes = (shared) => {
  const all = new Map(shared.map((type) => [`${type.namespace}.${type.name}`, type]))
  const sources = new Map()
  const named = (name) => {
    const type = all.get(name)
    if (type === undefined) throw new Error(`no code for the type ${JSON.stringify(name)}`)
    if (!sources.has(type.name)) {
      sources.set(type.name, '')
      const source = type.type === 'enum' ? enumSource(type) : recordSource(types, type, type.name)
      sources.delete(type.name)
      sources.set(type.name, source)
    }
    return type
  }
  const types = { named, sources }
  return types
}

const listLines = (types, schema, value, indent) => {
  const isMap = schema.type === 'map'
  const item = indent.length > 2 ? `item${indent.length / 2}` : 'item'
  const key = isMap ? `${indent}  to.string(${item}[0])\n` : ''
  const body = key + writeLines(types, schema.items ?? schema.values, isMap ? `${item}[1]` : item, `${indent}  `)
  return `${indent}for (const ${item} of to.${isMap ? 'entries' : 'items'}(${value})) ${blockOf(body, indent)}${indent}to.end()\n`
}

const writeLines = (types, schema, value, indent) => {
  if (Array.isArray(schema)) {
    return `${indent}if (to.isSome(${value})) ${blockOf(writeLines(types, schema[1], value, `${indent}  `), indent)}`
  }
  if (schema.type === 'array' || schema.type === 'map') return listLines(types, schema, value, indent)
  const name = schema.type ?? schema
  if (PRIMITIVES.has(name)) return `${indent}to.${name}(${value})\n`
  const type = types.named(name)
  const call = type.type === 'enum' ? `to.symbol(${constantOf(type.name)}, ${value})` : `write${type.name}(to, ${value})`
  return `${indent}${call}\n`
}

const readExpression = (types, schema) => {
  if (Array.isArray(schema)) return `from.isNone() ? null : ${readExpression(types, schema[1])}`
  if (schema.type === 'array') return `from.items(${readerOf(types, schema.items)})`
  if (schema.type === 'map') return `from.entries(${readerOf(types, schema.values)})`
  const name = schema.type ?? schema
  if (PRIMITIVES.has(name)) return `from.${name}()`
  const type = types.named(name)
  return type.type === 'enum' ? `from.symbol(${constantOf(type.name)})` : `read${type.name}(from)`
}

const readerOf = (types, schema) => {
  const expression = readExpression(types, schema)
  return /^read\w+\(from\)$/.test(expression) ? expression.replace('(from)', '') : `(from) => ${expression}`
}

const enumSource = ({ name, symbols }) =>
  `const ${constantOf(name)}: readonly ${name}[] = [${symbols.map((symbol) => `'${symbol}'`).join(', ')}]\n`

/** How a field is read, where its name and its type say more than its type alone. */
const fieldExpression = (types, record, { name, type }) => {
  if (isRecurringList(type)) return `read${record}${titleOf(name)}(from)`
  return UNIQUE.has(name) && type === 'string' ? 'from.newString()' : readExpression(types, type)
}

const recordSource = (types, { name, fields }, type) => {
  const writes = fields.map((field) => writeLines(types, field.type, `data.${field.name}`, '  ')).join('')
  const lists = fields.filter((field) => isRecurringList(field.type))
  const listReaders = lists.map((field) => `const read${name}${titleOf(field.name)} = recurring(${readerOf(types, field.type)})\n`).join('')
  const reads = fields.map((field) => `  ${field.name}: ${fieldExpression(types, name, field)},\n`).join('')
  const reader = `(from: BodyReader): ${type} => ({\n${reads}})`
  const writer = `(to: BodyWriter, data: ${type}): void => {\n${writes}}`
  return (
    `const write${name} = ${SHARED.has(name) ? `writtenOnce(${writer})` : writer}\n` +
    `${listReaders}const read${name} = ${RECURRING.has(name) ? `recurring(${reader})` : reader}\n`
  )
}

/** What is large and seldom there is read and let go. */
const skipExpression = (types, schema) => {
  if (Array.isArray(schema)) return `if (!from.isNone()) ${skipExpression(types, schema[1])}`
  if (schema.type === 'array') return `from.skipItems((from) => ${skipExpression(types, schema.items)})`
  if (schema === 'string') return 'from.skipString()'
  return schema === 'double' ? 'from.skipDouble()' : readExpression(types, schema)
}

const partSource = (types, { name, fields }) => {
  const leftOut = LEFT_OUT[name]
  const isRead = (field) => !leftOut.includes(field.name)
  const lines = fields.map((field) =>
    isRead(field) ? `  const ${field.name} = ${fieldExpression(types, name, field)}\n` : `  ${skipExpression(types, field.type)}\n`,
  )
  const names = fields.filter(isRead).map((field) => field.name)
  return `/** {@link ${name}} without what says nothing to who folds payments into success rates. */
export interface ${name}Part {
  readonly type: '${name}'
  readonly data: Omit<${name}['data'], ${leftOut.map((field) => `'${field}'`).join(' | ')}>
}
const read${name}Part = (from: BodyReader): ${name}Part['data'] => {\n${lines.join('')}  return { ${names.join(', ')} }\n}
const partOf${name} = ({ ${names.join(', ')} }: ${name}['data']): ${name}Part => ({ type: '${name}', data: { ${names.join(', ')} } })\n`
}

/** The source of `<topic>-bodies.ts`; `shared` are all shared types, `schemas` the records of the topic. */
export const bodiesSource = (topic, schemas, shared) => {
  const types = createTypes(shared)
  const bodies = schemas.map((schema) => recordSource(types, schema, `${schema.name}['data']`))
  const partial = schemas.filter(({ name }) => name in LEFT_OUT)
  const parts = partial.map((schema) => partSource(types, schema))
  const event = `${titleOf(topic)}Event`
  const names = schemas.map(({ name }) => name)
  const partialNames = partial.map(({ name }) => name)
  return `import { type BodyReader, recurring } from '../body-reader.ts'
import { type BodyWriter, writtenOnce } from '../body-writer.ts'
import type { ${[...names, event].sort().join(', ')} } from './${topic}.ts'
import type { ${[...types.sources.keys()].sort().join(', ')} } from './shared.ts'

${[...types.sources.values(), ...bodies, ...parts].join('\n')}
/** What writes and reads the body of an event, by the schema of this release. */
export interface BodyCode<Data> {
  readonly write: (to: BodyWriter, data: Data) => void
  readonly read: (from: BodyReader) => Data
}

/** All events of the topic \`${topic}\`. */
export const ${topic.toUpperCase()}_BODIES: { readonly [Name in ${event}['type']]: BodyCode<Extract<${event}, { readonly type: Name }>['data']> } = {
${names.map((name) => `  ${name}: { write: write${name}, read: read${name} },\n`).join('')}}

/** Every event of the topic \`${topic}\` as far as success rates follow from it. A whole event is one, too. */
export type ${event}Part = Exclude<${event}, ${partialNames.join(' | ')}> | ${partialNames.map((name) => `${name}Part`).join(' | ')}

/** What reads the part of an event, where that is not all of it; refuses the bytes that the reader of the whole refuses. */
export const ${topic.toUpperCase()}_PARTS: { readonly [Name in ${partialNames.map((name) => `'${name}'`).join(' | ')}]: (from: BodyReader) => Extract<${event}Part, { readonly type: Name }>['data'] } = {
${partialNames.map((name) => `  ${name}: read${name}Part,\n`).join('')}}

/** The same part of an event that is at hand: a copy, so that what is left out need not live as long. */
export const ${topic}PartOf = (event: ${event}): ${event}Part => {
  switch (event.type) {
${partialNames.map((name) => `    case '${name}':\n      return partOf${name}(event.data)\n`).join('')}    default:
      return event
  }
}
`
}
