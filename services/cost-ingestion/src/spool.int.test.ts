import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createSpool, openNamedSpool } from './spool.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-spool-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function* bytes(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}
async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('half')
  throw new Error('the client is gone')
}

test('a folder in which no file can be kept is refused before one comes, by its setting', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  for (const wrong of [file, join(file, 'below'), '/proc/spool']) {
    expect(() => openNamedSpool(wrong)).toThrow(`SWITCHYARD_REPORT_SPOOL_DIR: ${wrong} can't be written`)
  }
  openNamedSpool(join(folder, 'a', 'b'))
  expect(readdirSync(join(folder, 'a'))).toEqual(['b'])
})

test('a file is kept as a whole', async () => {
  const spool = createSpool(join(folder, 'new'))
  expect(await spool.keep('one', bytes('a,', 'b'), 10)).toEqual({ kind: 'kept', byteCount: 3 })
  expect(readFileSync(spool.pathOf('one'), 'utf8')).toBe('a,b')
  expect(await spool.has('one')).toBe(true)
  await spool.remove('one')
  await spool.remove('one')
  expect(await spool.has('one')).toBe(false)
})

test('or not at all', async () => {
  const spool = createSpool(folder)
  expect(await spool.keep('large', bytes('12345', '67890', '1'), 10)).toEqual({ kind: 'too-large' })
  expect(await spool.keep('empty', bytes(), 10)).toEqual({ kind: 'empty' })
  await expect(spool.keep('half', broken(), 10)).rejects.toThrow('the client is gone')
  expect(readdirSync(folder)).toEqual([])
})

test('a report that a full disk had no room for was a fault of the service: it is sent again when there is room', async () => {
  const spool = createSpool(folder)
  symlinkSync('/dev/full', join(folder, 'one.part'))
  await expect(spool.keep('one', bytes('a,b'), 10)).rejects.toMatchObject({ code: 'SPOOL_UNAVAILABLE', retryable: true })
  expect(readdirSync(folder)).toEqual([])
  expect(await spool.keep('one', bytes('a,b'), 10)).toEqual({ kind: 'kept', byteCount: 3 })
})

test('what nobody needs is swept away, once it is old enough', async () => {
  const spool = createSpool(folder)
  await spool.keep('needed', bytes('x'), 10)
  await spool.keep('forgotten', bytes('x'), 10)
  writeFileSync(join(folder, 'dead.part'), 'x')
  writeFileSync(join(folder, 'foreign.txt'), 'x')
  await spool.sweep(new Set(['needed']), 0)
  expect(readdirSync(folder)).toHaveLength(4)
  await spool.sweep(new Set(['needed']), Date.now() + 60_000)
  expect(readdirSync(folder).sort()).toEqual(['foreign.txt', 'needed.report'])
})
