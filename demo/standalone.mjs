import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The environment for a process of ours: without what names the servers of a test run, which is no setting. */
export const ownEnvironment = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SWITCHYARD_TEST_')))

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** What `npm start` runs, without npm. */
const [, ...START] = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.start.split(' ')
/** The first start may install and build. */
const START_TIMEOUT_MS = 180_000
const READY_POLL_MS = 20
const STOP_TIMEOUT_MS = 15_000
const INTERRUPTED_EXIT_CODE = 130
const OUTPUT_CHARACTERS_MAX = 20_000

const untilListening = async (child, output) => {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server ended while it started; it printed:\n${output()}`)
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output())?.[0]
    if (url !== undefined) return url
    await delay(READY_POLL_MS)
  }
  throw new Error(`the server did not listen within ${START_TIMEOUT_MS} ms; it printed:\n${output()}`)
}

/**
 * Waits until a server says that it is ready.
 *
 * @param {string} url
 * @param {number} [timeoutMs]
 */
export const untilReady = async (url, timeoutMs = START_TIMEOUT_MS) => {
  const deadline = Date.now() + timeoutMs
  let last = 'no answer'
  while (Date.now() < deadline) {
    try {
      const response = await fetch(`${url}/health/ready`)
      last = `status ${response.status}`
      await response.arrayBuffer()
      if (response.status === 200) return
    } catch (error) {
      last = String(error)
    }
    await delay(READY_POLL_MS)
  }
  throw new Error(`${url} was not ready within ${timeoutMs} ms (${last})`)
}

/**
 * Starts a standalone server on a free port with an empty temporary data folder, and waits until it is ready. `stop` ends
 * exactly this process and removes the folder; so does an interrupt of the caller.
 *
 * @param {{ readonly environment?: Readonly<Record<string, string>> }} [options]
 */
export const startStandalone = async ({ environment = {} } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-'))
  const child = spawn(process.execPath, START, {
    cwd: ROOT,
    env: { ...ownEnvironment(), PORT: '0', SWITCHYARD_DATA_DIR: join(folder, 'data'), SWITCHYARD_LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let printed = ''
  const collect = (chunk) => {
    printed = `${printed}${chunk}`.slice(-OUTPUT_CHARACTERS_MAX)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)

  const interrupt = () => void stop().finally(() => process.exit(INTERRUPTED_EXIT_CODE))
  const signals = ['SIGINT', 'SIGTERM']
  for (const signal of signals) process.once(signal, interrupt)

  const stop = async () => {
    for (const signal of signals) process.off(signal, interrupt)
    const isRunning = child.exitCode === null && child.signalCode === null
    if (isRunning) {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await ended
      clearTimeout(timer)
    }
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    const url = await untilListening(child, () => printed)
    await untilReady(url)
    return { url, pid: child.pid, output: () => printed, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
