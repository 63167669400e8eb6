import { randomUUID } from 'node:crypto'
import { openKafkaLog } from '@switchyard/log-kafka'
import { CompressionTypes, Kafka, logLevel, Partitioners } from 'kafkajs'
import { summaryOf } from './statistics.mjs'

const PARTITION_COUNT = 12
const BATCH_RECORD_COUNT = 1_000
/** Appends of one record that wait for their answer at a time, as outcomes do under load. */
const SINGLES_IN_FLIGHT = 1_000
const KEY_COUNT = 200
const BODY_BYTES = 150
const ACKS_OF_ALL_IN_SYNC = -1

const body = Buffer.alloc(BODY_BYTES, 7)
const recordsFrom = (first, count) =>
  Array.from({ length: count }, (_, index) => ({
    key: `m_${(first + index) % KEY_COUNT}`,
    value: body,
    headers: { id: `event-${first + index}`, type: 'switchyard.payments.OutcomeRecorded', correlation: `request-${first + index}` },
  }))

const perSecond = (count, startMs) => count / ((performance.now() - startMs) / 1000)

/** Resolves when `add` was called for this many records. */
const counter = (count) => {
  let seen = 0
  let done
  const all = new Promise((resolve) => {
    done = resolve
  })
  const add = (more) => {
    seen += more
    if (seen >= count) done()
  }
  return { add, all }
}

const openLog = async (broker, topicPrefix) =>
  await openKafkaLog({
    brokers: [broker],
    clientId: 'switchyard-bench',
    topicPrefix,
    partitionCount: PARTITION_COUNT,
    replicationFactor: 1,
  })

const appendBatches = async (log, recordCount) => {
  for (let sent = 0; sent < recordCount; sent += BATCH_RECORD_COUNT) await log.append('payments', recordsFrom(sent, BATCH_RECORD_COUNT))
}

const appendSingles = async (log, recordCount) => {
  let next = 0
  const send = async () => {
    while (next < recordCount) {
      const [record] = recordsFrom(next++, 1)
      await log.append('payments', [record])
    }
  }
  await Promise.all(Array.from({ length: SINGLES_IN_FLIGHT }, send))
}

/** Records a second, appended by `append` and seen by a tail. */
const throughLog = async (broker, recordCount, append) => {
  const log = await openLog(broker, `bench-${randomUUID()}`)
  try {
    const { add, all } = counter(recordCount + 1)
    const started = counter(1)
    const handle = (records) => {
      started.add(1)
      add(records.length)
    }
    const onFailure = (error) => {
      throw error
    }
    log.subscribe({ topic: 'payments', from: new Map(), handle, onFailure })
    await log.append('payments', recordsFrom(0, 1))
    await started.all
    const startMs = performance.now()
    await append(log, recordCount)
    await all
    return perSecond(recordCount, startMs)
  } finally {
    await log.close()
  }
}

/** Records a second through the driver by itself: idempotent batches one after the other, and a consumer of all partitions. */
export const throughDriver = async (broker, recordCount) => {
  const topicPrefix = `bench-${randomUUID()}`
  const log = await openLog(broker, topicPrefix)
  await log.close()
  const topic = `${topicPrefix}.payments.v1`
  const kafka = new Kafka({ brokers: [broker], clientId: 'switchyard-bench-bare', logLevel: logLevel.NOTHING })
  const producer = kafka.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner, maxInFlightRequests: 1 })
  const consumer = kafka.consumer({ groupId: topicPrefix, maxWaitTimeInMs: 100, heartbeatInterval: 300 })
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

/**
 * Records a second from an append to a tail of all partitions, through the log and through the driver by itself, in turns.
 *
 * @param {{ readonly broker: string, readonly recordCount: number, readonly repeatCount: number }} options
 */
export const measureKafkaLog = async ({ broker, recordCount, repeatCount }) => {
  const turns = []
  for (let turn = 0; turn <= repeatCount; turn += 1) {
    const bare = await throughDriver(broker, recordCount)
    const batches = await throughLog(broker, recordCount, appendBatches)
    const singles = await throughLog(broker, recordCount, appendSingles)
    // The first turn warms up.
    if (turn > 0) turns.push({ bare, batches, singles })
  }
  return {
    recordCount,
    referencePerSecond: summaryOf(turns.map(({ bare }) => bare)),
    batchesPerSecond: summaryOf(turns.map(({ batches }) => batches)),
    singlesPerSecond: summaryOf(turns.map(({ singles }) => singles)),
    batchesRatio: summaryOf(turns.map(({ bare, batches }) => batches / bare)),
    singlesRatio: summaryOf(turns.map(({ bare, singles }) => singles / bare)),
  }
}
