import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'

let freeBlockCount = 0
jest.unstable_mockModule('node:fs', () => ({ ...fs, statfsSync: () => ({ bavail: freeBlockCount, bsize: 4_096 }) }))
const { createEmbeddedStore } = await import('./embedded-store.ts')

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'switchyard-room-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

const openWith = (fields: readonly string[]) =>
  createEmbeddedStore({ folder, role: 'writer', collections: [{ name: 'c-v1', indexes: [{ name: 'by', fields }] }] })

test('a start with other indexes wrote beyond the end of a full disk, and told it as a fault of the program', async () => {
  freeBlockCount = 10_000
  const before = openWith(['a'])
  await before.write([{ collection: 'c-v1', key: ['1'], position: { partition: 0, offset: 0 }, body: { a: 1, b: 2 } }])
  await before.close()
  freeBlockCount = 3
  const cause = expect.objectContaining({ message: expect.stringContaining('is full: 12288 bytes are left') })
  const refused = { code: 'STORE_UNAVAILABLE', retryable: true, cause }
  expect(() => openWith(['b'])).toThrow(expect.objectContaining(refused))
  // The indexes as they are can be read.
  await openWith(['a']).close()
  freeBlockCount = 10_000
  const after = openWith(['b'])
  expect(await after.range({ collection: 'c-v1', index: 'by', prefix: [2], order: 'ascending', limit: 2 })).toHaveLength(1)
  await after.close()
})
