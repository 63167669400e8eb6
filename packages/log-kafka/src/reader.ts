import type { Cluster } from 'kafkajs'
import { createClient } from './client.ts'
import { METADATA_AGE_MAX_MS, RETRY_FIRST_MS, RETRY_MAX_MS } from './limits.ts'
import type { KafkaLogOptions } from './options.ts'

/**
 * A connection for reading single partitions. The driver has no `assign()`: its consumer reads as a member of a group, joins
 * and rebalances, and begins anew, unasked, where an offset is gone. Here its `Cluster` is used by itself: metadata, leaders,
 * offsets, fetches (ADR 0022).
 */
export interface Reader {
  /** Runs `task` on connected brokers. After a failure the next call learns anew who leads what. */
  readonly use: <Result>(task: (cluster: Cluster) => Promise<Result>) => Promise<Result>
  /** Breaks the connections; what is under way fails. */
  readonly close: () => void
}

/** The driver hands its `Cluster` to whoever distributes the partitions of a group. */
const clusterOf = (options: KafkaLogOptions): { readonly cluster: Cluster; readonly cut: () => void } => {
  const { kafka, cut, reconnect } = createClient(options, 'read', {
    initialRetryTime: RETRY_FIRST_MS,
    maxRetryTime: RETRY_MAX_MS,
    retries: 0,
  })
  let captured: Cluster | undefined
  const consumer = kafka.consumer({
    groupId: 'none',
    readUncommitted: true,
    allowAutoTopicCreation: false,
    metadataMaxAge: METADATA_AGE_MAX_MS,
    partitionAssigners: [
      ({ cluster }) => {
        captured = cluster
        return {
          name: 'none',
          version: 0,
          assign: async () => [],
          protocol: () => ({ name: 'none', metadata: Buffer.alloc(0) }),
        }
      },
    ],
  })
  consumer.on(consumer.events.REQUEST_TIMEOUT, reconnect)
  if (captured === undefined) throw new Error('the driver did not hand out its cluster: it is not the version that is pinned')
  return { cluster: captured, cut }
}

const hasClosed = (error: unknown): error is { host: string; port: number } =>
  error instanceof Error && error.name === 'KafkaJSConnectionClosedError' && 'host' in error && 'port' in error

/** {@link Reader} for these topics, by their names in the cluster. */
export const openReader = (options: KafkaLogOptions, names: readonly string[]): Reader => {
  const { cluster, cut } = clusterOf(options)
  let knows: 'nothing' | 'outdated' | 'enough' = 'nothing'

  const prepare = async (): Promise<void> => {
    if (!cluster.isConnected()) await cluster.connect()
    if (knows === 'nothing') await cluster.addMultipleTargetTopics([...names])
    else if (knows === 'outdated') await cluster.refreshMetadata()
    else await cluster.refreshMetadataIfNecessary()
    knows = 'enough'
  }

  return {
    use: async (task) => {
      await prepare()
      try {
        return await task(cluster)
      } catch (error) {
        knows = 'outdated'
        if (hasClosed(error)) cluster.removeBroker({ host: error.host, port: error.port })
        throw error
      }
    },
    close: () => {
      cut()
      cluster.disconnect().catch(() => {})
    },
  }
}
