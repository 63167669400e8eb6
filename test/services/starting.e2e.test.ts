import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { createMerchantCipher, createStoreKeyVault, MERCHANT_KEYS_COLLECTION } from '@switchyard/runtime'
import { createMongoStore } from '@switchyard/store-mongo'
import { newSurroundings, runServiceToEnd, SERVICES, type Surroundings, startService } from '../support/cluster.ts'
import { describeWithServers } from '../support/real-servers.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const lines = (output: string): readonly string[] => output.split('\n').filter((line) => line !== '')

describeWithServers('a service', () => {
  let surroundings: Surroundings
  beforeEach(() => {
    surroundings = newSurroundings()
  })
  afterEach(async () => await surroundings.remove())

  test.each(SERVICES)('%s: ready, diagnosed, and stopped gracefully', async (name) => {
    const service = await startService(name, surroundings).ready()
    const read = async (path: string): Promise<unknown> => {
      const response = await fetch(service.url + path, { headers: { 'x-tenant-id': 'public' } })
      return JSON.parse(await response.text())
    }
    expect(await read('/health')).toEqual({ message: 'Health is good' })
    expect(await read('/health/ready')).toEqual({ message: 'Up' })
    expect(await read('/health/diagnostics')).toEqual({
      key_custodian_locked: false,
      database: { database_connection: 'Working', database_read: 'Working', database_write: 'Working', database_delete: 'Working' },
    })
    expect(await service.end('SIGTERM')).toBe(0)
  })

  test.each(SERVICES)('%s: a setting that is unknown or missing is told in one line, exit code 1', async (name) => {
    for (const [variable, value] of [
      ['SWITCHYARD_COLOUR', 'red'],
      ['SWITCHYARD_KAFKA_BROKERS', ''],
      ['SWITCHYARD_SCHEMA_REGISTRY_URL', ''],
      ['SWITCHYARD_MONGODB_URI', ''],
      ['SWITCHYARD_DATA_DIR', './data'],
    ] as const) {
      const { code, output } = await runServiceToEnd(name, { env: { ...surroundings.env, [variable]: value } })
      expect([variable, code, lines(output).length]).toEqual([variable, 1, 1])
      expect(output).toContain(variable)
    }
  })

  test('that is given another secret for the keys of merchants started, and failed at each of them', async () => {
    const store = createMongoStore({ uri: surroundings.mongodbUri, collections: [MERCHANT_KEYS_COLLECTION], role: 'writer' })
    const secrets = ['the secret that wrapped the keys of merchants'] as const
    await createMerchantCipher({ vault: createStoreKeyVault(store), secrets, lifeOf: () => 1 }).seal('m_1', Buffer.from('text'))
    await store.close()
    for (const name of ['command-api', 'webhook-dispatcher', 'cost-ingestion'] as const) {
      const { code, output } = await runServiceToEnd(name, surroundings)
      expect([name, code, lines(output).length]).toEqual([name, 1, 1])
      expect(output).toMatch(/^SWITCHYARD_DATA_KEY_SECRET: .* in the collection merchant-keys/)
    }
  }, 60_000)

  test('that is started while the read store is away waits for it, says so, and can be stopped', async () => {
    const { hostname, port } = new URL(surroundings.mongodbUri)
    const proxy = await startTcpProxy(hostname, Number(port))
    const uri = surroundings.mongodbUri.replace(`${hostname}:${port}`, `127.0.0.1:${proxy.port}`)
    const env = { ...surroundings.env, SWITCHYARD_MONGODB_URI: uri }
    proxy.takeAway()
    const stopped = startService('command-api', { env })
    const starting = startService('decide', { env })
    await starting.printed('the read store does not answer')
    await stopped.printed('the read store does not answer')
    expect(await stopped.end('SIGTERM')).toBe(0)
    expect(starting.output()).not.toContain('listens on')
    proxy.bringBack()
    const service = await starting.ready()
    expect(service.output()).not.toContain(uri)
    // It decides from memory: a store that goes away later changes nothing about its being ready.
    proxy.takeAway()
    const ready = await fetch(`${service.url}/health/ready`)
    expect(ready.status).toBe(200)
    const diagnosed = await fetch(`${service.url}/health/diagnostics`, { headers: { 'x-tenant-id': 'public' } })
    expect(JSON.parse(await diagnosed.text())).toMatchObject({ database: { database_connection: 'Failing' } })
    expect(await service.end('SIGTERM')).toBe(0)
    await proxy.close()
  }, 60_000)
})
