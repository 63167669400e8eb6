import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from '@jest/globals'

const MAIN = fileURLToPath(new URL('./main.mjs', import.meta.url))
const OUTPUT_BYTES_MAX = 1024 * 1024
const RUN_MAX_MS = 600_000

/** Runs benchmarks with their smallest sizes as the command does, and gives what it printed; rejects with all of it when it fails. */
const smokeRun = async (names: readonly string[], environment: Readonly<Record<string, string>>): Promise<string> => {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...names, '--smoke'], {
      env: { ...process.env, NODE_OPTIONS: '', ...environment },
      maxBuffer: OUTPUT_BYTES_MAX,
    })
    return stdout
  } catch (error) {
    const { stdout, stderr } = Object(error)
    throw new Error(`${stdout}\n${stderr}`, { cause: error })
  }
}

/** A test for each of these benchmarks, all of one run: it loads everything that is measured, which takes as long as a benchmark. */
export const testSmokeRuns = (names: readonly string[], environment: () => Readonly<Record<string, string>> = () => ({})): void => {
  let printed: string
  beforeAll(async () => {
    printed = await smokeRun(names, environment())
  }, RUN_MAX_MS)

  test.each(names)('%s', (name) => {
    const [, behindName = ''] = printed.split(`\n${name}\n`)
    const [figures = ''] = behindName.split('\n\n')
    expect(figures).toMatch(/\d/)
    expect(figures).not.toMatch(/NaN|undefined|Infinity/)
  })
  test('and the run says so at its end', () => {
    expect(printed).toContain('Everything runs')
    expect(printed).not.toMatch(/NaN|undefined|Infinity/)
  })
}
