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
