import { existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { call, createMerchant, decisionRequest, eventually } from '../support/client.ts'
import { beginStandalone, runToEnd, startStandalone, temporaryFolder } from '../support/server.ts'

let folder = temporaryFolder()
beforeEach(async () => {
  await folder.remove()
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

/** Of a database the two descriptions and nothing that they point to: half a file may hold all that can be reached, and is whole then. */
const DESCRIPTIONS_BYTES = 4_096

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

  test('a signal while the program is still loading ends it with 0', async () => {
    // As soon as anybody listens to it, the process gets the signal.
    const preload = "process.on('newListener', (name) => name === 'SIGTERM' && setImmediate(() => process.kill(process.pid, name)))"
    const env = { NODE_OPTIONS: `--import ${JSON.stringify(`data:text/javascript,${encodeURIComponent(preload)}`)}` }
    expect(await runToEnd({ dataDir: join(folder.path, 'data'), env })).toEqual({ code: 0, output: '' })
  })

  test('started while MongoDB is away it waits for it, says so, and can be stopped', async () => {
    const server = beginStandalone({
      dataDir: join(folder.path, 'data'),
      env: { SWITCHYARD_MONGODB_URI: 'mongodb://127.0.0.1:1/switchyard', SWITCHYARD_WORKERS: '2' },
    })
    await server.printed('the read store does not answer')
    // As long as its threads would need to find out as well.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(await server.end('SIGTERM')).toBe(0)
    expect(server.output()).not.toContain('the process ends')
  })

  test('while it drains it is not ready, but answers and lets connections go; the second signal ends it at once', async () => {
    const server = await startStandalone({ dataDir: join(folder.path, 'data'), env: { SWITCHYARD_DRAIN_MS: '60000' } })
    const merchant = await createMerchant(server.url)
    const ended = server.stop()
    const ready = () => call(server.url, 'GET /health/ready')
    const down = await eventually('being not ready', ready, ({ status }) => status !== 200)
    expect([down.status, down.json, down.headers.get('connection')]).toEqual([400, { message: 'Down' }, 'close'])
    const decided = await call(server.url, 'POST /decide-gateway', { body: decisionRequest(merchant.id, 'late'), headers: merchant.key })
    expect([decided.status, decided.headers.get('connection')]).toEqual([200, 'close'])
    expect(await server.stop()).toBe(1)
    await ended
  })

  test('after the drain it ends with 0, and what it acknowledged is there', async () => {
    const dataDir = join(folder.path, 'data')
    const server = await startStandalone({ dataDir, env: { SWITCHYARD_DRAIN_MS: '200' } })
    const { id, key } = await createMerchant(server.url)
    const ended = server.stop()
    await eventually(
      'being not ready',
      () => call(server.url, 'GET /health/ready'),
      ({ status }) => status !== 200,
    )
    await call(server.url, `POST /merchant-account/${id}/debit-routing`, { body: { enabled: true }, headers: key })
    expect(await ended).toBe(0)
    const again = await startStandalone({ dataDir })
    expect((await call(again.url, `GET /merchant-account/${id}/debit-routing`, { headers: key })).json).toMatchObject({
      debit_routing_enabled: true,
    })
    await again.stop()
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

  test('another secret for the keys of merchants: started, each of their webhooks was answered 500; now one clear line, exit code 1', async () => {
    const dataDir = join(folder.path, 'data')
    const env = { SWITCHYARD_DATA_KEY_SECRET: 'the secret that wrapped the keys of merchants' }
    const first = await startStandalone({ dataDir, env })
    const { id, key } = await createMerchant(first.url)
    const endpoint = `/merchant-account/${id}/webhook-endpoint`
    const configured = await call(first.url, `PUT ${endpoint}`, { body: { webhook_url: 'https://shop.example/hook' }, headers: key })
    expect(configured.status).toBe(200)
    await first.stop()

    const wrong = { SWITCHYARD_DATA_KEY_SECRET: 'a secret that wrapped no key of any merchant' }
    const { code, output } = await runToEnd({ dataDir, env: wrong })
    expect([code, lines(output).length]).toEqual([1, 1])
    expect(output).toMatch(/^SWITCHYARD_DATA_KEY_SECRET: .*SWITCHYARD_DATA_KEY_SECRETS_OLD/)
    expect(output).not.toContain('a secret that wrapped')

    const changed = await startStandalone({ dataDir, env: { ...wrong, SWITCHYARD_DATA_KEY_SECRETS_OLD: env.SWITCHYARD_DATA_KEY_SECRET } })
    expect((await call(changed.url, `POST ${endpoint}/rotate-secret`, { headers: key })).status).toBe(200)
    await changed.stop()
  })

  test('a data folder whose copy broke off ended the process by a signal; now one clear line, and read models are made anew', async () => {
    const dataDir = join(folder.path, 'data')
    const first = await startStandalone({ dataDir })
    const { id, key } = await createMerchant(first.url)
    await call(first.url, 'POST /decide-gateway', { body: decisionRequest(id, 'p1'), headers: key })
    await first.stop()
    const cut = async (file: string): Promise<void> => {
      truncateSync(join(dataDir, file), DESCRIPTIONS_BYTES)
      const { code, output } = await runToEnd({ dataDir })
      expect([code, lines(output).length]).toEqual([1, 1])
      expect(output).toContain(`${join(dataDir, file)} is cut off`)
    }
    await cut('store/documents.v2/data.mdb')
    rmSync(join(dataDir, 'store'), { recursive: true })
    const second = await startStandalone({ dataDir })
    expect((await call(second.url, `GET /merchant-account/${id}`, { headers: key })).status).toBe(200)
    const audit = () => call(second.url, 'GET /analytics/payment-audit?payment_id=p1', { headers: { ...key, 'x-tenant-id': 'public' } })
    expect(await eventually('the audit', audit, ({ json }) => json.timeline?.length > 0)).toBeDefined()
    await second.stop()
    await cut('log/records/data.mdb')
  })

  test('a log that is empty beside read models of another one said where it ends, and no more; now what that means, and what to do', async () => {
    const dataDir = join(folder.path, 'data')
    const first = await startStandalone({ dataDir })
    await createMerchant(first.url)
    await first.stop()
    rmSync(join(dataDir, 'log'), { recursive: true })
    const { code, output } = await runToEnd({ dataDir })
    expect(code).toBe(1)
    expect(output).toContain('it is another log, or has lost records; restore the one that was read, or remove the read models')
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
