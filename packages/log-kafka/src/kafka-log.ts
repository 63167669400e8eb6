import { type EventLog, OperatingError, type Position, type SubscribeOptions, type Subscription, type Topic } from '@switchyard/kernel'
import { type Batcher, createBatcher } from './batcher.ts'
import { type GroupOptions, type MemberDependencies, startMember } from './group.ts'
import { createIdempotentProducer, type Outgoing } from './idempotent-producer.ts'
import { KAFKA_LOG_LIMITS } from './limits.ts'
import type { KafkaLogOptions } from './options.ts'
import { createPartitionOf } from './partitioner.ts'
import { createQuestions } from './questions.ts'
import { openReader } from './reader.ts'
import { startTail } from './tail.ts'
import { eventTopics, prepareTopics, topicName } from './topics.ts'

/** The tails that run. */
interface Tails {
  /** The same tail, forgotten when it is stopped. */
  readonly keep: (tail: Subscription) => Subscription
  readonly stop: () => Promise<void>
}

const createTails = (): Tails => {
  const running = new Set<Subscription>()
  return {
    keep: (tail) => {
      running.add(tail)
      const stop = async (): Promise<void> => {
        await tail.stop()
        running.delete(tail)
      }
      return { stop }
    },
    stop: async () => {
      await Promise.all([...running].map(async (tail) => await tail.stop()))
    },
  }
}

/** Resolves when the appends have ended, or after the bound. */
const drained = async (batcher: Batcher, closeMaxMs: number): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMaxMs)
  })
  await Promise.race([batcher.idle(), late])
  clearTimeout(timer)
}

/** The event log, and groups of readers that share its partitions. */
export interface KafkaLog extends EventLog {
  /**
   * Tails the partitions that this member of the group is given, for as long as it has them; another member goes on where it
   * stops. Throws `LOG_CLOSED`.
   */
  readonly joinGroup: (options: GroupOptions) => Subscription
}

/**
 * The event log in an Apache Kafka cluster. Creates missing topics first, unless told otherwise. Rejects with `LOG_UNAVAILABLE`
 * (not retryable when the brokers refuse the process) and with `SETTING_INVALID` when a topic has another number of partitions, or is
 * missing and not to be made.
 */
export const openKafkaLog = async (options: KafkaLogOptions): Promise<KafkaLog> => {
  const limits = { ...KAFKA_LOG_LIMITS, ...options.limits }
  await prepareTopics(eventTopics(options), options)

  const nameOf = (topic: Topic): string => topicName(options.topicPrefix, topic)
  const partitionOf = createPartitionOf(options.partitionCount)
  const producer = createIdempotentProducer(options, limits)
  const tails = createTails()
  let closing: Promise<void> | undefined
  const assertOpen = (): void => {
    if (closing !== undefined) throw new OperatingError('LOG_CLOSED', 'the event log is closed', { retryable: false })
  }
  const questions = createQuestions({ options, limits, nameOf, partitionOf, assertOpen })

  const send = async (batch: readonly Outgoing[]): Promise<readonly Position[]> => {
    try {
      return await producer.send(batch)
    } catch (error) {
      throw await questions.reasonOf(error, batch[0]?.topic ?? '')
    }
  }
  const batcher = createBatcher({ send, nameOf, partitionOf, limits })

  const tailOf = (subscription: SubscribeOptions, partitions?: readonly number[]): Subscription => {
    const name = nameOf(subscription.topic)
    const topic = { name, partitionCount: options.partitionCount }
    const source = {
      topic: partitions === undefined ? topic : { ...topic, partitions },
      openReader: () => openReader(options, [name]),
      topicMissingMaxMs: limits.topicMissingMaxMs,
      assertOpen,
    }
    return startTail(source, subscription)
  }

  const close = async (): Promise<void> => {
    await drained(batcher, limits.closeMaxMs)
    producer.close()
    await tails.stop()
    questions.close()
  }

  return {
    append: async (topic, records) => {
      assertOpen()
      return await batcher.append(topic, records)
    },
    read: questions.read,
    subscribe: (subscription) => tails.keep(tailOf(subscription)),
    joinGroup: ({ topic, handle, ...membership }) => {
      assertOpen()
      const tail: MemberDependencies['tail'] = (partitions, from, onFailure) => tailOf({ topic, from, handle, onFailure }, partitions)
      const { topicMissingMaxMs, closeMaxMs: leaveMaxMs } = limits
      return tails.keep(startMember({ options, name: nameOf(topic), topicMissingMaxMs, leaveMaxMs, tail }, membership))
    },
    endPosition: questions.endPosition,
    endPositions: questions.endPositions,
    close: async () => {
      closing ??= close()
      await closing
    },
  }
}
