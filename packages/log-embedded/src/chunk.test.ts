import { describe, expect, test } from '@jest/globals'
import { EXPECTED_VERSION_MAX, type LogRecord, type NewRecord, RECORD_TEXT_BYTES_MAX, type RecordHeaders } from '@switchyard/kernel'
import fc from 'fast-check'
import { decodeChunk } from './chunk-reader.ts'
import { assertFrameable, createChunkWriter } from './chunk-writer.ts'
import { CHUNK_BYTES_MAX, CHUNK_RECORD_COUNT_MAX } from './limits.ts'

const text = fc.oneof(fc.string({ maxLength: 50 }), fc.string({ unit: 'grapheme', maxLength: 50 }))
const trace = fc
  .tuple(...[2, 32, 16, 2].map((length) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`))))
  .map((parts) => parts.join('-'))
const headers: fc.Arbitrary<RecordHeaders> = fc.record(
  { id: text, type: text, correlation: text, actor: text, expectedVersion: fc.nat(), trace },
  { requiredKeys: ['id', 'type'] },
)
const record: fc.Arbitrary<NewRecord> = fc.record({ key: text, value: fc.uint8Array({ maxLength: 300 }), headers })

const read = (bytes: Uint8Array, after: number, firstOffset: number): readonly LogRecord[] => {
  const records: LogRecord[] = []
  decodeChunk({ partition: 2, firstOffset, bytes }, after, records)
  return records.map(({ key, value, headers, position }) => ({ key, value: new Uint8Array(value), headers, position }))
}

describe('chunks', () => {
  test('give back what was put in, behind any offset', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 30 }), fc.nat(1e9), fc.nat(30), (records, firstOffset, skipped) => {
        const writer = createChunkWriter()
        for (const [index, each] of records.entries()) expect(writer.add(each)).toBe(index)
        const expected = records.map((each, index) => ({ ...each, position: { partition: 2, offset: firstOffset + index } }))
        expect(read(new Uint8Array(writer.bytes()), firstOffset + skipped - 1, firstOffset)).toEqual(expected.slice(skipped))
      }),
    )
  })

  test('are readable whatever text stands beside another: halves of a character that met made all records behind them unreadable', () => {
    const asStored = (each: string): string => Buffer.from(each).toString()
    const half = fc.constantFrom('', 'a', '\ud83d', '\ude00', 'b\ud83d', '\ude00c')
    const halves = fc.record({ id: half, type: half, correlation: half, actor: half })
    fc.assert(
      fc.property(fc.array(fc.record({ key: half, headers: halves }), { maxLength: 5 }), (texts) => {
        const writer = createChunkWriter()
        for (const each of texts) writer.add({ ...each, value: Uint8Array.of(7) })
        const found = read(new Uint8Array(writer.bytes()), -1, 0)
        expect(found.map(({ key, headers }) => ({ key, headers }))).toEqual(
          texts.map(({ key, headers: { id, type, correlation, actor } }) => ({
            key: asStored(key),
            headers: { id: asStored(id), type: asStored(type), correlation: asStored(correlation), actor: asStored(actor) },
          })),
        )
        expect(found.every(({ value }) => value.length === 1 && value[0] === 7)).toBe(true)
      }),
    )
  })

  test('are full by count and by size', () => {
    const small = { key: 'k', value: new Uint8Array(1), headers: { id: 'i', type: 't' } }
    const byCount = createChunkWriter()
    for (let i = 1; i < CHUNK_RECORD_COUNT_MAX; i++) byCount.add(small)
    expect(byCount.isFull()).toBe(false)
    byCount.add(small)
    expect(byCount.isFull()).toBe(true)
    const bySize = createChunkWriter()
    bySize.add({ ...small, value: new Uint8Array(CHUNK_BYTES_MAX) })
    expect(bySize.isFull()).toBe(true)
    expect(read(bySize.bytes(), -1, 0)[0]?.value).toHaveLength(CHUNK_BYTES_MAX)
  })

  test('of another format are refused, and so is what a frame can not hold', () => {
    expect(() => read(Uint8Array.of(9, 0), -1, 0)).toThrow('unknown format 9')
    const withKey = (key: string, expectedVersion: number): NewRecord => ({
      key,
      value: new Uint8Array(),
      headers: { id: 'i', type: 't', expectedVersion },
    })
    assertFrameable(withKey('x'.repeat(RECORD_TEXT_BYTES_MAX), EXPECTED_VERSION_MAX))
    expect(() => assertFrameable(withKey('x'.repeat(RECORD_TEXT_BYTES_MAX + 1), 0))).toThrow('65535 bytes')
    for (const version of [-1, 0.5, EXPECTED_VERSION_MAX + 1]) expect(() => assertFrameable(withKey('x', version))).toThrow('whole number')
  })
})
