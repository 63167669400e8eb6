import { spawnSync } from 'node:child_process'
import { closeSync, copyFileSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { Database } from 'lmdb'
import { assertWhole } from './assert-whole.ts'
import { type EmbeddedDatabase, openEmbeddedDatabase } from './embedded-database.ts'

const PAGE_BYTES = 4_096
const OPTIONS = { encoding: 'binary', maxDbs: 4, mapSize: 16 * 1024 ** 3 } as const

/** Reads all that is there by the driver alone, and writes. */
const USER = `
  import { open } from 'lmdb'
  const root = open({ ...${JSON.stringify(OPTIONS)}, path: process.argv[1], noSubdir: false, overlappingSync: false })
  for (const table of [root, root.openDB('sub', { encoding: 'binary' })]) for (const { value } of table.getRange({})) value.reduce((a, b) => a + b, 0)
  for (let i = 0; i < 20; i++) await root.put('w' + i, Buffer.alloc(50_000))
  process.stdout.write('used')
`

let root = ''
let folder = ''
let database: EmbeddedDatabase<Buffer, string>
let sub: Database<Buffer, string>
const file = (): string => join(folder, 'data.mdb')

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'switchyard-whole-'))
  folder = join(root, 'database')
  database = openEmbeddedDatabase(folder, OPTIONS)
  sub = database.writeNow(() => database.root.openDB('sub', { encoding: 'binary' }))
})
afterEach(async () => {
  await database.close()
  rmSync(root, { recursive: true })
})

/** Whether the file is shorter than the number of pages that it tells of itself. */
const isShort = (): boolean => {
  const metas = Buffer.alloc(2 * PAGE_BYTES)
  const descriptor = openSync(file(), 'r')
  readSync(descriptor, metas, 0, metas.length, 0)
  closeSync(descriptor)
  const [a = [], b = []] = [0, PAGE_BYTES].map((at) => [152, 144].map((member) => Number(metas.readBigUInt64LE(at + member))))
  const [, lastPage = 0] = (a[0] ?? 0) >= (b[0] ?? 0) ? a : b
  return (lastPage + 1) * PAGE_BYTES > statSync(file()).size
}

/** A copy of which so many bytes have arrived. */
const copyOf = (bytes: number): string => {
  const copy = join(root, `copy-${bytes}`)
  mkdirSync(copy)
  copyFileSync(file(), join(copy, 'data.mdb'))
  truncateSync(join(copy, 'data.mdb'), bytes)
  return copy
}

/** Puts, changes and takes away values of all sizes, some of them within a transaction. */
const change = async (round: number): Promise<void> => {
  const table = round % 2 === 0 ? database.root : sub
  await database.write(() =>
    table.batch(() => {
      for (let i = 0; i < 30; i++) {
        const value = Buffer.alloc([10, 1_900, 9_000, 100_000][(round + i) % 4] ?? 0, 1)
        void table.put(`key ${'k'.repeat(i * 5)} ${(round * 7 + i) % 90}`, value)
        if (i % 3 === 0) void table.remove(`key ${'k'.repeat(i * 5)} ${(round * 11 + i) % 90}`)
      }
      for (const what of ['put', 'remove'] as const)
        for (let i = 0; i < 5; i++) void (what === 'put' ? table.put(`moment ${i}`, Buffer.alloc(100_000)) : table.remove(`moment ${i}`))
    }),
  )
}

test('a copy that was cut off ended the process without a word, where its end was read', async () => {
  for (let round = 0; round < 12; round++) await change(round)
  const { size } = statSync(file())
  for (const share of [0.01, 0.3, 0.9]) {
    const copy = copyOf(Math.floor(size * share))
    expect(() => openEmbeddedDatabase(copy, OPTIONS, 'ask somebody')).toThrow(
      new RegExp(`^${join(copy, 'data.mdb')} is cut off: it is ${Math.floor(size * share)} bytes long, and .*; ask somebody$`),
    )
  }
})

test('a file that is shorter than it says, as its last pages were given back before they were written, is taken for whole', async () => {
  let shortCount = 0
  for (let round = 0; round < 60; round++) {
    await change(round)
    if (isShort()) shortCount += 1
    assertWhole(folder, '')
  }
  expect(shortCount).toBeGreaterThan(0)
})

test('a copy is refused from the page on with which its user would be ended', async () => {
  for (let round = 0; round < 20; round++) await change(round)
  let pageCount = Math.ceil(statSync(file()).size / PAGE_BYTES)
  const isWhole = (pages: number): boolean => {
    const copy = copyOf(pages * PAGE_BYTES)
    try {
      assertWhole(copy, '')
      return true
    } catch {
      return false
    } finally {
      rmSync(copy, { recursive: true })
    }
  }
  while (isWhole(pageCount - 1)) pageCount -= 1
  const use = (pages: number) =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', USER, copyOf(pages * PAGE_BYTES)], { encoding: 'utf8' })
  expect(use(pageCount)).toMatchObject({ stdout: 'used', signal: null })
  expect(use(pageCount - 1)).toMatchObject({ stdout: '', signal: expect.stringMatching(/SIGBUS|SIGSEGV/) })
})

test.each([
  ['no file', undefined],
  ['an empty one, as a process leaves it that is killed while it makes the database', ''],
  ['one of something else', 'x'.repeat(9_000)],
])('%s is left to the driver', (_, content) => {
  const other = join(root, 'other')
  mkdirSync(other)
  if (content !== undefined) writeFileSync(join(other, 'data.mdb'), content)
  expect(() => assertWhole(other, '')).not.toThrow()
})
