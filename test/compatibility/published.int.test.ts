import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { EVENT_CATALOGUE, OUTCOME_REPORT_SUBJECT, PUBLISHED_SCHEMAS } from '@switchyard/events'
import avro from 'avsc'
import { projectRoot, runTool } from './schema-folder.ts'

const subjects = [...new Set(PUBLISHED_SCHEMAS.map(({ subject }) => subject))]
const versionsOf = (subject: string) =>
  PUBLISHED_SCHEMAS.filter((entry) => entry.subject === subject)
    .map(({ version, schema }) => ({ version, type: avro.Type.forSchema(JSON.parse(schema)) }))
    .sort((a, b) => a.version - b.version)

describe('published schemas', () => {
  test('every event of the catalogue is published, and what others may write', () => {
    expect(subjects.sort()).toEqual([...Object.values(EVENT_CATALOGUE).map(({ subject }) => subject), OUTCOME_REPORT_SUBJECT].sort())
  })

  test('the generated types are what the schemas give', () => {
    expect(runTool(projectRoot, 'generate-events', '--check')).toEqual({ status: 0, output: '' })
  })

  test('ids are unique, and versions count up from 1 without a gap', () => {
    expect(new Set(PUBLISHED_SCHEMAS.map(({ id }) => id)).size).toBe(PUBLISHED_SCHEMAS.length)
    for (const subject of subjects) {
      expect(versionsOf(subject).map(({ version }) => version)).toEqual(versionsOf(subject).map((_, index) => index + 1))
    }
  })

  test('the folder holds what ids.json names, and nothing else', () => {
    const files = readdirSync(join(projectRoot, 'schemas/published'), { encoding: 'utf8', recursive: true })
    const expected = PUBLISHED_SCHEMAS.map(({ subject, version }) => join(subject, `${version}.avsc`))
    expect(files.filter((file) => file.endsWith('.avsc')).sort()).toEqual(expected.sort())
  })

  test.each(subjects)('%s: every version reads every other (FULL_TRANSITIVE)', (subject) => {
    const versions = versionsOf(subject)
    for (const reader of versions) {
      for (const writer of versions) expect(() => reader.type.createResolver(writer.type)).not.toThrow()
    }
  })
})
