import * as promises from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'

/** What was done to the disk, in order. */
let steps: string[] = []

const openWatched = async (...args: Parameters<typeof promises.open>): Promise<promises.FileHandle> => {
  const handle = await promises.open(...args)
  const sync = handle.sync.bind(handle)
  handle.sync = async () => {
    await sync()
    steps.push((await handle.stat()).isDirectory() ? `folder ${String(args[0])} on disk` : 'file on disk')
  }
  return handle
}
const linkWatched = async (from: string, to: string): Promise<void> => {
  await promises.link(from, to)
  steps.push('named')
}
jest.unstable_mockModule('node:fs/promises', () => ({ ...promises, open: openWatched, link: linkWatched }))
const { loadOrCreateSecret } = await import('./secret-file.ts')
const { createFileKeyVault } = await import('./merchant-keys/key-vault.ts')

let folder = ''
beforeEach(async () => {
  steps = []
  folder = await promises.mkdtemp(join(tmpdir(), 'switchyard-power-'))
})
afterEach(async () => {
  await promises.rm(folder, { recursive: true })
})

test('a power cut took the name of a new secret with it, and what was wrapped by it could not be read any more', async () => {
  await loadOrCreateSecret(folder)
  expect(steps).toEqual(['file on disk', 'named', `folder ${folder} on disk`])
})

test("a power cut took a merchant's key with it of which it was said that it was durable", async () => {
  const keys = join(folder, 'keys')
  const vault = createFileKeyVault(keys)
  await vault.keep('m_1', 1, Buffer.from('wrapped'))
  expect(steps).toEqual(['file on disk', 'named', `folder ${keys} on disk`])
  steps = []
  // Whoever has written the one that stands may not have come so far.
  expect(await vault.keep('m_1', 1, Buffer.from('another'))).toEqual(Buffer.from('wrapped'))
  expect(steps.at(-1)).toBe(`folder ${keys} on disk`)
})
