import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const KAFKA = { SWITCHYARD_KAFKA_BROKERS: '127.0.0.1:9' }
const MONGODB = { SWITCHYARD_MONGODB_URI: 'mongodb://127.0.0.1:9/x' }
const REGISTRY = { SWITCHYARD_SCHEMA_REGISTRY_URL: 'http://127.0.0.1:9' }

test.each([
  ['rebuild payments', 'SWITCHYARD_SCHEMA_REGISTRY_URL', { ...KAFKA, ...MONGODB }],
  ['replay --topic payments', 'SWITCHYARD_SCHEMA_REGISTRY_URL', KAFKA],
  ['dead-letters list', 'SWITCHYARD_MONGODB_URI', { ...KAFKA, ...REGISTRY }],
])('%s takes nothing of this machine for a part of a cluster: without %s it ends', (command, name, settings) => {
  const { PATH, HOME } = process.env
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...command.split(' ')], {
    env: { PATH, HOME, ...settings },
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: `switchyard: ${name}: is required with SWITCHYARD_KAFKA_BROKERS\n`,
  })
})

test('a setting whose name is misspelt ends a command: it does not work on the data of another place; secrets are not looked at', () => {
  const { PATH, HOME } = process.env
  const run = (settings: Readonly<Record<string, string>>) =>
    spawnSync(process.execPath, [MAIN, 'help'], { env: { PATH, HOME, ...settings }, encoding: 'utf8' })
  const { status, stdout, stderr } = run({ SWITCHYARD_DATADIR: '/somewhere' })
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: 'switchyard: the settings are not valid: SWITCHYARD_DATADIR: is not a setting\n',
  })
  expect(run({ SWITCHYARD_JWT_SECRET: 'short', NODE_ENV: 'production' }).status).toBe(0)
})

test("a result that can't be written, as on a full disk, ends a command with 2 and says so: a cut-off export was taken for a whole one", () => {
  const full = openSync('/dev/full', 'w')
  try {
    const { PATH, HOME } = process.env
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'help'], {
      env: { PATH, HOME },
      encoding: 'utf8',
      stdio: ['ignore', full, 'pipe'],
    })
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: 'switchyard: the result could not be written: ENOSPC: no space left on device, write\n',
    })
  } finally {
    closeSync(full)
  }
})

test('whoever reads a result may leave before it ends: that is no failure', async () => {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, [MAIN, 'help'], { env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.destroy()
  expect(await once(child, 'close')).toEqual([0, null])
})

test('a replay with an empty --merchant, as of a variable of the shell that is not set, is refused: it printed nothing, as if the merchant had no events', () => {
  const { PATH, HOME } = process.env
  const args = ['replay', '--topic', 'payments', '--merchant', '']
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { env: { PATH, HOME }, encoding: 'utf8' })
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: '', stderr: 'switchyard: --merchant is the id of a merchant\n' })
})

test.each([
  ['before its --since', '2026-11-21T09:59:59Z'],
  ['at its --since', '2026-11-21T10:00:00Z'],
])('a replay with --until %s is refused: it printed nothing, and ended as if nothing had happened then', (_name, until) => {
  const { PATH, HOME } = process.env
  const args = ['replay', '--topic', 'payments', '--since', '2026-11-21T10:00:00Z', '--until', until]
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { env: { PATH, HOME }, encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toContain('--since is to lie before --until')
})

test.each([
  ['the store in it', '{"product":"switchyard","content":"read-store","format":2}'],
  ['one of another layout', '{"product":"switchyard","layout":2}'],
  ['one with a broken mark', '{'],
  ['one of something else', undefined],
])('instead of the data folder %s: a command ends, and makes nothing there', (_name, mark) => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-operator-'))
  try {
    if (mark !== undefined) writeFileSync(join(folder, 'switchyard.json'), mark)
    const { PATH, HOME } = process.env
    const env = { PATH, HOME, SWITCHYARD_DATA_DIR: folder }
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'dead-letters', 'list'], { env, encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: `switchyard: SWITCHYARD_DATA_DIR: there is no data of Switchyard in ${folder} that this release knows\n`,
    })
    expect(readdirSync(folder)).toEqual(mark === undefined ? [] : ['switchyard.json'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
