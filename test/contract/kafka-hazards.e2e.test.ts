import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import type { LogRecord } from '@switchyard/kernel'
import { openKafkaLog } from '@switchyard/log-kafka'
import { eventually } from '../support/client.ts'
import { type KafkaLogUnderTest, openKafkaLogUnderTest } from '../support/kafka-log.ts'
import { describeWithServers } from '../support/real-servers.ts'
import { createGate, idsOf, positionsAfter, readAll, recordOf, recordsOf, tailOf } from './event-log/adapter.ts'

/** As long as a broker takes to be replaced. */
const OUTAGE_MS = 60_000
const FIRE_MS = 250

let kafka: KafkaLogUnderTest | undefined

const opened = async (...args: [limits?: Parameters<typeof openKafkaLogUnderTest>[0]]): Promise<KafkaLogUnderTest> => {
  kafka = await openKafkaLogUnderTest(...args)
  return kafka
}

describeWithServers('kafka', () => {
  afterEach(async () => await kafka?.dispose())

  describe('topics', () => {
    test('are created with the partitions, copies and retention that are asked for', async () => {
      const { administer, nameOf } = await opened()
      const { topics } = await administer(
        async (admin) => await admin.fetchTopicMetadata({ topics: [nameOf('config'), nameOf('payments')] }),
      )
      expect(topics.map(({ partitions }) => partitions.map(({ replicas }) => replicas.length))).toEqual([
        [1, 1, 1],
        [1, 1, 1],
      ])
      const retention = async (name: string): Promise<string | undefined> =>
        await administer(async (admin) => {
          const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [{ type: 2, name }] })
          return resources[0]?.configEntries.find(({ configName }) => configName === 'retention.ms')?.configValue
        })
      expect([await retention(nameOf('config')), await retention(nameOf('payments'))]).toEqual(['-1', String(30 * 86_400_000)])
    })

    test('with another number of partitions are refused, because keys would move', async () => {
      const { options } = await opened()
      await expect(openKafkaLog({ ...options, partitionCount: 4 })).rejects.toMatchObject({
        code: 'SETTING_INVALID',
        message: expect.stringContaining('has 3 partitions, the settings say 4'),
      })
    })

    test('in more copies than there are brokers are told as that', async () => {
      const { options } = await opened()
      await expect(openKafkaLog({ ...options, topicPrefix: `${options.topicPrefix}-copies`, replicationFactor: 9 })).rejects.toMatchObject({
        code: 'LOG_UNAVAILABLE',
        retryable: true,
        message: expect.stringContaining('fewer brokers than SWITCHYARD_KAFKA_REPLICATION'),
      })
    })

    test('take the records of a process whose clock is hours ahead', async () => {
      const { log } = await opened({ deliveryMaxMs: 5_000 })
      const { now } = Date
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 2 * 3_600_000)
      try {
        expect(await log.append('payments', [recordOf('m_1')])).toHaveLength(1)
      } finally {
        clock.mockRestore()
      }
    })

    test('that get more partitions later leave every key where it is', async () => {
      const { log, administer, nameOf } = await opened()
      const keys = Array.from({ length: 20 }, (_, number) => `m_${number}`)
      const before = await log.append('payments', keys.map(recordOf))
      await administer(
        async (admin) => await admin.createPartitions({ validateOnly: false, topicPartitions: [{ topic: nameOf('payments'), count: 6 }] }),
      )
      const after = await log.append('payments', keys.map(recordOf))
      expect(after.map(({ partition }) => partition)).toEqual(before.map(({ partition }) => partition))
    })
  })

  describe('a topic that is gone', () => {
    test('ends a tail with LOG_LOST, by its name', async () => {
      const { log, administer, nameOf } = await opened({ topicMissingMaxMs: 500 })
      const failed = createGate<unknown>()
      const seen = createGate()
      log.subscribe({ topic: 'payments', from: new Map(), handle: () => seen.open(), onFailure: failed.open })
      await log.append('payments', [recordOf('m_1')])
      await seen.opened
      await administer(async (admin) => await admin.deleteTopics({ topics: [nameOf('payments')] }))
      expect(await failed.opened).toMatchObject({
        code: 'LOG_LOST',
        retryable: false,
        message: expect.stringContaining(nameOf('payments')),
      })
      await expect(log.endPositions('payments')).rejects.toMatchObject({ code: 'LOG_LOST' })
    })

    test('and is there again, empty, ends a tail with LOG_TRUNCATED', async () => {
      const { log, options, administer, nameOf } = await opened()
      const from = positionsAfter(await log.append('payments', recordsOf('m_1', 5)))
      await log.close()
      await administer(async (admin) => {
        await admin.deleteTopics({ topics: [nameOf('payments')] })
        // Brokers hear of a deletion a moment after it is answered; a log that is opened before finds the topic that is to go.
        await eventually(
          'the end of the topic',
          () => admin.listTopics(),
          (topics) => !topics.includes(nameOf('payments')),
        )
      })
      const again = await openKafkaLog(options)
      await expect(tailOf(again, { topic: 'payments', from }).hasSeen(1)).rejects.toMatchObject({ code: 'LOG_TRUNCATED' })
      await again.close()
    })
  })

  test('an append to a topic that is gone is told as LOG_LOST', async () => {
    const { log, administer, nameOf } = await opened({ topicMissingMaxMs: 500, deliveryMaxMs: 3_000 })
    await log.append('payments', [recordOf('m_1')])
    await administer(async (admin) => await admin.deleteTopics({ topics: [nameOf('payments')] }))
    // The broker that holds the topic hears of its end a moment after the deletion is answered, and takes records till then.
    const refused = await eventually(
      'the end of the topic',
      () =>
        log.append('payments', [recordOf('m_1')]).then(
          () => undefined,
          (error: unknown) => error,
        ),
      (error) => error !== undefined,
    )
    expect(refused).toMatchObject({ code: 'LOG_LOST', retryable: false })
  })

  test('records that nobody can read come through as they are, and stop nothing', async () => {
    const { log, administer, nameOf, options } = await opened()
    await administer(async () => {
      const { Kafka, Partitioners, logLevel } = await import('kafkajs')
      const producer = new Kafka({ brokers: [...options.brokers], logLevel: logLevel.NOTHING }).producer({
        createPartitioner: Partitioners.DefaultPartitioner,
        idempotent: true,
      })
      await producer.connect()
      const headers = { 'expected-version': 'soon', id: ['first', 'last'] }
      await producer.send({
        topic: nameOf('payments'),
        messages: [
          { key: 'm_1', value: null },
          { value: 'text', partition: 0 },
          { key: 'm_1', value: 'x', headers },
        ],
      })
      await producer.disconnect()
    })
    const own = recordOf('m_1')
    await log.append('payments', [own])
    const found = await readAll(log, 'payments')
    expect(found.map(({ value }) => Buffer.from(value).toString()).sort()).toEqual(['', 'body of ' + own.headers.id, 'text', 'x'].sort())
    expect(found.find(({ value }) => value.length === 1)?.headers).toEqual({ id: 'last', type: '', expectedVersion: 0xffff_fffe })
  })

  test('a batch that was given up never comes behind a later one', async () => {
    const { log, faultNextAppend } = await opened({ deliveryMaxMs: 1_000 })
    const lost = recordOf('m_1')
    const kept = recordsOf('m_1', 100)
    faultNextAppend('refuse')
    await expect(log.append('payments', [lost])).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: true })
    // The driver goes on trying for a while; the way is free again.
    for (const record of kept) await log.append('payments', [record])
    expect(idsOf(await readAll(log, 'payments'))).toEqual(idsOf(kept))
  })

  test('a batch after a lost answer is written, although its sequence numbers were used before', async () => {
    const { log, faultNextAppend } = await opened({ deliveryMaxMs: 1_000 })
    const [first, lost, second] = [recordOf('m_1'), recordOf('m_1'), recordOf('m_1')]
    await log.append('payments', [first])
    faultNextAppend('swallow')
    await expect(log.append('payments', [lost])).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE' })
    await log.append('payments', [second])
    expect(idsOf(await readAll(log, 'payments'))).toEqual([first, lost, second].map(({ headers }) => headers.id))
  })

  test('appends beyond the bound are refused while the broker is away, and the others arrive', async () => {
    const { log, proxy } = await opened({ pendingBytesMax: 20_000 })
    proxy.set('refuse')
    const waiting = log.append('payments', recordsOf('m_1', 100))
    await expect(log.append('payments', recordsOf('m_1', 200))).rejects.toMatchObject({ code: 'APPEND_BUFFER_FULL', retryable: true })
    proxy.set('pass')
    expect(await waiting).toHaveLength(100)
  })

  test('connections that fall silent are given up: tail and appends go on over others, nothing is doubled', async () => {
    const { log, proxy, options } = await opened()
    const throughProxy = await openKafkaLog({ ...options, reach: () => ({ host: '127.0.0.1', port: proxy.port }) })
    const tail = tailOf(throughProxy, { topic: 'payments' })
    const records = [recordOf('m_1'), recordOf('m_1')]
    await log.append('payments', records.slice(0, 1))
    await tail.hasSeen(1)
    proxy.set('freeze')
    await log.append('payments', records.slice(1))
    await tail.hasSeen(2)
    await tail.stop()
    await throughProxy.close()
    expect(idsOf(tail.records)).toEqual(idsOf(records))
  }, 60_000)

  test(
    'an outage of 60 s loses nothing, doubles nothing, keeps the order, and needs nobody',
    async () => {
      const { log, proxy, options } = await opened()
      const throughProxy = await openKafkaLog({ ...options, reach: (_broker) => ({ host: '127.0.0.1', port: proxy.port }) })
      const tail = tailOf(throughProxy, { topic: 'payments' })
      const records = [recordOf('m_1')]
      const appends = records.map(async (record) => await log.append('payments', [record]))
      await tail.hasSeen(1)
      proxy.set('refuse')
      const endMs = performance.now() + OUTAGE_MS
      while (performance.now() < endMs) {
        const record = recordOf(`m_${records.length % 7}`)
        records.push(record)
        appends.push(log.append('payments', [record]))
        await sleep(FIRE_MS)
      }
      proxy.set('pass')
      await Promise.all(appends)
      await tail.hasSeen(records.length)
      await tail.stop()
      await throughProxy.close()
      const byKey = (found: readonly Pick<LogRecord, 'key' | 'headers'>[], key: string): readonly string[] =>
        found.filter((record) => record.key === key).map(({ headers }) => headers.id)
      for (const key of new Set(records.map((record) => record.key))) expect(byKey(tail.records, key)).toEqual(byKey(records, key))
      expect(tail.records).toHaveLength(records.length)
    },
    OUTAGE_MS * 2,
  )
})
