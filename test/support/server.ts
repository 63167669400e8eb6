import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../services/standalone/dist/main.js', import.meta.url))
/** Longest time that a start may take before a test gives up on it, in milliseconds. */
const START_TIMEOUT_MS = 30_000

export const ADMIN_SECRET = 'test_admin'

export interface RunningServer {
  readonly url: string
  readonly dataDir: string
  readonly output: () => string
  /** Asks it to stop (SIGTERM) and waits for its end; resolves with the exit code. */
  readonly stop: () => Promise<number | null>
  /** `kill -9`. */
  readonly kill: () => Promise<void>
}

export interface StartOptions {
  readonly dataDir: string
  readonly env?: Readonly<Record<string, string>>
}

export const temporaryFolder = (): { readonly path: string; readonly remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'switchyard-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

const environment = ({ dataDir, env }: StartOptions): NodeJS.ProcessEnv => {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, PORT: '0', SWITCHYARD_DATA_DIR: dataDir, SWITCHYARD_LOG_LEVEL: 'warn', ...env }
}

/** Runs the built standalone service to its end, for starts that are meant to fail. */
export const runToEnd = async (options: StartOptions): Promise<{ readonly code: number | null; readonly output: string }> => {
  const child = spawn(process.execPath, [MAIN], { env: environment(options), stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collect(child)
  const [code] = await once(child, 'close')
  return { code: typeof code === 'number' ? code : null, output: output() }
}

const collect = (child: ChildProcess): (() => string) => {
  let text = ''
  const add = (chunk: unknown): void => {
    text += String(chunk)
  }
  child.stdout?.on('data', add)
  child.stderr?.on('data', add)
  return () => text
}

const listening = (child: ChildProcess, output: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`the server ${why}; it printed:\n${output()}`))
    const timer = setTimeout(() => fail(`did not listen within ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS)
    child.once('exit', (code) => fail(`ended with code ${code} before it listened`))
    child.stdout?.on('data', () => {
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })

/** Starts the built standalone service on a free port and waits until it is ready. */
export const startServer = async (options: StartOptions): Promise<RunningServer> => {
  const child = spawn(process.execPath, [MAIN], { env: environment(options), stdio: ['ignore', 'pipe', 'pipe'] })
  const output = collect(child)
  const ended = once(child, 'exit')
  const url = await readyUrl(child, output)
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    const [code] = await ended
    return typeof code === 'number' ? code : null
  }
  return { url, dataDir: options.dataDir, output, stop: () => end('SIGTERM'), kill: async () => void (await end('SIGKILL')) }
}

/** A server that does not get ready is ended: left alone, it would outlive the test run. */
const readyUrl = async (child: ChildProcess, output: () => string): Promise<string> => {
  try {
    const url = await listening(child, output)
    await untilReady(url)
    return url
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/** Asks until the service says that its projections have caught up. */
const untilReady = async (url: string): Promise<void> => {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    const response = await fetch(`${url}/health/ready`)
    await response.arrayBuffer()
    if (response.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`${url} was not ready within ${START_TIMEOUT_MS} ms`)
}
