import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventLog, Positions, Topic } from '@switchyard/kernel'
import { type KafkaLog, type KafkaLogLimits, type KafkaLogOptions, openKafkaLog } from '@switchyard/log-kafka'
import type { Admin } from 'kafkajs'
import { type FaultProxy, openFaultProxy, type ProxyMode } from './fault-proxy.ts'
import { administer, deleteTopics, topicNameOf } from './kafka-topics.ts'
import { serverAddresses } from './server-addresses.ts'

/** A log of its own on a real broker: its appends go through a proxy that has faults on demand. */
export interface KafkaLogUnderTest {
  readonly log: KafkaLog
  readonly options: KafkaLogOptions
  readonly administer: <Result>(task: (admin: Admin) => Promise<Result>) => Promise<Result>
  readonly proxy: FaultProxy
  /** The proxy is in this mode during the next append. */
  readonly faultNextAppend: (mode: ProxyMode) => void
  /** One more handle, closed with the others. */
  readonly open: () => Promise<KafkaLog>
  readonly truncate: (topic: Topic, upTo: Positions) => Promise<void>
  readonly nameOf: (topic: Topic) => string
  /** Closes all handles. */
  readonly close: () => Promise<void>
  /** And removes the topics. */
  readonly dispose: () => Promise<void>
}

const PRODUCE = 0

/** Whether a request, with its length before it, writes records. */
const isProduce = (request: Buffer): boolean => request.length > 6 && request.readInt16BE(4) === PRODUCE

const targetOf = (broker: string): { host: string; port: number } => {
  const [host = '', port = ''] = broker.split(':')
  return { host, port: Number(port) }
}

const LEADER_ATTEMPTS_MAX = 50
const LEADER_WAIT_MS = 100

/** A broker that has just made a topic may say for a moment that its partitions have no leader. */
const whenLed = async (task: () => Promise<void>): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await task()
    } catch (error) {
      if (attempt === LEADER_ATTEMPTS_MAX) throw error
      await delay(LEADER_WAIT_MS)
    }
  }
}

/** {@link KafkaLogUnderTest} on a broker of the test run, with new topics or those of `prefix`. */
export const openKafkaLogUnderTest = async (
  limits: Partial<KafkaLogLimits> = {},
  prefix = `test-${randomUUID()}`,
): Promise<KafkaLogUnderTest> => {
  const [broker = ''] = serverAddresses().kafkaBrokers.split(',')
  const proxy = await openFaultProxy(targetOf(broker), isProduce)
  const options: KafkaLogOptions = {
    brokers: [broker],
    clientId: 'switchyard-test',
    topicPrefix: prefix,
    partitionCount: 3,
    replicationFactor: 1,
    reach: (address, use) => (use === 'append' ? { host: '127.0.0.1', port: proxy.port } : address),
    limits,
  }
  const administerBroker = <Result>(task: (admin: Admin) => Promise<Result>): Promise<Result> => administer(broker, task)
  const kafkaLog = await openKafkaLog(options)
  const handles = [kafkaLog]
  let fault: ProxyMode | undefined
  let closed: Promise<void> | undefined

  const append: EventLog['append'] = async (topic, records) => {
    const mode = fault
    fault = undefined
    if (mode === undefined) return await kafkaLog.append(topic, records)
    proxy.set(mode)
    try {
      return await kafkaLog.append(topic, records)
    } finally {
      proxy.set('pass')
    }
  }
  const nameOf = (topic: Topic): string => topicNameOf(prefix, topic)
  const close = async (): Promise<void> => {
    for (const handle of handles) await handle.close()
    closed ??= proxy.close()
    await closed
  }

  return {
    log: { ...kafkaLog, append },
    options,
    administer: administerBroker,
    proxy,
    faultNextAppend: (mode) => {
      fault = mode
    },
    open: async () => {
      const handle = await openKafkaLog(options)
      handles.push(handle)
      return handle
    },
    truncate: async (topic, upTo) => {
      const partitions = Array.from(upTo, ([partition, offset]) => ({ partition, offset: String(offset + 1) }))
      await administerBroker(async (admin) => {
        // The driver deletes only from topics whose offsets it has been asked for.
        await whenLed(async () => void (await admin.fetchTopicOffsets(nameOf(topic))))
        await whenLed(() => admin.deleteTopicRecords({ topic: nameOf(topic), partitions }))
      })
    },
    nameOf,
    close,
    dispose: async () => {
      await close()
      await administerBroker((admin) => deleteTopics(admin, prefix))
    },
  }
}
