import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { copySchemas, readSchema, runTool, type SchemaFile, writeSchema } from './schema-folder.ts'

const EVENT = 'config/FeatureEnabled.avsc'
const SUBJECT = 'switchyard.config.FeatureEnabled'
type Field = SchemaFile['fields'][number]

let root = ''
beforeEach(() => {
  root = copySchemas()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const changeFields = (change: (fields: readonly Field[]) => readonly Field[]): void => {
  const schema = readSchema(root, EVENT)
  writeSchema(root, EVENT, { ...schema, fields: change(schema.fields) })
}

describe('publishing schemas', () => {
  test('the newest published versions are the current schemas: nothing waits to be published', () => {
    expect(runTool(root, 'publish-schemas')).toEqual({ status: 0, output: 'nothing to publish\n' })
  })

  test('a field with a default becomes the next version under the next id', () => {
    const before: object = JSON.parse(JSON.stringify(readSchema(root, 'published/ids.json')))
    changeFields((fields) => [...fields, { name: 'reason', type: ['null', 'string'], default: null, doc: 'Why.' }])
    expect(runTool(root, 'publish-schemas')).toEqual({ status: 0, output: `${SUBJECT}: version 2\n` })
    const nextId = Object.keys(before).length + 1
    expect(readSchema(root, 'published/ids.json')).toEqual({ ...before, [nextId]: { subject: SUBJECT, version: 2 } })
    expect(readSchema(root, `published/${SUBJECT}/2.avsc`).fields.at(-1)).toMatchObject({ name: 'reason' })
  })

  test.each<[string, (fields: readonly Field[]) => readonly Field[]]>([
    ['a new field without a default', (fields) => [...fields, { name: 'reason', type: 'string', doc: 'Why.' }]],
    ['a removed mandatory field', (fields) => fields.filter(({ name }) => name !== 'feature')],
    ['another type', (fields) => fields.map((field) => (field.name === 'feature' ? { ...field, type: 'int' } : field))],
    ['another name', (fields) => fields.map((field) => (field.name === 'feature' ? { ...field, name: 'flag' } : field))],
  ])('%s is refused, and then nothing at all is published', (_name, change) => {
    const good = readSchema(root, 'config/ApiKeyIssued.avsc')
    writeSchema(root, 'config/ApiKeyIssued.avsc', { ...good, doc: 'Another doc.' })
    const before = readSchema(root, 'published/ids.json')
    changeFields(change)
    const { status, output } = runTool(root, 'publish-schemas')
    expect(status).toBe(1)
    expect(output).toContain(`${SUBJECT} is not compatible with its version 1`)
    expect(readSchema(root, 'published/ids.json')).toEqual(before)
  })

  test('generated types that are out of date are reported', () => {
    expect(runTool(root, 'generate-events').status).toBe(0)
    expect(runTool(root, 'generate-events', '--check').status).toBe(0)
    changeFields((fields) => [...fields, { name: 'reason', type: ['null', 'string'], default: null, doc: 'Why.' }])
    const { status, output } = runTool(root, 'generate-events', '--check')
    expect({ status, output }).toEqual({ status: 1, output: 'config.ts is not what the schemas give: run npm run generate\n' })
  })
})
