import type { Position } from '@switchyard/kernel'
import { CompressionTypes, type Message, Partitioners, type Producer, type RecordMetadata } from 'kafkajs'
import { persist } from './attempts.ts'
import { createClient, type KafkaClient } from './client.ts'
import { failureOf } from './failures.ts'
import { type KafkaLogLimits, METADATA_AGE_MAX_MS, REQUEST_MAX_MS, RETRY_FIRST_MS, RETRY_MAX_MS } from './limits.ts'
import type { KafkaLogOptions } from './options.ts'
import { sendWhole } from './send-whole.ts'

const ACKS_OF_ALL_IN_SYNC = -1

/** A message and the topic it goes to, by its name in the cluster. */
export interface Outgoing {
  readonly topic: string
  readonly message: Message
}

/** Writes batches, one at a time. */
export interface IdempotentProducer {
  /** Positions in the order of the messages; rejects with an `OperatingError`, and then some may stand in the log. */
  readonly send: (batch: readonly Outgoing[]) => Promise<readonly Position[]>
  readonly close: () => void
}

interface Session {
  readonly client: KafkaClient
  readonly producer: Producer
}

/**
 * How the driver tries again within a batch: with the same sequence numbers, so that the broker drops what it has already.
 * The count is out of reach, the bound is `deliveryMaxMs`.
 */
const retryFor = (deliveryMaxMs: number): { initialRetryTime: number; maxRetryTime: number; retries: number } => ({
  initialRetryTime: RETRY_FIRST_MS,
  maxRetryTime: RETRY_MAX_MS,
  retries: Math.ceil(deliveryMaxMs / RETRY_FIRST_MS),
})

const openSession = (options: KafkaLogOptions, deliveryMaxMs: number): Session => {
  const retry = retryFor(deliveryMaxMs)
  const client = createClient(options, 'append', retry)
  const producer = client.kafka.producer({
    idempotent: true,
    // Messages name their partition; for tools that look, this is the function that chose it.
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    maxInFlightRequests: 1,
    metadataMaxAge: METADATA_AGE_MAX_MS,
    retry,
  })
  producer.on(producer.events.REQUEST_TIMEOUT, client.reconnect)
  return { client, producer }
}

const byTopic = (batch: readonly Outgoing[]): { topic: string; messages: Message[] }[] => {
  const topics = new Map<string, Message[]>()
  for (const { topic, message } of batch) {
    const messages = topics.get(topic)
    if (messages === undefined) topics.set(topic, [message])
    else messages.push(message)
  }
  return [...topics].map(([topic, messages]) => ({ topic, messages }))
}

const notAcknowledged = (): Error => Object.assign(new Error('the batch was not acknowledged in time'), { code: 'NOT_ACKNOWLEDGED' })

/** What `delivery` gives, unless `late` is aborted first. */
const orLate = async <Result>(delivery: Promise<Result>, late: AbortSignal): Promise<Result> =>
  await new Promise((resolve, reject) => {
    late.addEventListener('abort', () => reject(notAcknowledged()))
    delivery.then(resolve, reject)
  })

/**
 * {@link IdempotentProducer}. The driver takes sequence numbers back when a batch fails, so that the broker would take
 * another batch with the same numbers for the lost one and acknowledge it unwritten. After a failure, therefore, the producer
 * is ended with all its connections, and the next batch goes out under a new producer id.
 */
export const createIdempotentProducer = (options: KafkaLogOptions, limits: KafkaLogLimits): IdempotentProducer => {
  const ending = new AbortController()
  let session: Session | undefined

  /** Ends this session, and no other: what was given up may still come to its end when a later batch is under way. */
  const retire = (ended: Session | undefined): void => {
    if (session === ended) session = undefined
    ended?.client.cut()
    ended?.producer.disconnect().catch(() => {})
  }

  const connected = async (): Promise<Session> => {
    if (session !== undefined) return session
    const mine = openSession(options, limits.deliveryMaxMs)
    session = mine
    try {
      await mine.producer.connect()
      return mine
    } catch (error) {
      retire(mine)
      throw error
    }
  }

  const deliver = async (batch: readonly Outgoing[], signal: AbortSignal): Promise<readonly Position[]> => {
    const { deliveryMaxMs: forMs, topicMissingMaxMs } = limits
    const { producer } = await persist(connected, { forMs, topicMissingMaxMs, signal })
    if (signal.aborted) throw notAcknowledged()
    const sendPart = async (part: readonly Outgoing[]): Promise<readonly RecordMetadata[]> =>
      await producer.sendBatch({
        acks: ACKS_OF_ALL_IN_SYNC,
        timeout: REQUEST_MAX_MS,
        compression: CompressionTypes.None,
        topicMessages: byTopic(part),
      })
    return await sendWhole(sendPart, batch)
  }

  const send = async (batch: readonly Outgoing[]): Promise<readonly Position[]> => {
    // What waited behind a batch that closing gave up: nobody would end a session that is opened for it.
    if (ending.signal.aborted) throw failureOf(notAcknowledged(), 'append')
    const late = new AbortController()
    const end = (): void => late.abort()
    const timer = setTimeout(end, limits.deliveryMaxMs)
    ending.signal.addEventListener('abort', end)
    try {
      return await orLate(deliver(batch, late.signal), late.signal)
    } catch (error) {
      retire(session)
      throw failureOf(error, 'append')
    } finally {
      clearTimeout(timer)
      ending.signal.removeEventListener('abort', end)
    }
  }

  return {
    send,
    close: () => {
      ending.abort()
      retire(session)
    },
  }
}
