// The driver by itself, in a process of its own. Driven by messages from kafka-driver.mjs.
import { randomUUID } from 'node:crypto'
import { CompressionTypes, Kafka, logLevel, Partitioners } from 'kafkajs'
import { takeOrders } from './helper-process.mjs'
import { BATCH_RECORD_COUNT, counter, PARTITION_COUNT, perSecond, recordsFrom } from './kafka-records.mjs'

const ACKS_OF_ALL_IN_SYNC = -1
const LEADERS_MAX_MS = 30_000

/** The driver's own waiting for leaders fails on brokers without ZooKeeper. */
const createTopic = async (kafka, topic) => {
  const admin = kafka.admin()
  await admin.connect()
  try {
    await admin.createTopics({ topics: [{ topic, numPartitions: PARTITION_COUNT, replicationFactor: 1 }], waitForLeaders: false })
    const deadline = performance.now() + LEADERS_MAX_MS
    while (performance.now() < deadline) {
      const { topics } = await admin.fetchTopicMetadata({ topics: [topic] }).catch(() => ({ topics: [] }))
      const leaders = topics.flatMap(({ partitions }) => partitions.map(({ leader }) => leader))
      if (leaders.length === PARTITION_COUNT && leaders.every((leader) => leader >= 0)) return
    }
    throw new Error(`${topic} has no leaders`)
  } finally {
    await admin.disconnect()
  }
}

const throughDriver = async ({ broker, recordCount }) => {
  const topic = `bench-${randomUUID()}`
  const kafka = new Kafka({ brokers: [broker], clientId: 'switchyard-bench-bare', logLevel: logLevel.NOTHING })
  await createTopic(kafka, topic)
  const producer = kafka.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner, maxInFlightRequests: 1 })
  const consumer = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 100, heartbeatInterval: 300 })
  const { add, all } = counter(recordCount + 1)
  const started = counter(1)
  const send = async (messages) =>
    await producer.sendBatch({
      acks: ACKS_OF_ALL_IN_SYNC,
      compression: CompressionTypes.None,
      topicMessages: [{ topic, messages }],
    })
  try {
    await producer.connect()
    await consumer.connect()
    await consumer.subscribe({ topics: [topic], fromBeginning: true })
    await send(recordsFrom(0, 1))
    const eachBatch = async ({ batch }) => {
      started.add(1)
      add(batch.messages.length)
    }
    await consumer.run({ autoCommit: false, eachBatch })
    await started.all
    const startMs = performance.now()
    for (let sent = 0; sent < recordCount; sent += BATCH_RECORD_COUNT) await send(recordsFrom(sent, BATCH_RECORD_COUNT))
    await all
    return perSecond(recordCount, startMs)
  } finally {
    await consumer.disconnect()
    await producer.disconnect()
  }
}

takeOrders(throughDriver)
