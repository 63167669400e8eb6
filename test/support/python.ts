import { spawnSync } from 'node:child_process'
import { test } from '@jest/globals'

/** Interpreter of the tests that show other languages; `PYTHON` names another one. */
export const PYTHON = process.env['PYTHON'] ?? 'python3'

/** Why the Python example can't run here; undefined when it can. */
const missing = (): string | undefined => {
  const { error, status } = spawnSync(PYTHON, ['-c', 'import fastavro'])
  if (error !== undefined) return `${PYTHON} is not installed`
  return status === 0 ? undefined : `${PYTHON} has no fastavro: pip install fastavro==1.13.1`
}

/** A test that needs Python with fastavro; skipped, with the reason in its name, where that is missing. */
export const testWithPython = (name: string, run: () => Promise<void>): void => {
  const reason = missing()
  const define = reason === undefined ? test : test.skip
  define(reason === undefined ? name : `${name} (skipped: ${reason})`, run)
}
