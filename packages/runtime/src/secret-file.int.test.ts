import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { loadOrCreateSecret } from './secret-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchyard-secret-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

describe('session secret', () => {
  test('is generated once and kept, for the owner only', async () => {
    const data = join(folder, 'data')
    const secret = await loadOrCreateSecret(data)
    expect(Buffer.byteLength(secret)).toBeGreaterThanOrEqual(32)
    expect(await loadOrCreateSecret(data)).toBe(secret)
    const [file = '', ...others] = await readdir(data)
    expect(others).toEqual([])
    expect((await stat(join(data, file))).mode & 0o777).toBe(0o600)
  })

  test('processes that start together agree', async () => {
    const secrets = await Promise.all(Array.from({ length: 8 }, () => loadOrCreateSecret(folder)))
    expect(new Set(secrets).size).toBe(1)
  })

  test('two folders, two secrets', async () => {
    expect(await loadOrCreateSecret(join(folder, 'a'))).not.toBe(await loadOrCreateSecret(join(folder, 'b')))
  })

  test('an emptied file is reported, not replaced', async () => {
    await loadOrCreateSecret(folder)
    const [file = ''] = await readdir(folder)
    await writeFile(join(folder, file), '')
    await expect(loadOrCreateSecret(folder)).rejects.toMatchObject({ code: 'SETTING_INVALID' })
  })

  test('an emptied file was said to be removed for a new secret, also the one without which stored webhooks can not be read', async () => {
    const advice = { 'session-secret': /remove it to get a new one/, 'data-key-secret': /holds no usable secret; restore it/ } as const
    for (const name of ['session-secret', 'data-key-secret'] as const) {
      await writeFile(join(folder, name), '')
      await expect(loadOrCreateSecret(folder, name)).rejects.toThrow(advice[name])
    }
  })

  test('a folder that is a file is reported', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(loadOrCreateSecret(join(folder, 'file'))).rejects.toMatchObject({ code: 'DATA_FOLDER_UNWRITABLE' })
  })
})
