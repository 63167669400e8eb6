import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCluster } from './cluster.ts'
import { runToItsEnd, startProcess } from './processes.ts'

const MAIN = fileURLToPath(new URL('../../services/standalone/dist/main.js', import.meta.url))
/** `npm run test:real` sets it: the same tests against separate services on real servers. */
const ARE_SERVICES = process.env['SWITCHYARD_TEST_TARGET'] === 'services'

export const ADMIN_SECRET = 'test_admin'

export interface RunningServer {
  readonly url: string
  readonly output: () => string
  /** Asks it to stop (SIGTERM) and waits for its end; resolves with the exit code. */
  readonly stop: () => Promise<number | null>
  /** `kill -9`. */
  readonly kill: () => Promise<void>
}

export interface StartOptions {
  /** Of the standalone process; separate services keep their data in servers of the test run, under names of their own. */
  readonly dataDir: string
  readonly env?: Readonly<Record<string, string>>
}

export const temporaryFolder = (): { readonly path: string; readonly remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'switchyard-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const environment = ({ dataDir, env = {} }: StartOptions): Readonly<Record<string, string>> => ({ SWITCHYARD_DATA_DIR: dataDir, ...env })

/** Runs the built standalone service to its end, for starts that are meant to fail. */
export const runToEnd = (options: StartOptions): ReturnType<typeof runToItsEnd> => runToItsEnd(MAIN, environment(options))

/** Starts the built standalone service on a free port and waits until it is ready. */
export const startStandalone = async (options: StartOptions): Promise<RunningServer> => {
  const { url, output, end } = await startProcess(MAIN, environment(options)).ready()
  return { url, output, stop: () => end('SIGTERM'), kill: async () => void (await end('SIGKILL')) }
}

/** Starts what the acceptance tests are run against, and waits until it is ready. */
export const startServer = (options: StartOptions): Promise<RunningServer> =>
  ARE_SERVICES ? startCluster(options.env ?? {}) : startStandalone(options)
