import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { createEventCodec, PUBLISHED_SCHEMAS, publishedSchemaIds, type ReportColumnsMapped, type SwitchyardEvent } from './index.ts'

const LOOK_MAX_MS = 1_000
const LATER_ID = 200

const SUBJECT = 'switchyard.config.ScoringDimensionsChosen'
const { id, schema } = PUBLISHED_SCHEMAS.findLast(({ subject }) => subject === SUBJECT) ?? { id: 0, schema: '{}' }

/** The schema of a later release: with a list of texts, and a map of them, before everything else. */
const laterSchema = (): string => {
  const now = JSON.parse(schema)
  const added = [
    { name: 'notes', type: { type: 'array', items: 'string' }, default: [] },
    { name: 'labels', type: { type: 'map', values: 'string' }, default: {} },
  ]
  return JSON.stringify({ ...now, fields: [...added, ...now.fields] })
}

const published = publishedSchemaIds()
const codec = createEventCodec(
  { ...published, schemaOf: (one) => (one === LATER_ID ? { subject: SUBJECT, schema: laterSchema() } : published.schemaOf(one)) },
  { strict: true },
)

const number = (value: number): readonly number[] => {
  const bytes: number[] = []
  let rest = value < 0 ? -2 * value - 1 : 2 * value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return [...bytes, rest]
}

/** What reading these bytes throws; `ERR_SCRIPT_EXECUTION_TIMEOUT` when it comes to no end. */
const failureOf = (schemaId: number, ...body: readonly number[]): unknown => {
  const decode = (): SwitchyardEvent => codec.decode(new Uint8Array([0, 0, 0, 0, schemaId, ...body]))
  try {
    return runInNewContext('decode()', { decode }, { timeout: LOOK_MAX_MS })
  } catch (error) {
    return error
  }
}

const TEXT_M = [2, 0x6d]
const MANY = number(2 ** 50)

describe('a record that names more items than it has bytes is unreadable, and holds nobody up', () => {
  test.each([
    ['a list', id, [...TEXT_M, ...number(1), 0, ...MANY]],
    ['a list that is passed by', LATER_ID, MANY],
    ['a map that is passed by', LATER_ID, [0, ...MANY]],
    ['a list that is passed by, with a block whose size leads back', LATER_ID, [...number(-1), ...number(-2)]],
  ])('%s', (_name, schemaId, body) => {
    expect(failureOf(schemaId, ...body)).toMatchObject({ code: 'RECORD_UNREADABLE' })
  })
})

test('blocks with their size are read, and passed by', () => {
  const own = [...TEXT_M, ...number(-2), ...number(2), 4, 6, 0, 0, ...number(1_700_000_000_000)]
  const passedBy = [...number(-1), ...number(2), ...TEXT_M, 0, ...number(-1), ...number(4), ...TEXT_M, ...TEXT_M, 0]
  const event = { type: 'ScoringDimensionsChosen', data: { merchantId: 'm', udfs: [2, 3], fields: null, at: 1_700_000_000_000 } }
  expect(codec.decode(new Uint8Array([0, 0, 0, 0, id, ...own]))).toMatchObject(event)
  expect(codec.decode(new Uint8Array([0, 0, 0, 0, LATER_ID, ...passedBy, ...own]))).toMatchObject(event)
})

test('a map keeps the key __proto__, too', () => {
  const columns: Record<string, string> = JSON.parse('{"__proto__":"a","fee":"b"}')
  const data = { merchantId: 'm_1', connector: 'adyen', account: 'a', columns, at: 1_700_000_000_000 }
  const event: ReportColumnsMapped = { type: 'ReportColumnsMapped', data }
  expect(JSON.stringify(codec.decode(codec.encode(event)))).toBe(JSON.stringify(event))
})
