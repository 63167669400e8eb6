// Turns schemas/**/*.avsc into the TypeScript of packages/events/src/generated. With --check it only says whether the
// committed files are what the schemas give.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bodiesSource } from './event-bodies.mjs'
import { loadEventSchemas, loadInboundSchemas, loadPublished, loadSharedTypes, root } from './schemas.mjs'

const out = join(root, 'packages/events/src/generated')
const banner = '// Generated from schemas/ by `npm run generate`. Do not edit.\n'
const shared = loadSharedTypes()
const events = loadEventSchemas()
const inbound = loadInboundSchemas()
const topics = [...new Set(events.map((event) => event.topic))]

const primitive = {
  string: 'string',
  boolean: 'boolean',
  int: 'number',
  long: 'number',
  float: 'number',
  double: 'number',
  bytes: 'Uint8Array',
}
const nameOf = (fullName) => fullName.split('.').at(-1)

const typeOf = (schema) => {
  if (typeof schema === 'string') return primitive[schema] ?? nameOf(schema)
  if (Array.isArray(schema)) return `${typeOf(schema[1])} | null`
  if (schema.type === 'array') return `readonly ${wrap(typeOf(schema.items))}[]`
  if (schema.type === 'map') return `Readonly<Record<string, ${typeOf(schema.values)}>>`
  return typeOf(schema.type)
}
const titleOf = (topic) => topic[0].toUpperCase() + topic.slice(1)
const wrap = (type) => (type.includes(' ') ? `(${type})` : type)

const fieldsOf = (record, indent) =>
  record.fields.map((field) => `${indent}/** ${field.doc} */\n${indent}readonly ${field.name}: ${typeOf(field.type)}\n`).join('')

const sharedSource = () =>
  shared
    .map((type) =>
      type.type === 'enum'
        ? `/** ${type.doc} */\nexport type ${type.name} = ${type.symbols.map((symbol) => `'${symbol}'`).join(' | ')}\n`
        : `/** ${type.doc} */\nexport interface ${type.name} {\n${fieldsOf(type, '  ')}}\n`,
    )
    .join('\n')

const referencesIn = (schema) => {
  const text = JSON.stringify(schema)
  return shared.map((type) => type.name).filter((name) => text.includes(`"switchyard.shared.${name}"`))
}

const importsOf = (schemas) => {
  const references = [...new Set(schemas.flatMap(({ schema }) => referencesIn(schema)))].sort()
  return references.length > 0 ? `import type { ${references.join(', ')} } from './shared.ts'\n\n` : ''
}

const inboundSource = () =>
  importsOf(inbound) +
  inbound.map(({ schema }) => `/** ${schema.doc} */\nexport interface ${schema.name} {\n${fieldsOf(schema, '  ')}}\n`).join('\n')

const topicSource = (topic) => {
  const own = events.filter((event) => event.topic === topic)
  const imports = importsOf(own)
  const bodies = own.map(
    ({ schema }) =>
      `/** ${schema.doc} */\nexport interface ${schema.name} {\n  readonly type: '${schema.name}'\n  readonly data: {\n${fieldsOf(schema, '    ')}  }\n}\n`,
  )
  const union = `/** Every event of the topic \`${topic}\`. */\nexport type ${titleOf(topic)}Event =\n${own.map(({ schema }) => `  | ${schema.name}\n`).join('')}`
  return `${imports}${bodies.join('\n')}\n${union}`
}

const catalogueSource = () => {
  const rows = events.map(({ topic, schema, subject }) => {
    const aggregate = schema.aggregate.id
      ? `{ kind: '${schema.aggregate.kind}', idField: '${schema.aggregate.id}' }`
      : `{ kind: '${schema.aggregate.kind}' }`
    return `  ${schema.name}: { topic: '${topic}', subject: '${subject}', aggregate: ${aggregate} },\n`
  })
  return (
    topics.map((topic) => `import type { ${titleOf(topic)}Event } from './${topic}.ts'\n`).join('') +
    '\n' +
    `/** Every event of the system. */\nexport type SwitchyardEvent = ${topics.map((topic) => `${titleOf(topic)}Event`).join(' | ')}\n\n` +
    `/** Where an event stands: its topic, its schema, and the aggregate whose version it counts towards (law 5). */\nexport interface CatalogueEntry {\n  readonly topic: ${topics.map((topic) => `'${topic}'`).join(' | ')}\n  readonly subject: string\n  readonly aggregate: { readonly kind: string; readonly idField?: string }\n}\n\n` +
    `export const EVENT_CATALOGUE: Readonly<Record<SwitchyardEvent['type'], CatalogueEntry>> = {\n${rows.join('')}}\n`
  )
}

const publishedSource = () => {
  const rows = loadPublished().map(
    ({ id, subject, version, schema }) =>
      `  { id: ${id}, subject: '${subject}', version: ${version}, schema: ${JSON.stringify(JSON.stringify(schema))} },\n`,
  )
  return `/** A schema as it was published; old records name it by its id. */\nexport interface PublishedSchema {\n  readonly id: number\n  readonly subject: string\n  readonly version: number\n  /** Avro JSON text. */\n  readonly schema: string\n}\n\nexport const PUBLISHED_SCHEMAS: readonly PublishedSchema[] = [\n${rows.join('')}]\n`
}

const files = {
  'shared.ts': sharedSource(),
  ...Object.fromEntries(topics.map((topic) => [`${topic}.ts`, topicSource(topic)])),
  'payments-bodies.ts': bodiesSource(
    'payments',
    events.flatMap(({ topic, schema }) => (topic === 'payments' ? [schema] : [])),
    shared,
  ),
  'inbound.ts': inboundSource(),
  'catalogue.ts': catalogueSource(),
  'published.ts': publishedSource(),
}

mkdirSync(out, { recursive: true })
let stale = 0
for (const [name, source] of Object.entries(files)) {
  const path = join(out, name)
  if (process.argv.includes('--check')) {
    let current = ''
    try {
      current = readFileSync(path, 'utf8')
    } catch {}
    if (current !== banner + source) {
      stale++
      console.error(`${name} is not what the schemas give: run npm run generate`)
    }
  } else writeFileSync(path, banner + source)
}
process.exitCode = stale > 0 ? 1 : 0
