import { expect, test } from '@jest/globals'
import { readRow, rowOf } from './document-row.ts'

const SLAB_BYTES = 256 * 1024

test('rows that are made one after the other keep their bytes, whatever their size', () => {
  const sizes = [10, 1_000, SLAB_BYTES / 2, 5, SLAB_BYTES + 1, 20, SLAB_BYTES / 3, SLAB_BYTES / 3, 7]
  const writes = sizes.map((size, offset) => ({
    collection: 'c-v1',
    key: ['m', offset],
    position: { partition: 1, offset },
    body: { text: String(offset).repeat(size), bytes: new Uint8Array([offset]) },
  }))
  const rows = writes.map((write) => rowOf(write, [Buffer.from('index row')]))
  expect(rows.map(readRow)).toEqual(writes.map(({ key, position, body }) => ({ key, position, body })))
})

test('a large row keeps its text, whatever it is written in', () => {
  const texts = ['a', 'ä', '語', '🂡'].map((character) => character.repeat(SLAB_BYTES / 3))
  const writes = texts.map((text, offset) => ({
    collection: 'c-v1',
    key: ['m', offset],
    position: { partition: 1, offset },
    body: { text },
  }))
  const rows = writes.map((write) => rowOf(write, [Buffer.from('index row')]))
  expect(rows.map(readRow)).toEqual(writes.map(({ key, position, body }) => ({ key, position, body })))
})

test('a large row takes the room of its bytes, so that the next one has the rest of the slab', () => {
  const row = (offset: number) =>
    rowOf({ collection: 'c-v1', key: ['m'], position: { partition: 1, offset }, body: { text: 'a'.repeat(100_000) } }, [])
  const buffers = [1, 2, 3, 4].map((offset) => row(offset).buffer)
  expect(new Set(buffers).size).toBeLessThanOrEqual(3)
})
