import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const MAIN = fileURLToPath(new URL('./main.mjs', import.meta.url))

test.each([
  ['--seeds', 'abc', '--seeds must be a whole number of at least 1, not abc'],
  ['--seeds', '0', '--seeds must be a whole number of at least 1, not 0'],
  ['--first-seed', 'x', '--first-seed must be a whole number of at least 0, not x'],
  ['--drawn', '1.5', '--drawn must be a whole number of at least 0, not 1.5'],
  ['--draw-seed', '-1', '--draw-seed must be a whole number of at least 0, not -1'],
  ['--only', 'nowhere', 'no market has nowhere in its name'],
])('%s=%s is refused in words: tables were full of NaN, or an error of the engine was told', (name, value, message) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, `${name}=${value}`], { encoding: 'utf8', timeout: 20_000 })
  expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: `${message}\n` })
})
