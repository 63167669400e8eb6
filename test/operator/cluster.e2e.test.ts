import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { domainCollections } from '@switchyard/composition'
import { createEventCodec } from '@switchyard/events'
import type { ReadStore } from '@switchyard/kernel'
import { openRegistrySchemaIds, type RegistrySchemaIds } from '@switchyard/schema-ids-registry'
import { createMongoStore } from '@switchyard/store-mongo'
import { approvalRates, fromFile, fromKafka } from '../../docs/examples/approval-rates.ts'
import { decidedEvent, outcomeEvent } from '../faults/payment-events.ts'
import { type KafkaLogUnderTest, openKafkaLogUnderTest } from '../support/kafka-log.ts'
import { dropMongoDatabase, newMongoDatabase } from '../support/mongo-database.ts'
import { startSwitchyard } from '../support/operator.ts'
import { PYTHON, testWithPython } from '../support/python.ts'
import { describeWithServers } from '../support/real-servers.ts'
import { temporaryFolder } from '../support/server.ts'
import { serverAddresses } from '../support/server-addresses.ts'
import { projectorOver } from './stored-payments.ts'

const PAYMENTS = 1_000

describeWithServers('on Kafka, a registry and MongoDB', () => {
  const folder = temporaryFolder()
  const prefix = `test-${randomUUID()}`
  let kafka: KafkaLogUnderTest
  let uri: string
  let store: ReadStore
  let projector: ReturnType<typeof projectorOver>
  let ids: RegistrySchemaIds

  const switchyardWith = async (more: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    await startSwitchyard(args, {
      SWITCHYARD_KAFKA_BROKERS: serverAddresses().kafkaBrokers,
      SWITCHYARD_KAFKA_TOPIC_PREFIX: prefix,
      SWITCHYARD_KAFKA_PARTITIONS: '3',
      SWITCHYARD_KAFKA_REPLICATION: '1',
      SWITCHYARD_SCHEMA_REGISTRY_URL: serverAddresses().schemaRegistryUrl,
      SWITCHYARD_MONGODB_URI: uri,
      ...more,
    }).ended
  const switchyard = async (...args: readonly string[]) => await switchyardWith({}, ...args)

  beforeAll(async () => {
    kafka = await openKafkaLogUnderTest({}, prefix)
    uri = newMongoDatabase()
    ids = await openRegistrySchemaIds({ url: serverAddresses().schemaRegistryUrl })
    const codec = createEventCodec(ids, { strict: true })
    const events = Array.from({ length: PAYMENTS * 2 }, (_, i) => {
      const fact = { merchantId: `m_${(i >> 1) % 4}`, paymentId: `p_${i >> 1}`, at: Date.now() - 1_000_000 + i * 100 }
      return i % 2 === 0 ? decidedEvent(fact) : outcomeEvent(fact)
    })
    await kafka.log.append(
      'payments',
      events.map((event, i) => ({
        key: event.data.merchantId,
        value: codec.encode(event),
        headers: { id: `e_${i}`, type: `switchyard.payments.${event.type}` },
      })),
    )
    store = createMongoStore({ uri, collections: domainCollections, role: 'writer' })
    projector = projectorOver(kafka.log, store, ids)
    await projector.start()
    await projector.caughtUp()
  }, 120_000)

  afterAll(async () => {
    await projector.stop()
    await store.close()
    await kafka.dispose()
    await dropMongoDatabase(uri)
    await folder.remove()
  })

  test('verify, rebuild, lag and verify again, with the projector running', async () => {
    expect(await switchyard('verify', 'payments')).toMatchObject({ code: 0, lines: [expect.stringMatching(/, 0 differ$/)] })
    const rebuilt = await switchyard('rebuild', 'payments')
    expect(rebuilt).toMatchObject({ code: 0, lines: ['payments: generation 2 is read from now on'] })
    const lag = (await switchyard('lag', '--format', 'json')).lines.map((line) => JSON.parse(line))
    expect(lag.filter(({ topic }) => topic === 'payments')).toEqual(Array(3).fill(expect.objectContaining({ generation: 2, lag: 0 })))
    expect(await switchyard('verify', 'payments')).toMatchObject({ code: 0 })
  }, 120_000)

  test('under a prefix that was misspelt neither a command nor the example makes topics, or finds that nothing is there', async () => {
    const misspelt = `${prefix}-misspelt`
    const { code, lines, errors } = await switchyardWith({ SWITCHYARD_KAFKA_TOPIC_PREFIX: misspelt }, 'lag')
    expect({ code, lines, errors }).toEqual({ code: 2, lines: [], errors: expect.stringContaining(`no topic ${misspelt}.config.v1`) })
    await expect(fromKafka([serverAddresses().kafkaBrokers], misspelt, 3)).rejects.toThrow(`no topic ${misspelt}.config.v1`)
    const topics = await kafka.administer((admin) => admin.listTopics())
    expect(topics.filter((name) => name.startsWith(misspelt))).toEqual([])
  })

  test('a file of certificates that is not there is told as a setting', async () => {
    const missing = { SWITCHYARD_KAFKA_TLS: 'on', SWITCHYARD_KAFKA_TLS_CA_FILE: join(folder.path, 'missing.pem') }
    const { code, errors } = await switchyardWith(missing, 'lag')
    expect({ code, errors }).toEqual({ code: 2, errors: expect.stringMatching(/^switchyard: SWITCHYARD_KAFKA_TLS_CA_FILE: [^\n]*\n$/) })
  })

  test('replay and the examples give the same from the topic and from an export', async () => {
    const { code, lines } = await switchyard('replay', '--topic', 'payments', '--merchant', 'm_1', '--since', '2h', '--format', 'records')
    expect({ code, count: lines.length }).toEqual({ code: 0, count: PAYMENTS / 2 })
    const exported = join(folder.path, 'm_1.ndjson')
    writeFileSync(exported, `${lines.join('\n')}\n`)
    const log = await fromKafka([serverAddresses().kafkaBrokers], prefix, 3)
    const rates = await approvalRates(log, { merchantId: 'm_1', schemaIds: ids })
    await log.close()
    expect(rates).toEqual([
      { gateway: 'adyen', approved: expect.any(Number), declined: expect.any(Number), pending: 0, rate: expect.any(Number) },
    ])
    expect(await approvalRates(fromFile(exported), { merchantId: 'm_1', schemaIds: ids })).toEqual(rates)
  }, 60_000)

  testWithPython("and in Python, with the registry's schemas", async () => {
    const { lines } = await switchyard('replay', '--topic', 'payments', '--format', 'records')
    const exported = join(folder.path, 'all.ndjson')
    writeFileSync(exported, `${lines.join('\n')}\n`)
    const example = fileURLToPath(new URL('../../docs/examples/approval_rates.py', import.meta.url))
    const { stdout, stderr } = spawnSync(PYTHON, [example, exported, 'm_2', serverAddresses().schemaRegistryUrl], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(await approvalRates(fromFile(exported), { merchantId: 'm_2', schemaIds: ids }))
  })
})
