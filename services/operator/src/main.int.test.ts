import { spawnSync } from 'node:child_process'
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
