// Adds the next version of every schema of an event or of an inbound record that changed to schemas/published. An incompatible change is refused, and
// then nothing is published at all.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import avro from 'avsc'
import { inlineSharedTypes, loadEventSchemas, loadInboundSchemas, loadPublished, root } from './schemas.mjs'

const folder = join(root, 'schemas/published')
const published = loadPublished()

/** FULL_TRANSITIVE: the new schema reads every old record, and every old schema reads a new record. */
const incompatibilities = ({ subject, schema, versions }) => {
  const type = avro.Type.forSchema(schema)
  return versions.flatMap(({ version, schema: old }) => {
    const oldType = avro.Type.forSchema(old)
    try {
      type.createResolver(oldType)
      oldType.createResolver(type)
      return []
    } catch (error) {
      return [`${subject} is not compatible with its version ${version}: ${error.message}`]
    }
  })
}

const changes = [...loadEventSchemas(), ...loadInboundSchemas()]
  .map(({ subject, schema }) => ({
    subject,
    schema: inlineSharedTypes(schema),
    versions: published.filter((entry) => entry.subject === subject),
  }))
  .filter(({ schema, versions }) => JSON.stringify(versions.at(-1)?.schema) !== JSON.stringify(schema))

const publish = () => {
  let nextId = Math.max(0, ...published.map(({ id }) => id)) + 1
  for (const { subject, schema, versions } of changes) {
    const version = versions.length + 1
    mkdirSync(join(folder, subject), { recursive: true })
    writeFileSync(join(folder, subject, `${version}.avsc`), `${JSON.stringify(schema, null, 2)}\n`)
    published.push({ id: nextId++, subject, version })
    console.log(`${subject}: version ${version}`)
  }
  const ids = Object.fromEntries(published.map(({ id, subject, version }) => [id, { subject, version }]))
  writeFileSync(join(folder, 'ids.json'), `${JSON.stringify(ids, null, 2)}\n`)
}

const refusals = changes.flatMap(incompatibilities)
for (const refusal of refusals) console.error(refusal)
if (refusals.length > 0) process.exitCode = 1
else if (changes.length > 0) publish()
else console.log('nothing to publish')
