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

test('a commit that the disk did not take ended the process: the driver wrote its message beyond the memory that it had for it', async () => {
  freeBlockCount = 10_000
  const { root, write, close } = openEmbeddedDatabase<string, string>(folder, {})
  await write(() => root.put('key', 'before'))
  freeBlockCount = 3
  let isTried = false
  const refused = write(async () => {
    isTried = true
  })
  await expect(refused).rejects.toThrow('is full: 12288 bytes are left, a write takes')
  expect(isTried).toBe(false)
  freeBlockCount = 10_000
  await write(() => root.put('key', 'after'))
  expect(root.get('key')).toBe('after')
  await close()
})
