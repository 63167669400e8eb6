import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from '@jest/globals'
import { startProcess } from '../support/processes.ts'
import { startStandalone, temporaryFolder } from '../support/server.ts'

const MAIN = fileURLToPath(new URL('../../services/standalone/dist/bundle/main.js', import.meta.url))

const folder = temporaryFolder()
afterAll(async () => await folder.remove())

test('a report that is on its way in while the process starts is not removed with what an earlier process left behind', async () => {
  const first = await startStandalone({ dataDir: folder.path })
  await first.stop()
  const [left, arriving] = ['left', 'arriving'].map((id) => join(folder.path, 'spool', `${id}.part`)) as [string, string]
  mkdirSync(join(folder.path, 'spool'), { recursive: true })
  writeFileSync(left, 'half')
  utimesSync(left, 1_700_000_000, 1_700_000_000)

  const starting = startProcess(MAIN, { SWITCHYARD_DATA_DIR: folder.path })
  const ready = starting.ready()
  await starting.printed('listens on')
  writeFileSync(arriving, 'half')
  const { end } = await ready
  expect([existsSync(left), existsSync(arriving)]).toEqual([false, true])
  await end('SIGTERM')
})
