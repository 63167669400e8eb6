import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { watchDisk } from '@switchyard/testing'

const { steps, module } = watchDisk()
jest.unstable_mockModule('node:fs/promises', () => module)
const { loadOrCreateSecret } = await import('./secret-file.ts')
const { createFileKeyVault } = await import('./merchant-keys/key-vault.ts')

let folder = ''
beforeEach(async () => {
  steps.length = 0
  folder = await mkdtemp(join(tmpdir(), 'switchyard-power-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
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
  steps.length = 0
  // Whoever has written the one that stands may not have come so far.
  expect(await vault.keep('m_1', 1, Buffer.from('another'))).toEqual(Buffer.from('wrapped'))
  expect(steps.at(-1)).toBe(`folder ${keys} on disk`)
})
