import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const MAIN = fileURLToPath(new URL('./main.mjs', import.meta.url))
const OUTPUT_BYTES_MAX = 1024 * 1024

/** Runs one benchmark with its smallest sizes as the command does, and gives what it printed; rejects when it fails. */
export const smokeRun = async (name: string, environment: Readonly<Record<string, string>> = {}): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, name, '--smoke'], {
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    maxBuffer: OUTPUT_BYTES_MAX,
  })
  return stdout
}
