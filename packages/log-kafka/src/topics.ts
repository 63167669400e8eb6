import { OperatingError, TOPICS, type Topic } from '@switchyard/kernel'
import type { Admin, ITopicConfig } from 'kafkajs'
import { persist } from './attempts.ts'
import { createClient } from './client.ts'
import { failureOf } from './failures.ts'
import { CREATE_TOPICS_MAX_MS, RETRY_FIRST_MS, RETRY_MAX_MS, TOPIC_BATCH_BYTES_MAX } from './limits.ts'
import type { KafkaLogOptions } from './options.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const FOR_EVER_MS = -1

/** How long the records of a topic are kept (ARCHITECTURE.md, 2), milliseconds. */
const RETENTION_MS: Readonly<Record<Topic, number>> = {
  config: FOR_EVER_MS,
  payments: 30 * DAY_MS,
  webhooks: 90 * DAY_MS,
  costs: FOR_EVER_MS,
}

/** Name of a topic in the cluster; the number changes with an incompatible re-partition only. */
export const topicName = (prefix: string, topic: Topic): string => `${prefix}.${topic}.v1`

/** With three copies a write is acknowledged when two have it, so that one broker may be away. */
const minInsyncReplicas = (replicationFactor: number): number => (replicationFactor > 2 ? 2 : 1)

/** A topic that a process needs: its name in the cluster, and how long its records are kept, milliseconds. */
export interface NeededTopic {
  readonly name: string
  readonly retentionMs: number
  /** Largest batch of a partition. */
  readonly batchBytesMax: number
  /** How the broker stores batches: as they were sent, or uncompressed. */
  readonly compression: 'producer' | 'uncompressed'
}

/** Names of an inbox and of its dead letters in the cluster. */
export const inboxTopicNames = (prefix: string, name: string): { readonly source: string; readonly deadLetters: string } => ({
  source: `${prefix}.${name}.v1`,
  deadLetters: `${prefix}.${name}-dead-letters.v1`,
})

/** The topics of the event log. */
export const eventTopics = ({ topicPrefix }: Pick<KafkaLogOptions, 'topicPrefix'>): readonly NeededTopic[] =>
  TOPICS.map((topic) => ({
    name: topicName(topicPrefix, topic),
    retentionMs: RETENTION_MS[topic],
    batchBytesMax: TOPIC_BATCH_BYTES_MAX,
    compression: 'producer',
  }))

const configOf = (
  { name, retentionMs, batchBytesMax, compression }: NeededTopic,
  { partitionCount, replicationFactor }: KafkaLogOptions,
): ITopicConfig => ({
  topic: name,
  numPartitions: partitionCount,
  replicationFactor,
  configEntries: [
    { name: 'cleanup.policy', value: 'delete' },
    { name: 'retention.ms', value: String(retentionMs) },
    { name: 'retention.bytes', value: '-1' },
    { name: 'min.insync.replicas', value: String(minInsyncReplicas(replicationFactor)) },
    { name: 'max.message.bytes', value: String(batchBytesMax) },
    { name: 'compression.type', value: compression },
    // The broker's clock: it refuses records whose own time is an hour ahead, and one process with a wrong clock could write no more.
    { name: 'message.timestamp.type', value: 'LogAppendTime' },
  ],
})

const otherPartitions = (name: string, found: number, wanted: number): OperatingError =>
  new OperatingError(
    'SETTING_INVALID',
    `the topic ${name} has ${found} partitions, the settings say ${wanted}: a key would change its partition`,
    { retryable: false },
  )

const missingTopics = (names: readonly string[]): OperatingError =>
  new OperatingError(
    'SETTING_INVALID',
    `the cluster has no topic ${names.join(', ')}: the settings name another prefix, or no service has made it yet`,
    { retryable: false },
  )

/** Throws when the partitions that exist by now are too few yet (they come one by one), or not those asked for. */
const assertReady = async (admin: Admin, names: readonly string[], partitionCount: number): Promise<void> => {
  const { topics } = await admin.fetchTopicMetadata({ topics: [...names] })
  for (const { name, partitions } of topics) {
    if (partitions.length !== partitionCount) throw otherPartitions(name, partitions.length, partitionCount)
    if (partitions.some(({ leader }) => leader < 0)) {
      throw Object.assign(new Error(`${name} has no leader yet`), { code: 'LEADER_NOT_AVAILABLE' })
    }
  }
}

/**
 * Creates the topics that are missing, or throws for whoever does not create any, and sees that all are as the settings say. The driver's own waiting for leaders
 * fails on brokers without ZooKeeper, so the metadata is asked until they are there.
 */
const ensureTopics = async (admin: Admin, topics: readonly NeededTopic[], options: KafkaLogOptions): Promise<void> => {
  const names = topics.map(({ name }) => name)
  const { signal } = new AbortController()
  const attempts = { forMs: CREATE_TOPICS_MAX_MS, topicMissingMaxMs: CREATE_TOPICS_MAX_MS, signal }

  const createMissing = async (): Promise<void> => {
    await admin.connect()
    const present = new Set(await admin.listTopics())
    const missing = topics.filter(({ name }) => !present.has(name))
    if (missing.length === 0) return
    if (options.createsTopics === false) throw missingTopics(missing.map(({ name }) => name))
    await admin.createTopics({ topics: missing.map((topic) => configOf(topic, options)), waitForLeaders: false, validateOnly: false })
  }

  try {
    await persist(createMissing, attempts)
    await persist(async () => await assertReady(admin, names, options.partitionCount), attempts)
  } catch (error) {
    throw failureOf(error, `topics ${names.join(', ')}`)
  }
}

/** Creates what is missing of these topics where that is wanted, and refuses those that are not as the settings say. */
export const prepareTopics = async (topics: readonly NeededTopic[], options: KafkaLogOptions): Promise<void> => {
  const client = createClient(options, 'read', { initialRetryTime: RETRY_FIRST_MS, maxRetryTime: RETRY_MAX_MS, retries: 0 })
  const admin = client.kafka.admin({ retry: { retries: 0 } })
  try {
    await ensureTopics(admin, topics, options)
  } finally {
    client.cut()
    admin.disconnect().catch(() => {})
  }
}
