import { type EventLog, type LogRecord, type Positions, TOPICS, type Topic } from '@switchyard/kernel'
import { type Attempts, persist } from './attempts.ts'
import { failureOf, kindOf, lost } from './failures.ts'
import type { KafkaLogLimits } from './limits.ts'
import { nextOffset, nextOffsets, rangesOf, type TopicInCluster } from './offsets.ts'
import type { KafkaLogOptions } from './options.ts'
import type { PartitionOf } from './partitioner.ts'
import { type Reading, readToEnd } from './read.ts'
import { openReader } from './reader.ts'

/** What is answered once: reads to the end, and where the end is. They share their connections. */
export interface Questions extends Pick<EventLog, 'read' | 'endPosition' | 'endPositions'> {
  /** Why an append to this topic failed: `LOG_LOST` when the topic is gone, else `failure` as it is. */
  readonly reasonOf: (failure: unknown, topicName: string) => Promise<unknown>
  readonly close: () => void
}

/** What {@link createQuestions} needs. */
export interface QuestionDependencies {
  readonly options: KafkaLogOptions
  readonly limits: KafkaLogLimits
  readonly nameOf: (topic: Topic) => string
  readonly partitionOf: PartitionOf
  /** Throws when the log is closed. */
  readonly assertOpen: () => void
}

/** {@link Questions} that try for `readMaxMs`. */
export const createQuestions = ({ options, limits, nameOf, partitionOf, assertOpen }: QuestionDependencies): Questions => {
  const reader = openReader(options, TOPICS.map(nameOf))
  const ending = new AbortController()
  const attempts: Attempts = { forMs: limits.readMaxMs, topicMissingMaxMs: limits.topicMissingMaxMs, signal: ending.signal }
  const inCluster = (topic: Topic): TopicInCluster => ({ name: nameOf(topic), partitionCount: options.partitionCount })

  /** What a question rejects with, in the words of the port. */
  const asked = async <Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer> => {
    assertOpen()
    try {
      return await persist(ask, attempts)
    } catch (error) {
      assertOpen()
      throw failureOf(error, what)
    }
  }

  async function* reading(topic: TopicInCluster, from: Positions, ranges: Reading['ranges']): AsyncGenerator<readonly LogRecord[]> {
    try {
      for await (const batch of readToEnd(reader, { topic, from, ranges }, attempts)) {
        yield batch
        assertOpen()
      }
    } catch (error) {
      assertOpen()
      throw failureOf(error, `read of ${topic.name}`)
    }
  }

  return {
    read: (topic, from) => {
      const ranges = asked(`read of ${nameOf(topic)}`, async () => await rangesOf(reader, inCluster(topic)))
      // Whoever iterates gets the failure; nobody has to.
      ranges.catch(() => {})
      return reading(inCluster(topic), from, ranges)
    },
    endPosition: async (topic, key) => {
      const partition = partitionOf(key)
      const next = await asked(`end of ${nameOf(topic)}`, async () => await nextOffset(reader, inCluster(topic), partition))
      return { partition, offset: next - 1 }
    },
    endPositions: async (topic) => {
      const next = await asked(`ends of ${nameOf(topic)}`, async () => await nextOffsets(reader, inCluster(topic)))
      return new Map([...next].map(([partition, offset]) => [partition, offset - 1]))
    },
    reasonOf: async (failure, name) => {
      try {
        await persist(async () => await nextOffsets(reader, { name, partitionCount: options.partitionCount }), attempts)
        return failure
      } catch (error) {
        return kindOf(error) === 'no-topic' ? lost('append', error) : failure
      }
    },
    close: () => {
      ending.abort()
      reader.close()
    },
  }
}
