import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, test } from '@jest/globals'
import { newSurroundings, type Surroundings, startCluster } from './cluster.ts'
import { type RunningServer, runToItsEnd, startProcess } from './processes.ts'
import { RECEIVERS_ALLOWED } from './receivers/allowed.ts'

export type { RunningServer } from './processes.ts'

const MAIN = fileURLToPath(new URL('../../services/standalone/dist/bundle/main.js', import.meta.url))
/** `npm run test:real` sets it: the same tests against separate services on real servers. */
const ARE_SERVICES = process.env['SWITCHYARD_TEST_TARGET'] === 'services'

const surroundingsByFolder = new Map<string, Surroundings>()

export const ADMIN_SECRET = 'test_admin'

export interface StartOptions {
  /** Of the standalone process; separate services keep their data in servers of the test run, under names of their own. */
  readonly dataDir: string
  readonly env?: Readonly<Record<string, string>>
}

/** A folder for the data of one server; with it goes what separate services kept instead. */
export const temporaryFolder = (): { readonly path: string; readonly remove: () => Promise<void> } => {
  const path = mkdtempSync(join(tmpdir(), 'switchyard-test-'))
  const remove = async (): Promise<void> => {
    rmSync(path, { recursive: true, force: true })
    for (const [dataDir, surroundings] of surroundingsByFolder) {
      if (!dataDir.startsWith(path)) continue
      surroundingsByFolder.delete(dataDir)
      await surroundings.remove()
    }
  }
  return { path, remove }
}

/** `SWITCHYARD_TEST_WORKERS=2` runs every test of a standalone process with so many decision workers, unless it says how many. */
const { SWITCHYARD_TEST_WORKERS: workers = '1' } = process.env

const environment = ({ dataDir, env = {} }: StartOptions): Readonly<Record<string, string>> => ({
  SWITCHYARD_DATA_DIR: dataDir,
  SWITCHYARD_WORKERS: workers,
  ...env,
})

/** Runs the built standalone service to its end, for starts that are meant to fail. */
export const runToEnd = (options: StartOptions): ReturnType<typeof runToItsEnd> => runToItsEnd(MAIN, environment(options))

/** Begins to start the built standalone service on a free port. */
export const beginStandalone = (options: StartOptions): ReturnType<typeof startProcess> => startProcess(MAIN, environment(options))

/** Starts the built standalone service on a free port and waits until it is ready. */
export const startStandalone = async (options: StartOptions): Promise<RunningServer> => {
  const { url, output, end } = await beginStandalone(options).ready()
  return { url, output, stop: () => end('SIGTERM'), kill: async () => void (await end('SIGKILL')) }
}

/** What separate services keep instead of a data folder: there again when they are started with the same one. */
const surroundingsOf = (dataDir: string): Surroundings => {
  const surroundings = surroundingsByFolder.get(dataDir) ?? newSurroundings()
  surroundingsByFolder.set(dataDir, surroundings)
  return surroundings
}

/** Starts what the acceptance tests are run against, and waits until it is ready. */
export const startServer = (options: StartOptions): Promise<RunningServer> =>
  ARE_SERVICES ? startCluster(surroundingsOf(options.dataDir), options.env) : startStandalone(options)

/** The server of a test file. */
export type TestServer = Pick<RunningServer, 'url' | 'output'>

/** What a test expects not to be printed would never be there. */
const untoldOutput = (): never => {
  throw new Error('what a shared cluster prints is not told: a file that looks at it needs settings of its own')
}

/**
 * Registers what starts a server for the tests of a file, and stops it. Separate services without other settings than
 * {@link RECEIVERS_ALLOWED} are those of a cluster that all such files share (infra/servers/jest): each has merchants and people
 * of its own.
 */
export const useServer = (env?: Readonly<Record<string, string>>): TestServer => {
  const { SWITCHYARD_TEST_SHARED_CLUSTER: shared } = process.env
  if (shared !== undefined && (env === undefined || env === RECEIVERS_ALLOWED)) return { url: shared, output: untoldOutput }
  const folder = temporaryFolder()
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer({ dataDir: folder.path, ...(env === undefined ? {} : { env }) })
  })
  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })
  return {
    get url() {
      return server.url
    },
    output: () => server.output(),
  }
}

/** A test that looks into the data folder, which separate services do not have. */
export const testOnEmbedded = (name: string, run: () => Promise<void>): void => {
  const declare = ARE_SERVICES ? test.skip : test
  declare(name, run)
}
