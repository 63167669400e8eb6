// Adds the next version of every event schema that changed to schemas/published, after the compatibility check.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import avro from 'avsc'
import { inlineSharedTypes, loadEventSchemas, loadPublished, root } from './schemas.mjs'

const folder = join(root, 'schemas/published')
const published = loadPublished()
let nextId = Math.max(0, ...published.map(({ id }) => id)) + 1

/** FULL_TRANSITIVE: the new schema reads every old record, and every old schema reads a new record. */
const refuseIncompatible = (subject, schema, versions) => {
  const type = avro.Type.forSchema(schema)
  for (const { version, schema: old } of versions) {
    const oldType = avro.Type.forSchema(old)
    type.createResolver(oldType)
    oldType.createResolver(type)
    console.log(`${subject}: compatible with version ${version}`)
  }
}

for (const { subject, schema } of loadEventSchemas()) {
  const versions = published.filter((entry) => entry.subject === subject)
  const inlined = inlineSharedTypes(schema)
  if (JSON.stringify(versions.at(-1)?.schema) === JSON.stringify(inlined)) continue
  refuseIncompatible(subject, inlined, versions)
  const version = versions.length + 1
  mkdirSync(join(folder, subject), { recursive: true })
  writeFileSync(join(folder, subject, `${version}.avsc`), `${JSON.stringify(inlined, null, 2)}\n`)
  published.push({ id: nextId++, subject, version, schema: inlined })
  console.log(`${subject}: version ${version}`)
}
const ids = Object.fromEntries(published.map(({ id, subject, version }) => [id, { subject, version }]))
writeFileSync(join(folder, 'ids.json'), `${JSON.stringify(ids, null, 2)}\n`)
