// Once before a test run with SWITCHYARD_TEST_REAL=1: the servers that run from this checkout are used, or new ones are started
// for this run alone. Tests find the addresses in the file that SERVERS_FILE names (test/support/real-servers.ts).
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFolder } from '../places.mjs'
import { areServersRunning, startServers, stopServers } from '../servers.mjs'

const start = async () => {
  if (await areServersRunning(runFolder())) return await startServers({ folder: runFolder(), isDetached: true })
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-servers-'))
  globalThis.stopTestServers = () => stopServers(folder, { isWiped: true })
  try {
    return await startServers({ folder, isDetached: false })
  } catch (error) {
    // The tests that need a server fail with this text; all others run.
    const file = join(folder, 'servers.json')
    writeFileSync(file, JSON.stringify({ failure: error.message }))
    return file
  }
}

export default async () => {
  if (process.env.SWITCHYARD_TEST_REAL === '1') process.env.SERVERS_FILE = await start()
}
