import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ownEnvironment, untilReady } from '../demo/standalone.mjs'

const START_TIMEOUT_MS = 60_000
const OUTPUT_CHARACTERS_MAX = 20_000

const mainOf = (name) => fileURLToPath(new URL(`../services/${name}/dist/bundle/main.js`, import.meta.url))

const untilListening = (child, name, output) =>
  new Promise((resolve, reject) => {
    const fail = (why) => reject(new Error(`${name} ${why}; it printed:\n${output()}`))
    const timer = setTimeout(() => fail(`did not listen within ${START_TIMEOUT_MS} ms`), START_TIMEOUT_MS)
    child.once('exit', () => fail('ended before it listened'))
    child.stdout.on('data', () => {
      const url = /listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(output())?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })

/**
 * Starts one service as a process of its own on a free port, and waits until it is ready. `stop` ends exactly this process.
 *
 * @param {string} name
 * @param {Readonly<Record<string, string>>} environment
 */
export const startService = async (name, environment) => {
  const child = spawn(process.execPath, [mainOf(name)], {
    env: { ...ownEnvironment(), PORT: '0', SWITCHYARD_LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let printed = ''
  const collect = (chunk) => {
    printed = `${printed}${chunk}`.slice(-OUTPUT_CHARACTERS_MAX)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  }
  try {
    const url = await untilListening(child, name, () => printed)
    await untilReady(url)
    return { url, port: Number(new URL(url).port), pid: child.pid, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
