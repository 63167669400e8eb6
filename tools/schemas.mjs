// Reads the schema files: shared types, events with their shared types inlined, and what has been published.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = join(root, 'schemas')
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
const filesIn = (name) =>
  readdirSync(join(folder, name))
    .filter((file) => file.endsWith('.avsc'))
    .sort()
    .map((file) => ({ file: join('schemas', name, file), schema: readJson(join(folder, name, file)) }))

export const loadSharedFiles = () => filesIn('shared')
export const loadSharedTypes = () => loadSharedFiles().map(({ schema }) => schema)

/** Folders of schemas/ that are no topics: what several schemas share, what outsiders write, and what has been published. */
const OTHER_FOLDERS = new Set(['shared', 'inbound', 'published'])

/** Folders of schemas/ that are topics, in the order of their names. */
export const loadTopics = () =>
  readdirSync(folder)
    .filter((name) => !OTHER_FOLDERS.has(name))
    .sort()

export const loadEventSchemas = () =>
  loadTopics().flatMap((topic) =>
    filesIn(topic).map(({ file, schema }) => ({ file, topic, schema, subject: `${schema.namespace}.${schema.name}` })),
  )

/** What outsiders write: records that are no events. */
export const loadInboundSchemas = () =>
  filesIn('inbound').map(({ file, schema }) => ({ file, schema, subject: `${schema.namespace}.${schema.name}` }))

/** The schema as it is published: every shared type stands at its first use, and by name after that. */
export const inlineSharedTypes = (schema) => {
  const types = new Map(loadSharedTypes().map((type) => [`${type.namespace}.${type.name}`, type]))
  const seen = new Set()
  const visit = (node) => {
    if (typeof node === 'string' && types.has(node)) {
      if (seen.has(node)) return node
      seen.add(node)
      return visit(types.get(node))
    }
    if (Array.isArray(node)) return node.map(visit)
    if (node === null || typeof node !== 'object') return node
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [key, ['type', 'items', 'values', 'fields'].includes(key) ? visit(value) : value]),
    )
  }
  return visit(schema)
}

/** Everything in schemas/published, by id. */
export const loadPublished = () => {
  const idsFile = join(folder, 'published/ids.json')
  if (!existsSync(idsFile)) return []
  return Object.entries(readJson(idsFile)).map(([id, { subject, version }]) => ({
    id: Number(id),
    subject,
    version,
    schema: readJson(join(folder, 'published', subject, `${version}.avsc`)),
  }))
}
