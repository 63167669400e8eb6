import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openEmbeddedDatabase } from './embedded-database.ts'

const OPTIONS = { encoding: 'binary', mapSize: 1024 ** 3 } as const

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-second-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a second handle of a thread was refused as of a file that is cut off, when the file grew while it was looked at', async () => {
  const first = openEmbeddedDatabase<Buffer, string>(folder, OPTIONS)
  await first.write(() => first.root.put('large', Buffer.alloc(100_000)))
  // What a look without the gate sees of a file that grows: a length from before the pages that are reached. The open file itself stays whole.
  const file = join(folder, 'data.mdb')
  const short = readFileSync(file).subarray(0, 20_000)
  renameSync(file, `${file}.open`)
  writeFileSync(file, short)
  const second = openEmbeddedDatabase<Buffer, string>(folder, OPTIONS)
  await second.close()
  await first.close()
  expect(() => openEmbeddedDatabase(folder, OPTIONS)).toThrow(/data\.mdb is cut off/)
})
