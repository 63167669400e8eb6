import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import type { DeadRecord, Inbox, LogRecord, MissedRecords, Subscription } from '@switchyard/kernel'
import { type KafkaInboxOptions, openKafkaInbox } from '@switchyard/log-kafka'
import { eventually } from '../support/client.ts'
import { produce, produceInTransaction, readMessages } from '../support/kafka-messages.ts'
import { administer, deleteTopics, topicNameOf } from '../support/kafka-topics.ts'
import { describeWithServers } from '../support/real-servers.ts'
import { serverAddresses } from '../support/server-addresses.ts'

const KEYS = Array.from({ length: 12 }, (_, number) => `m_${number}`)

let options: KafkaInboxOptions
let brokers: string
let inboxes: Inbox[]
let subscriptions: Subscription[]

/** Records that were received, and a wait for them. */
const createReceived = () => {
  const records: LogRecord[] = []
  const missed: MissedRecords[] = []
  const waiting: (() => void)[] = []
  return {
    records,
    missed,
    texts: () => records.map(({ value }) => String(Buffer.from(value))).toSorted(),
    add: (more: readonly LogRecord[]): void => {
      records.push(...more)
      for (const resume of waiting.splice(0)) resume()
    },
    until: async (count: number): Promise<void> => {
      while (records.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}

type Received = ReturnType<typeof createReceived>
type Handle = (records: readonly LogRecord[]) => Promise<readonly DeadRecord[]>

const receive = async (
  received: Received,
  handle: Handle = async () => [],
  onFailure?: (error: unknown) => void,
): Promise<Subscription> => {
  const inbox = await openKafkaInbox(options)
  inboxes.push(inbox)
  const subscription = inbox.receive({
    handle: async (records) => {
      const dead = await handle(records)
      received.add(records)
      return dead
    },
    onMissed: (missed) => received.missed.push(missed),
    onFailure: (error) => {
      if (onFailure === undefined) throw error
      onFailure(error)
    },
  })
  subscriptions.push(subscription)
  return subscription
}

const send = (texts: readonly string[]): Promise<void> =>
  produce(
    brokers,
    topicNameOf(options.topicPrefix, 'in'),
    texts.map((value, index) => ({ key: KEYS[index % KEYS.length] ?? '', value })),
  )

/** Until the group has noted that it goes on with this offset. */
const untilNoted = async (partition: number, offset: string | undefined): Promise<void> => {
  const topic = topicNameOf(options.topicPrefix, 'in')
  const noted = async (): Promise<string | undefined> =>
    await administer(brokers, async (admin) => {
      const [group] = await admin.fetchOffsets({ groupId: options.group, topics: [topic] })
      return group?.partitions.find((each) => each.partition === partition)?.offset
    })
  await eventually(`offset ${offset} noted`, noted, (found) => found === offset)
}

describeWithServers('an inbox', () => {
  beforeEach(() => {
    brokers = serverAddresses().kafkaBrokers
    const topicPrefix = `test-${randomUUID()}`
    options = {
      brokers: brokers.split(','),
      clientId: 'switchyard-test',
      topicPrefix,
      partitionCount: 3,
      replicationFactor: 1,
      name: 'in',
      group: `${topicPrefix}.decide.in-v1`,
    }
    inboxes = []
    subscriptions = []
  })
  afterEach(async () => {
    for (const subscription of subscriptions) await subscription.stop()
    for (const inbox of inboxes) inbox.close()
    await administer(brokers, (admin) => deleteTopics(admin, options.topicPrefix))
  })

  test('goes on where its group was, and gives what is in it whoever compressed it', async () => {
    const first = createReceived()
    const subscription = await receive(first)
    await send(KEYS)
    await first.until(KEYS.length)
    expect(first.texts()).toEqual(KEYS.toSorted())
    await subscription.stop()

    const second = createReceived()
    await send(['more'])
    await receive(second)
    await second.until(1)
    expect(second.texts()).toEqual(['more'])
    expect(second.missed).toEqual([])
  }, 60_000)

  test('tells how many records are still to be taken, of all partitions, whoever reads them', async () => {
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const received = createReceived()
    await receive(received, async () => {
      await held
      return []
    })
    const other = await openKafkaInbox(options)
    inboxes.push(other)
    expect(await other.lagCount()).toBe(0)
    await send(KEYS)
    expect(await other.lagCount()).toBe(KEYS.length)
    letGo()
    await received.until(KEYS.length)
    await eventually('everything noted', other.lagCount, (count) => count === 0)
  }, 60_000)

  test('gives nothing of a transaction that was given up, and has read all when it has read a transaction', async () => {
    const source = topicNameOf(options.topicPrefix, 'in')
    const received = createReceived()
    await receive(received)
    await produceInTransaction(brokers, source, [{ key: 'm_0', value: 'given up' }], 'abort')
    await produce(brokers, source, [{ key: 'm_0', value: 'plain' }])
    await produceInTransaction(brokers, source, [{ key: 'm_0', value: 'committed' }], 'commit')
    await received.until(2)
    expect(received.texts()).toEqual(['committed', 'plain'])
    const partition = received.records[0]?.position.partition ?? -1
    const ends = await administer(brokers, async (admin) => await admin.fetchTopicOffsets(source))
    await untilNoted(partition, ends.find((each) => each.partition === partition)?.high)
  }, 60_000)

  test('sets aside what can not be taken, with reason, origin, key and bytes, and goes on', async () => {
    const received = createReceived()
    await receive(received, async (records) =>
      records.filter(({ value }) => value.length === 0).map((record) => ({ record, reason: 'INVALID_INPUT', message: 'nothing' })),
    )
    await send(['good', '', 'good too'])
    await received.until(3)
    const [letter] = await readMessages(brokers, topicNameOf(options.topicPrefix, 'in-dead-letters'), 1)
    const record = received.records.find(({ value }) => value.length === 0)
    expect(letter).toEqual({
      key: KEYS[1],
      value: Buffer.alloc(0),
      headers: {
        reason: 'INVALID_INPUT',
        message: 'nothing',
        'source-topic': topicNameOf(options.topicPrefix, 'in'),
        'source-partition': String(record?.position.partition),
        'source-offset': String(record?.position.offset),
        'source-group': options.group,
      },
    })
  }, 60_000)

  test('gives again what had no effect: a handler that failed ends the receiving, and nothing of its batch is counted as done', async () => {
    const failure = new Error('the handler failed')
    const first = createReceived()
    const failed = await new Promise<unknown>((resolve) => {
      void receive(first, () => Promise.reject(failure), resolve).then(() => send(['again']))
    })
    expect(failed).toBe(failure)
    const second = createReceived()
    await receive(second)
    await second.until(1)
    expect(second.texts()).toEqual(['again'])
  }, 60_000)

  test('says once how many records were forgotten before they were read, however often it is started', async () => {
    const first = createReceived()
    const subscription = await receive(first)
    await send(['one'])
    await first.until(1)
    await subscription.stop()
    await send(['two'])
    await send(['three'])
    const topic = topicNameOf(options.topicPrefix, 'in')
    const partition = first.records[0]?.position.partition ?? -1
    const forgetUpTo = (offset: string): Promise<void> =>
      administer(brokers, async (admin) => {
        await admin.fetchTopicOffsets(topic)
        await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset }] })
      })
    await forgetUpTo('3')
    const second = createReceived()
    const restarted = await receive(second)
    // It is told before it is noted: who ends in between tells it again.
    await untilNoted(partition, '3')
    await restarted.stop()
    const third = createReceived()
    await receive(third)
    await send(['four'])
    await third.until(1)
    expect(third.texts()).toEqual(['four'])
    expect([...second.missed, ...third.missed]).toEqual([{ partition, count: 2 }])
  }, 60_000)

  test('is shared by its group', async () => {
    const [first, second] = [createReceived(), createReceived()]
    await receive(first)
    await receive(second)
    await send(KEYS)
    while (first.records.length + second.records.length < KEYS.length) {
      await Promise.race([first.until(first.records.length + 1), second.until(second.records.length + 1)])
    }
    expect(new Set([...first.texts(), ...second.texts()])).toEqual(new Set(KEYS))
  }, 60_000)
})
