import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, jest, test } from '@jest/globals'
import { watchDisk } from '@switchyard/testing'

const { steps, module } = watchDisk()
jest.unstable_mockModule('node:fs/promises', () => module)
const { createSpool } = await import('./spool.ts')

test('a power cut took a report with it that was accepted: its bytes were on disk, and its name was not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-spool-'))
  try {
    const bytes = async function* () {
      yield Buffer.from('a,b\n1,2\n')
    }
    expect(await createSpool(folder).keep('id', bytes(), 1_000)).toEqual({ kind: 'kept', byteCount: 8 })
    expect(steps).toEqual(['file on disk', 'named', `folder ${folder} on disk`])
  } finally {
    await rm(folder, { recursive: true })
  }
})
