import { describe, expect, test } from '@jest/globals'
import { createEventCodec, type FeatureEnabled, publishedSchemaIds } from './index.ts'

const codec = createEventCodec(publishedSchemaIds(), { strict: true })
const enabled: FeatureEnabled = { type: 'FeatureEnabled', data: { merchantId: 'm_1', feature: 'autopilot', at: 1_700_000_000_000 } }

describe('event codec', () => {
  test('an event survives the round trip', () => {
    expect(codec.decode(codec.encode(enabled))).toEqual(enabled)
  })

  test('the frame is a zero and the big-endian schema id', () => {
    const bytes = codec.encode(enabled)
    expect([...bytes.subarray(0, 5)]).toEqual([0, 0, 0, 0, publishedSchemaIds().idOf('switchyard.config.FeatureEnabled')])
  })

  test('two encodings do not share memory', () => {
    const first = codec.encode(enabled)
    codec.encode({ ...enabled, data: { ...enabled.data, feature: 'elimination' } })
    expect(codec.decode(first)).toEqual(enabled)
  })

  test('strict: a field that the schema lacks is refused by name', () => {
    const data = { ...enabled.data, colour: 'red' }
    expect(() => codec.encode({ type: 'FeatureEnabled', data })).toThrow('FeatureEnabled')
  })

  test.each([
    ['nothing', new Uint8Array()],
    ['no frame', new Uint8Array([1, 2, 3, 4, 5, 6])],
    ['a cut-off record', codec.encode(enabled).subarray(0, 12)],
    ['trailing bytes', Buffer.concat([codec.encode(enabled), Buffer.from([1])])],
  ])('%s is unreadable, and says so', (_name, bytes) => {
    expect(() => codec.decode(bytes)).toThrow(expect.objectContaining({ code: 'RECORD_UNREADABLE' }))
  })

  test('a schema that can not be resolved makes its records unreadable, and breaks nothing', () => {
    const subject = 'switchyard.config.FeatureEnabled'
    const incompatible = JSON.stringify({ type: 'record', name: 'FeatureEnabled', namespace: 'switchyard.config', fields: [] })
    for (const schema of [incompatible, 'no json', '"no-type"']) {
      const foreign = createEventCodec({ ...publishedSchemaIds(), schemaOf: () => ({ subject, schema }) }, { strict: true })
      expect(() => foreign.decode(new Uint8Array([0, 0, 0, 200, 1]))).toThrow(expect.objectContaining({ code: 'RECORD_UNREADABLE' }))
    }
  })

  test('an unknown schema id is named', () => {
    expect(() => codec.decode(new Uint8Array([0, 0, 0, 200, 1, 0]))).toThrow(expect.objectContaining({ code: 'SCHEMA_UNKNOWN' }))
  })
})
