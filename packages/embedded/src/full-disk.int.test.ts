import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'

let freeBlockCount = 0
jest.unstable_mockModule('node:fs', () => ({ ...fs, statfsSync: () => ({ bavail: freeBlockCount, bsize: 4_096 }) }))
const { openEmbeddedDatabase } = await import('./embedded-database.ts')

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'switchyard-room-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

test('a database that was made on a full disk ended the process without a word', async () => {
  freeBlockCount = 3
  expect(() => openEmbeddedDatabase(folder, {})).toThrow('is full: 12288 bytes are left')
  freeBlockCount = 1_000
  await openEmbeddedDatabase(folder, {}).close()
  freeBlockCount = 0
  // One that is there can be looked into.
  await openEmbeddedDatabase(folder, {}).close()
})
