import type { LogRecord } from '@switchyard/kernel'
import type { Cluster } from 'kafkajs'
import type { FetchAnswer } from './fetch-answer.ts'
import { readingOwnAnswers } from './fetching-broker.ts'
import { FETCH_BYTES_MAX, FETCH_PARTITION_BYTES_MAX, FETCH_WAIT_MAX_MS } from './limits.ts'
import { type FetchedMessage, recordOf } from './messages.ts'
import type { TopicInCluster } from './offsets.ts'

/** Nothing here writes in transactions, so every record counts as soon as all replicas have it. */
const READ_UNCOMMITTED = 0
const READ_COMMITTED = 1

/** What one partition had to say. */
export interface Fetched {
  readonly partition: number
  /** Behind the offset that was asked for; may be none although `after` has moved on. */
  readonly records: readonly LogRecord[]
  /** Where to go on. */
  readonly after: number
}

/** For each broker the partitions that it leads. */
export const byLeader = (cluster: Cluster, name: string, partitions: Iterable<number>): ReadonlyMap<string, readonly number[]> => {
  const wanted = [...partitions]
  const leaders = new Map(Object.entries(cluster.findLeaderForPartitions(name, wanted)))
  const found = [...leaders.values()].reduce((sum, { length }) => sum + length, 0)
  if (found < wanted.length) throw Object.assign(new Error(`${name}: a partition has no leader`), { code: 'LEADER_NOT_AVAILABLE' })
  return leaders
}

const fetchedOf = (partition: number, messages: readonly FetchedMessage[], after: number): Fetched => {
  const records: LogRecord[] = []
  let last = after
  for (const message of messages) {
    const offset = Number(message.offset)
    // A stored batch comes as a whole, also when the offset asked for is in its middle.
    if (offset <= last) continue
    last = offset
    if (message.isControlRecord !== true && message.isAborted !== true) records.push(recordOf(message, partition))
  }
  return { partition, records, after: last }
}

/** Asks one broker for what stands behind these offsets in partitions that it leads; waits a while when there is nothing. */
export const fetchBehind = async (
  cluster: Cluster,
  nodeId: string,
  { name, hasTransactions = false }: TopicInCluster,
  offsets: ReadonlyMap<number, number>,
): Promise<readonly Fetched[]> => {
  const broker = readingOwnAnswers(await cluster.findBroker({ nodeId }))
  const partitions = Array.from(offsets, ([partition, after]) => ({
    partition,
    fetchOffset: String(after + 1),
    maxBytes: FETCH_PARTITION_BYTES_MAX,
  }))
  const answer: FetchAnswer = await broker.fetch({
    isolationLevel: hasTransactions ? READ_COMMITTED : READ_UNCOMMITTED,
    maxWaitTime: FETCH_WAIT_MAX_MS,
    minBytes: 1,
    maxBytes: FETCH_BYTES_MAX,
    topics: [{ topic: name, partitions }],
  })
  return answer.responses.flatMap((response) =>
    response.partitions.map(({ partition, messages }) => fetchedOf(partition, messages, offsets.get(partition) ?? -1)),
  )
}
