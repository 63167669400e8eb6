import { randomUUID } from 'node:crypto'
import { openKafkaLog } from '@switchyard/log-kafka'
import { startDriver } from './kafka-driver.mjs'
import { BATCH_RECORD_COUNT, counter, PARTITION_COUNT, perSecond, recordsFrom } from './kafka-records.mjs'
import { summaryOf } from './statistics.mjs'

/** Appends of one record that wait for their answer at a time, as outcomes do under load. */
const SINGLES_IN_FLIGHT = 1_000

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

/**
 * Records a second from an append to a tail of all partitions, through the log and through the driver by itself, in turns.
 *
 * @param {{ readonly broker: string, readonly recordCount: number, readonly repeatCount: number }} options
 */
export const measureKafkaLog = async ({ broker, recordCount, repeatCount }) => {
  const turns = []
  const driver = startDriver()
  try {
    for (let turn = 0; turn <= repeatCount; turn += 1) {
      const bare = await driver.measure({ broker, recordCount })
      const batches = await throughLog(broker, recordCount, appendBatches)
      const singles = await throughLog(broker, recordCount, appendSingles)
      // The first turn warms up.
      if (turn > 0) turns.push({ bare, batches, singles })
    }
  } finally {
    driver.stop()
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
