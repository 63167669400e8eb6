import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../services/operator/dist/main.js', import.meta.url))

/** What a command of the operator left behind. */
export interface CommandResult {
  readonly code: number | null
  /** Lines of the standard output. */
  readonly lines: readonly string[]
  readonly errors: string
}

/** A running command of the operator. */
export interface RunningCommand {
  readonly ended: Promise<CommandResult>
  /** `kill -9`. */
  readonly kill: () => void
  /** What it said on the side until now. */
  readonly errors: () => string
  /** Nobody reads on the side from now on. */
  readonly closeErrors: () => void
}

/** Starts the built `switchyard`; its environment is what is given, and nothing else of this one's settings. */
export const startSwitchyard = (args: readonly string[], env: Readonly<Record<string, string>>): RunningCommand => {
  const { PATH, HOME, TMPDIR } = process.env
  const child = spawn(process.execPath, [MAIN, ...args], { env: { PATH, HOME, TMPDIR, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { out: '', errors: '' }
  child.stdout.on('data', (chunk) => (output.out += String(chunk)))
  child.stderr.on('data', (chunk) => (output.errors += String(chunk)))
  const ended = new Promise<CommandResult>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, lines: output.out.split('\n').slice(0, -1), errors: output.errors }))
  })
  return { ended, kill: () => void child.kill('SIGKILL'), errors: () => output.errors, closeErrors: () => void child.stderr.destroy() }
}

/** Runs the built `switchyard` to its end on the data of this folder. */
export const switchyard = async (dataDir: string, ...args: readonly string[]): Promise<CommandResult> =>
  await startSwitchyard(args, { SWITCHYARD_DATA_DIR: dataDir }).ended
