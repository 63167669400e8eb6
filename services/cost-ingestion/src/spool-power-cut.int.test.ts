import * as promises from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, jest, test } from '@jest/globals'

/** What was done to the disk, in order. */
const steps: string[] = []

const openWatched = async (...args: Parameters<typeof promises.open>): Promise<promises.FileHandle> => {
  const handle = await promises.open(...args)
  const sync = handle.sync.bind(handle)
  handle.sync = async () => {
    await sync()
    steps.push((await handle.stat()).isDirectory() ? 'folder on disk' : 'file on disk')
  }
  return handle
}
const renameWatched = async (from: string, to: string): Promise<void> => {
  await promises.rename(from, to)
  steps.push('named')
}
jest.unstable_mockModule('node:fs/promises', () => ({ ...promises, open: openWatched, rename: renameWatched }))
const { createSpool } = await import('./spool.ts')

test('a power cut took a report with it that was accepted: its bytes were on disk, and its name was not', async () => {
  const folder = await promises.mkdtemp(join(tmpdir(), 'switchyard-spool-'))
  try {
    const bytes = async function* () {
      yield Buffer.from('a,b\n1,2\n')
    }
    expect(await createSpool(folder).keep('id', bytes(), 1_000)).toEqual({ kind: 'kept', byteCount: 8 })
    expect(steps).toEqual(['file on disk', 'named', 'folder on disk'])
  } finally {
    await promises.rm(folder, { recursive: true })
  }
})
