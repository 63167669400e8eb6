// Once before a test run with SWITCHYARD_TEST_REAL=1: starts the servers, or borrows those that run. Tests find the addresses in
// the file that SERVERS_FILE names (test/support/real-servers.ts).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { borrowServers } from '../servers.mjs'

/** The tests that need a server fail with this text; all others run. */
const noServers = (error) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-no-servers-'))
  const file = join(folder, 'servers.json')
  writeFileSync(file, JSON.stringify({ failure: error.message }))
  return { file, release: async () => rmSync(folder, { recursive: true }) }
}

export default async () => {
  if (process.env.SWITCHYARD_TEST_REAL !== '1') return
  const { file, release } = await borrowServers().catch(noServers)
  process.env.SERVERS_FILE = file
  globalThis.releaseTestServers = release
}
