import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { switchyard } from '../support/operator.ts'
import { temporaryFolder } from '../support/server.ts'
import { createDataFolder, openData, project } from './stored-payments.ts'

const folder = temporaryFolder()
const dataDir = join(folder.path, 'data')
afterAll(() => folder.remove())

test('lag does not tell of read models that they are up to date when their log is gone and another one has begun', async () => {
  await createDataFolder(dataDir, 40)
  const { log, store, close } = openData(dataDir)
  await project(log, store)
  await close()
  expect(await switchyard(dataDir, 'lag')).toMatchObject({ code: 0, errors: '' })

  rmSync(join(dataDir, 'log'), { recursive: true })
  await createDataFolder(dataDir, 2)
  const { code, errors } = await switchyard(dataDir, 'lag')
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringMatching(/payments \d: \d+ is stored and the log ends at -?\d+: it is another log, or has lost records/),
  })
}, 60_000)
