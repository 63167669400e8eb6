import * as promises from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, jest, test } from '@jest/globals'

const NO_ROOM = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

/** A file that is there, and into which nothing more can be written. */
const openOnFullDisk = async (...args: Parameters<typeof promises.open>): Promise<promises.FileHandle> => {
  const file = await promises.open(...args)
  file.writeFile = async () => await Promise.reject(NO_ROOM)
  return file
}
jest.unstable_mockModule('node:fs/promises', () => ({ ...promises, open: openOnFullDisk }))
const { writeOnce } = await import('./secret-file.ts')

test('each attempt to keep a secret on a full disk left a draft behind', async () => {
  const folder = await promises.mkdtemp(join(tmpdir(), 'switchyard-secret-'))
  try {
    await expect(writeOnce(join(folder, 'secret'), 'text')).rejects.toBe(NO_ROOM)
    expect(await promises.readdir(folder)).toEqual([])
  } finally {
    await promises.rm(folder, { recursive: true })
  }
})
