import { type LogRecord, type SubscribeOptions, type Subscription, thrownBy } from '@switchyard/kernel'
import type { Cluster } from 'kafkajs'
import { createPatience, type Patience, persist } from './attempts.ts'
import { failureOf } from './failures.ts'
import { byLeader, type Fetched, fetchBehind } from './fetch.ts'
import { rangesOf, startOffsets, type TopicInCluster } from './offsets.ts'
import type { Reader } from './reader.ts'

/** What a tail reads from. */
export interface TailSource {
  readonly topic: TopicInCluster
  /** Its own connections: a fetch that waits for records holds up whatever comes behind it. */
  readonly openReader: () => Reader
  readonly topicMissingMaxMs: number
  /** Throws when the log is closed. */
  readonly assertOpen: () => void
  /** Hears how far a partition is handled, also behind what is no record, as the end of a transaction. Absent: nobody notes it. */
  readonly onHandled?: (partition: number, offset: number) => Promise<void>
}

/** The answer of one broker. */
interface Answer {
  readonly nodeId: string
  /** Rejects as the fetch did. */
  readonly fetched: Promise<readonly Fetched[]>
}

/**
 * Fetches from all leaders at once, each one asked again only when its answer was handled: that is the back-pressure, and
 * the bound is one answer for each broker.
 */
const createRound = (reader: Reader, topic: TopicInCluster, offsets: ReadonlyMap<number, number>): (() => Promise<readonly Fetched[]>) => {
  const asked = new Map<string, Promise<Answer>>()

  const ask = async (cluster: Cluster, nodeId: string, partitions: readonly number[]): Promise<Answer> => {
    const wanted = new Map(partitions.map((partition) => [partition, offsets.get(partition) ?? -1]))
    const fetched = fetchBehind(cluster, nodeId, topic, wanted)
    await fetched.catch(() => {})
    return { nodeId, fetched }
  }

  return async () =>
    await reader.use(async (cluster) => {
      for (const [nodeId, partitions] of byLeader(cluster, topic.name, offsets.keys())) {
        if (!asked.has(nodeId)) asked.set(nodeId, ask(cluster, nodeId, partitions))
      }
      const { nodeId, fetched } = await Promise.race(asked.values())
      asked.delete(nodeId)
      return await fetched
    })
}

/** One step of a tail that never gives up: what the next broker answers, or nothing when it has to be asked again. */
const createNext = (round: () => Promise<readonly Fetched[]>, patience: Patience): (() => Promise<readonly Fetched[]>) => {
  return async () => {
    try {
      const fetched = await round()
      patience.succeeded()
      return fetched
    } catch (error) {
      await patience.failed(error)
      return []
    }
  }
}

/** Keeps what a handler threw apart from what the brokers did. */
class HandlerFailed extends Error {
  readonly failure: unknown

  constructor(failure: unknown) {
    super('the handler failed')
    this.failure = failure
  }
}

/** Follows all partitions of a topic, in no group, one batch of one partition at a time. */
export const startTail = (source: TailSource, { from, handle, onFailure }: Omit<SubscribeOptions, 'topic'>): Subscription => {
  const { topic, topicMissingMaxMs, assertOpen, onHandled } = source
  const stopping = new AbortController()
  const { signal } = stopping
  const reader = source.openReader()
  const attempts = { forMs: Number.POSITIVE_INFINITY, topicMissingMaxMs, signal }

  /** What the handler throws is told as it is. */
  const handled = async (records: readonly LogRecord[]): Promise<void> => {
    try {
      await handle(records)
    } catch (error) {
      throw new HandlerFailed(error)
    }
  }

  const handOver = async ({ partition, records, after }: Fetched, offsets: Map<number, number>): Promise<void> => {
    // Another leader may have given the same records meanwhile.
    const last = offsets.get(partition) ?? -1
    if (after <= last || signal.aborted) return
    const fresh = records.filter(({ position }) => position.offset > last)
    if (fresh.length > 0) await handled(fresh)
    await onHandled?.(partition, after)
    offsets.set(partition, after)
  }

  const follow = async (): Promise<void> => {
    const ranges = await persist(async () => await rangesOf(reader, topic), attempts)
    const offsets = startOffsets(topic, from, ranges)
    const next = createNext(createRound(reader, topic, offsets), createPatience(attempts))
    while (!signal.aborted) {
      for (const fetched of await next()) await handOver(fetched, offsets)
    }
  }

  /** Whether the log is open counts at the call: a log that is closed right behind it ends the tail without a failure. */
  const refusal = thrownBy(assertOpen)
  const opening = refusal === undefined ? Promise.resolve() : Promise.reject(refusal)

  const run = async (): Promise<void> => {
    try {
      await opening
      if (!signal.aborted) await follow()
    } catch (error) {
      // Not of a handler that is being stopped, or whose log was closed under it, whatever it comes to.
      const isToBeTold = !signal.aborted && (refusal !== undefined || thrownBy(assertOpen) === undefined)
      stopping.abort()
      if (isToBeTold) onFailure(error instanceof HandlerFailed ? error.failure : failureOf(error, `tail of ${topic.name}`))
    } finally {
      reader.close()
    }
  }

  const ended = run()
  return {
    stop: async () => {
      stopping.abort()
      reader.close()
      await ended
    },
  }
}
