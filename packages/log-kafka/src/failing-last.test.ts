import { expect, test } from '@jest/globals'
import Broker from 'kafkajs/src/broker/index.js'
import createSendMessages from 'kafkajs/src/producer/sendMessages.js'
import type { ProduceOptions } from 'kafkajs/src/protocol/requests/index.js'
import createRetry from 'kafkajs/src/retry/index.js'
import { failingLast } from './failing-last.ts'

const RETRY = { retries: 5, initialRetryTime: 1 }

/** What was sent of a partition: from which sequence number on, and how many messages. */
interface Sent {
  readonly partition: number
  readonly firstSequence: number
  readonly count: number
}

const sentOf = ({ topicData }: ProduceOptions): readonly Sent[] =>
  topicData.flatMap(({ partitions }) =>
    partitions.map(({ partition, firstSequence, messages }) => ({ partition, firstSequence, count: messages.length })),
  )

const answerTo = ({ topicData }: ProduceOptions): object => ({
  topics: topicData.map(({ topic, partitions }) => ({
    topicName: topic,
    partitions: partitions.map(({ partition }) => ({ partition, errorCode: 0, baseOffset: '7' })),
  })),
})

/** The driver over brokers of which each leads the partition of its number. */
const driverOver = (brokers: readonly Broker[]) => {
  const sequences = new Map<number, number>()
  /** Those that wait for a broker; it is held while there is a list. */
  const waiting = new Map<object, (() => void)[]>()
  const cluster = {
    refreshMetadataIfNecessary: async () => {},
    refreshMetadata: async () => {},
    addMultipleTargetTopics: async () => {},
    isConnected: () => true,
    removeBroker: () => {},
    targetTopics: new Set<string>(),
    findTopicPartitionMetadata: () => brokers.map((_, number) => ({ partitionId: number, leader: number })),
    findLeaderForPartitions: (_topic: string, partitions: readonly string[]) =>
      Object.fromEntries(partitions.map((partition) => [partition, [Number(partition)]])),
    findBroker: async ({ nodeId }: { readonly nodeId: string }) => brokers[Number(nodeId)],
  }
  const eosManager = {
    isTransactional: () => false,
    getProducerId: () => 1,
    getProducerEpoch: () => 0,
    getSequence: (_topic: string, partition: number) => sequences.get(partition) ?? 0,
    updateSequence: (_topic: string, partition: number, by: number) => sequences.set(partition, (sequences.get(partition) ?? 0) + by),
    acquireBrokerLock: async (broker: object) => {
      const line = waiting.get(broker)
      if (line === undefined) waiting.set(broker, [])
      else await new Promise<void>((resolve) => void line.push(resolve))
    },
    releaseBrokerLock: (broker: object) => {
      const next = waiting.get(broker)?.shift()
      if (next === undefined) waiting.delete(broker)
      else next()
    },
  }
  const logger = { debug: () => {}, error: () => {} }
  const partitioner = ({ message }: { readonly message: { readonly partition: number } }): number => message.partition
  return createSendMessages({ logger, cluster, partitioner, eosManager, retrier: createRetry(RETRY) })
}

test('a broker that fails while another one is about to answer does not have the part of that one written twice', async () => {
  const sent: Sent[] = []
  let isAway = true
  let tellFailed = (): void => {}
  const failed = new Promise<void>((resolve) => {
    tellFailed = resolve
  })
  const writers = new Map<Broker, (options: ProduceOptions) => Promise<unknown>>()
  const produce = failingLast(async function write(this: Broker, options: ProduceOptions) {
    sent.push(...sentOf(options))
    return await writers.get(this)?.(options)
  })
  const brokers = [0, 1].map((number): Broker => Object.assign(Object.create(Broker.prototype), { nodeId: String(number), produce }))
  const [slow, broken] = brokers
  if (slow === undefined || broken === undefined) throw new Error('there are two')
  writers.set(slow, async (options) => {
    await failed
    await new Promise((resolve) => setTimeout(resolve, 20))
    return answerTo(options)
  })
  writers.set(broken, async (options) => {
    if (!isAway) return answerTo(options)
    isAway = false
    tellFailed()
    throw Object.assign(new Error('closed'), { name: 'KafkaJSConnectionClosedError', retriable: true })
  })
  const send = driverOver(brokers)
  const messages = [0, 1, 1].map((partition) => ({ partition, value: 'v' }))
  const answers = await send({ acks: -1, timeout: 1, compression: 0, topicMessages: [{ topic: 't', messages }] })
  expect(answers.map(({ partition }) => partition)).toEqual([0, 1])
  expect(sent).toEqual([
    { partition: 0, firstSequence: 0, count: 1 },
    { partition: 1, firstSequence: 0, count: 2 },
    { partition: 1, firstSequence: 0, count: 2 },
  ])
})
