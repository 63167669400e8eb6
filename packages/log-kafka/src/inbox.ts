import { type DeadRecord, type Inbox, isOperatingError, type LogRecord, type Position, type ReceiveOptions } from '@switchyard/kernel'
import { type Attempts, persist } from './attempts.ts'
import { createGroupStart, createLagQuestion } from './committed.ts'
import { type LetterRoute, setAside } from './dead-letters.ts'
import { failureOf, kindOf } from './failures.ts'
import { type Member, startMember } from './group.ts'
import { createIdempotentProducer, type IdempotentProducer } from './idempotent-producer.ts'
import {
  COMMIT_MAX_MS,
  DEAD_LETTER_RETENTION_MS,
  INBOX_BATCH_BYTES_MAX,
  INBOX_RETENTION_MS,
  KAFKA_LOG_LIMITS,
  TOPIC_BATCH_BYTES_MAX,
} from './limits.ts'
import type { KafkaLogOptions } from './options.ts'
import { openReader } from './reader.ts'
import { startTail } from './tail.ts'
import { inboxTopicNames, type NeededTopic, prepareTopics } from './topics.ts'

/** Which inbox, and who reads it. */
export interface KafkaInboxOptions extends KafkaLogOptions {
  /** Its topic is `<prefix>.<name>.v1`, that of its dead letters `<prefix>.<name>-dead-letters.v1`. */
  readonly name: string
  /** The processes of one group share the partitions; never renamed. */
  readonly group: string
}

/**
 * The driver reads no codec but gzip, and producers choose theirs: the broker stores the records of an inbox uncompressed,
 * so that its limit on their size is also that on their bytes in memory.
 */
const topicsOf = ({ source, deadLetters }: LetterRoute): readonly NeededTopic[] => [
  { name: source, retentionMs: INBOX_RETENTION_MS, batchBytesMax: INBOX_BATCH_BYTES_MAX, compression: 'uncompressed' },
  { name: deadLetters, retentionMs: DEAD_LETTER_RETENTION_MS, batchBytesMax: TOPIC_BATCH_BYTES_MAX, compression: 'producer' },
]

/** Notes how far a partition is; what could not be noted is noted with the next batch, or read again. */
const noteProgress = async ({ commit }: Pick<Member, 'commit'>, { partition, offset }: Position, attempts: Attempts): Promise<void> => {
  try {
    await persist(async () => await commit(partition, offset), { ...attempts, forMs: COMMIT_MAX_MS })
  } catch (error) {
    if (kindOf(error) !== 'transient') throw error
  }
}

/** Sets aside as often as it takes. */
const keepAside = async (
  producer: IdempotentProducer,
  dead: readonly DeadRecord[],
  { route, signal }: { readonly route: LetterRoute; readonly signal: AbortSignal },
): Promise<void> => {
  try {
    await setAside(producer, dead, route)
  } catch (error) {
    if (signal.aborted || !isOperatingError(error) || !error.retryable) throw error
    await keepAside(producer, dead, { route, signal })
  }
}

/**
 * An inbox in an Apache Kafka cluster. Creates missing topics first; rejects as `openKafkaLog` does. Offsets are committed when a
 * batch had its effect and its dead letters are durable: a record may come again, none is lost.
 */
export const openKafkaInbox = async (options: KafkaInboxOptions): Promise<Inbox> => {
  const route: LetterRoute = { ...inboxTopicNames(options.topicPrefix, options.name), group: options.group }
  const { source } = route
  await prepareTopics(topicsOf(route), options)
  const producer = createIdempotentProducer(options, KAFKA_LOG_LIMITS)
  const { topicMissingMaxMs, closeMaxMs } = KAFKA_LOG_LIMITS
  const group = { options, group: options.group, source }
  const lag = createLagQuestion(group)

  const receive = ({ handle, onMissed, onFailure }: ReceiveOptions): Member => {
    const ending = new AbortController()
    const attempts: Attempts = { forMs: Number.POSITIVE_INFINITY, topicMissingMaxMs, signal: ending.signal }

    const handled = async (records: readonly LogRecord[]): Promise<void> =>
      await keepAside(producer, await handle(records), { route, signal: ending.signal })
    const onHandled = async (partition: number, offset: number): Promise<void> =>
      await noteProgress(member, { partition, offset }, attempts)

    const member = startMember(
      {
        options,
        name: source,
        topicMissingMaxMs,
        leaveMaxMs: closeMaxMs,
        tail: (partitions, from, fail) =>
          startTail(
            {
              topic: { name: source, partitionCount: options.partitionCount, partitions, hasTransactions: true },
              openReader: () => openReader(options, [source]),
              topicMissingMaxMs,
              assertOpen: () => {},
              onHandled,
            },
            { from, handle: handled, onFailure: fail },
          ),
      },
      {
        group: options.group,
        from: createGroupStart({ ...group, attempts, onMissed, note: onHandled }),
        onFailure: (error) => onFailure(failureOf(error, `inbox ${source}`)),
      },
    )

    return {
      ...member,
      stop: async () => {
        ending.abort()
        // Dead letters under way get the time that closing has.
        const late = setTimeout(producer.close, closeMaxMs)
        await member.stop()
        clearTimeout(late)
      },
    }
  }

  return {
    receive,
    lagCount: lag.ask,
    close: () => {
      lag.close()
      producer.close()
    },
  }
}
