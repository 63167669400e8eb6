import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { copySchemas, runTool, writeSchema } from './schema-folder.ts'

const key = { name: 'merchantId', type: 'string', doc: 'The merchant; key of the record.' }
const at = { name: 'at', type: { type: 'long', logicalType: 'timestamp-millis' }, doc: 'When.' }
const event = (name: string, ...more: readonly object[]) => ({
  type: 'record',
  name,
  namespace: 'switchyard.config',
  doc: 'An event.',
  aggregate: { kind: 'merchant' },
  fields: [key, at, ...more],
})
const symbols = (name: string, more: object) => ({
  type: 'enum',
  name,
  namespace: 'switchyard.shared',
  doc: 'A choice.',
  symbols: ['ONE'],
  ...more,
})

/** One breach a file: the path, the schema, what the check says. */
const BREACHES: readonly (readonly [path: string, schema: object, says: string])[] = [
  ['config/OneRenamed.avsc', event('OtherRenamed'), 'the file is named like the type'],
  ['config/TwoMoved.avsc', { ...event('TwoMoved'), namespace: 'switchyard.payments' }, 'the namespace is switchyard.config'],
  ['config/ThreeMuted.avsc', { ...event('ThreeMuted'), doc: undefined }, 'a type has a doc'],
  ['config/FourMuted.avsc', event('FourMuted', { name: 'note', type: 'string' }), 'note: a field has a doc'],
  ['config/RenameMerchant.avsc', event('RenameMerchant'), 'an event is named with a past participle'],
  [
    'config/FiveJoined.avsc',
    event('FiveJoined', { name: 'note', type: ['int', 'string'], doc: 'A unit.' }),
    'note: the only union is ["null", T]',
  ],
  [
    'config/SixJoined.avsc',
    event('SixJoined', { name: 'note', type: ['null', 'string'], doc: 'D.' }),
    'note: a nullable field has "default": null',
  ],
  [
    'config/SevenListed.avsc',
    event('SevenListed', { name: 'notes', type: { type: 'array', items: 'string' }, doc: 'D.' }),
    'notes: an array has "default": []',
  ],
  [
    'config/EightMapped.avsc',
    event('EightMapped', { name: 'notes', type: { type: 'map', values: 'string' }, doc: 'D.' }),
    'notes: a map has "default": {}',
  ],
  [
    'config/NineTimed.avsc',
    event('NineTimed', { name: 'expiresAt', type: 'long', doc: 'Milliseconds.' }),
    'expiresAt: a time is a long with timestamp-millis',
  ],
  ['config/TenMeasured.avsc', event('TenMeasured', { name: 'length', type: 'int', doc: 'D.' }), 'length: a number says its unit'],
  [
    'config/ElevenNested.avsc',
    event('ElevenNested', { name: 'kind', type: symbols('Inner', { default: 'ONE' }), doc: 'D.' }),
    'kind: named types live in schemas/shared',
  ],
  [
    'config/TwelveTyped.avsc',
    event('TwelveTyped', { name: 'kind', type: 'switchyard.shared.Nowhere', doc: 'D.' }),
    'kind: unknown type switchyard.shared.Nowhere',
  ],
  ['config/ThirteenOwned.avsc', { ...event('ThirteenOwned'), aggregate: undefined }, 'an event names the kind of its aggregate'],
  [
    'config/FourteenOwned.avsc',
    { ...event('FourteenOwned'), aggregate: { kind: 'key', id: 'keyId' } },
    'the aggregate id keyId is a string field',
  ],
  [
    'config/FifteenKeyed.avsc',
    { ...event('FifteenKeyed'), fields: [at, key] },
    'the first field is the key: merchantId, userId, accountId',
  ],
  ['config/SixteenTimed.avsc', { ...event('SixteenTimed'), fields: [key] }, 'an event says when: at'],
  [
    'config/SeventeenNamed.avsc',
    event('SeventeenNamed', { name: 'Note_Text', type: 'string', doc: 'D.' }),
    'Note_Text: a field is named in camelCase',
  ],
  ['config/EighteenDoubled.avsc', event('EighteenDoubled', at), 'a field name stands once'],
  ['shared/Choice.avsc', symbols('Choice', {}), 'an enum has a default symbol'],
  ['shared/Case.avsc', symbols('Case', { symbols: ['ONE', 'two'], default: 'ONE' }), 'two: a symbol is written in SCREAMING_SNAKE'],
]

let root = ''
let said: readonly string[] = []
beforeAll(() => {
  root = copySchemas()
  for (const [path, schema] of BREACHES) writeSchema(root, path, Object.assign({ name: '', fields: [] }, schema))
  said = runTool(root, 'check-schemas').output.split('\n')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('schema rules', () => {
  test.each(BREACHES)('%s', (path, _schema, says) => {
    expect(said.filter((line) => line.startsWith(`schemas/${path}: ${says}`))).toHaveLength(1)
  })

  test('the schemas of the project keep them, and a breach fails the check', () => {
    const planted = new Set(BREACHES.map(([path]) => `schemas/${path}`))
    expect(said.filter((line) => line.startsWith('schemas/') && !planted.has(line.slice(0, line.indexOf(':'))))).toEqual([])
    expect(runTool(root, 'check-schemas').status).toBe(1)
  })
})
