import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listensOn } from './ports.mjs'

const START_TIMEOUT_MS = 90_000
const STOP_TIMEOUT_MS = 20_000
const POLL_MS = 50
const OUTPUT_LINES_SHOWN = 30

const commandLineOf = (pid) => {
  if (existsSync('/proc/self/cmdline')) {
    return existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') : ''
  }
  return String(spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
}

/**
 * Whether the process still is the one that was started: its command line names the folder of its data. Process ids are used
 * again, so nothing is killed by its id alone.
 */
export const isOurs = ({ pid, folder }) => commandLineOf(pid).includes(`${folder}/`)

const tailOf = (file) => readFileSync(file, 'utf8').trimEnd().split('\n').slice(-OUTPUT_LINES_SHOWN).join('\n')

/**
 * Starts a server whose command line names `folder`, and waits until it listens on the port and answers.
 *
 * @param {{ name: string, folder: string, args: readonly string[], port: number, isDetached: boolean, answers: () => Promise<boolean> }} server
 */
export const startProcess = async ({ name, folder, args, port, isDetached, answers }) => {
  mkdirSync(folder, { recursive: true })
  const outputFile = join(folder, 'output.log')
  const output = openSync(outputFile, 'w')
  const child = spawn('java', args, { cwd: folder, detached: isDetached, stdio: ['ignore', output, output] })
  closeSync(output)
  let end
  child.once('error', (error) => (end = error.message))
  child.once('exit', (code, signal) => (end = `it ended with ${signal ?? `code ${code}`}`))
  const server = { name, pid: child.pid, folder }
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!(await answers()) || !listensOn(child.pid, port)) {
    if (end === undefined && Date.now() > deadline) end = `it did not answer on port ${port} within ${START_TIMEOUT_MS} ms`
    if (end !== undefined) {
      child.kill('SIGKILL')
      throw new Error(`${name} did not start: ${end}\n${tailOf(outputFile)}`)
    }
    await sleep(POLL_MS)
  }
  child.unref()
  return server
}

/** Ends a server that was started here, with SIGTERM and, when that takes too long, SIGKILL; anything else is left alone. */
export const stopProcess = async (server, signal = 'SIGTERM') => {
  if (!isOurs(server)) return
  process.kill(server.pid, signal)
  const deadline = Date.now() + STOP_TIMEOUT_MS
  while (isOurs(server)) {
    if (Date.now() > deadline && signal === 'SIGKILL') throw new Error(`${server.name} (process ${server.pid}) does not end`)
    if (Date.now() > deadline) return await stopProcess(server, 'SIGKILL')
    await sleep(POLL_MS)
  }
}
