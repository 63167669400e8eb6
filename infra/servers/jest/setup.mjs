// Once before a test run with SWITCHYARD_TEST_REAL=1: starts the servers, or borrows those that run. Tests find the addresses in
// the file that SERVERS_FILE names (test/support/server-addresses.ts).
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { borrowServers } from '../servers.mjs'

/** The tests that need a server fail with this text; all others run. */
const noServers = (error) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-no-servers-'))
  const file = join(folder, 'servers.json')
  writeFileSync(file, JSON.stringify({ failure: error.message }))
  return { file, release: async () => rmSync(folder, { recursive: true }) }
}

/** Servers of a test run live for minutes: there the JVM's second compiler takes more than it gives. Also for those that tests start. */
const startJvmsQuickly = () => {
  process.env.JDK_JAVA_OPTIONS = `${process.env.JDK_JAVA_OPTIONS ?? ''} -XX:TieredStopAtLevel=1`.trim()
}

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..')

/** Starts the cluster that acceptance tests on services share, in a process of its own; gives its address, and what stops it. */
const startSharedCluster = async () => {
  const args = ['--import', './tools/typescript.mjs', 'test/support/shared-cluster.ts']
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [url] = await Promise.race([once(child.stdout, 'data'), ended])
  const stop = async () => {
    child.stdin.end()
    await ended
  }
  if (!(url instanceof Buffer)) throw new Error('the cluster that acceptance tests share did not start')
  return { url: String(url).trim(), stop }
}

export default async () => {
  if (process.env.SWITCHYARD_TEST_REAL !== '1') return
  startJvmsQuickly()
  const { file, release } = await borrowServers().catch(noServers)
  process.env.SERVERS_FILE = file
  globalThis.releaseTestServers = release
  if (process.env.SWITCHYARD_TEST_TARGET !== 'services') return
  const { url, stop } = await startSharedCluster().catch(async (error) => {
    // Nothing is torn down behind a run that was not set up.
    await release()
    throw error
  })
  process.env.SWITCHYARD_TEST_SHARED_CLUSTER = url
  globalThis.stopSharedCluster = stop
}
