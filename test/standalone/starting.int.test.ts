import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest } from '../support/client.ts'
import { runToEnd, startStandalone, temporaryFolder } from '../support/server.ts'

let folder = temporaryFolder()
beforeEach(async () => {
  await folder.remove()
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const lines = (output: string): readonly string[] => output.split('\n').filter((line) => line !== '')

describe('starting and stopping', () => {
  test('it says where it listens, where its data lies, and one call to try', async () => {
    const server = await startStandalone({ dataDir: join(folder.path, 'data') })
    expect(server.output()).toContain(server.url)
    expect(server.output()).toContain(join(folder.path, 'data'))
    expect(server.output()).toMatch(/curl .*merchant-account\/create/)
    expect(server.output()).toContain('SWITCHYARD_ADMIN_SECRET')
    expect(await server.stop()).toBe(0)
  })

  test('everything is there again after a stop', async () => {
    const dataDir = join(folder.path, 'data')
    const first = await startStandalone({ dataDir })
    const { id, key } = await createMerchant(first.url)
    await call(first.url, 'POST /decide-gateway', { body: decisionRequest(id, 'p1'), headers: key })
    await first.stop()
    const second = await startStandalone({ dataDir })
    expect((await call(second.url, `GET /merchant-account/${id}`, { headers: key })).status).toBe(200)
    const body = { merchantId: id, gateway: 'stripe', paymentId: 'p1', status: 'CHARGED' }
    expect((await call(second.url, 'POST /update-gateway-score', { body, headers: { ...key, 'x-strict': 'true' } })).status).toBe(200)
    await second.stop()
  })

  test.each([
    ['an unknown setting', { SWITCHYARD_COLOUR: 'red' }, 'SWITCHYARD_COLOUR'],
    ['a port that is no number', { PORT: 'http' }, 'PORT'],
    ['a log level that does not exist', { SWITCHYARD_LOG_LEVEL: 'loud' }, 'SWITCHYARD_LOG_LEVEL'],
    ['production without an admin secret', { NODE_ENV: 'production', SWITCHYARD_JWT_SECRET: 'j'.repeat(32) }, 'SWITCHYARD_ADMIN_SECRET'],
    [
      'production with the default admin secret',
      { NODE_ENV: 'production', SWITCHYARD_JWT_SECRET: 'j'.repeat(32), SWITCHYARD_ADMIN_SECRET: 'test_admin' },
      'SWITCHYARD_ADMIN_SECRET',
    ],
    [
      'production without a token secret',
      { NODE_ENV: 'production', SWITCHYARD_ADMIN_SECRET: 'a-long-admin-secret' },
      'SWITCHYARD_JWT_SECRET',
    ],
    ['a token secret that is too short', { SWITCHYARD_JWT_SECRET: 'short' }, 'SWITCHYARD_JWT_SECRET'],
  ])('%s: one clear line, exit code 1', async (_name, env, named) => {
    const { code, output } = await runToEnd({ dataDir: join(folder.path, 'data'), env })
    expect(code).toBe(1)
    expect(lines(output)).toHaveLength(1)
    expect(output).toContain(named)
    expect(output).not.toContain('short')
    expect(existsSync(join(folder.path, 'data'))).toBe(false)
  })

  test('a port in use: one clear line, exit code 1', async () => {
    const server = await startStandalone({ dataDir: join(folder.path, 'a') })
    const { code, output } = await runToEnd({ dataDir: join(folder.path, 'b'), env: { PORT: new URL(server.url).port } })
    expect([code, lines(output).length]).toEqual([1, 1])
    expect(output).toContain(new URL(server.url).port)
    await server.stop()
  })

  test('a data folder in use, a foreign one, one that is a file: one clear line, exit code 1', async () => {
    const server = await startStandalone({ dataDir: join(folder.path, 'a') })
    writeFileSync(join(folder.path, 'file'), 'x')
    for (const dataDir of [join(folder.path, 'a'), folder.path, join(folder.path, 'file')]) {
      const { code, output } = await runToEnd({ dataDir })
      expect([dataDir, code, lines(output).length]).toEqual([dataDir, 1, 1])
      expect(output).toContain(dataDir)
    }
    expect((await call(server.url, 'GET /health')).status).toBe(200)
    await server.stop()
  })
})
