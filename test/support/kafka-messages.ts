import { randomUUID } from 'node:crypto'
import { CompressionTypes, Kafka, type KafkaMessage, logLevel, type Message, type Producer } from 'kafkajs'

const clientOf = (brokers: string): Kafka =>
  new Kafka({ brokers: brokers.split(','), clientId: 'switchyard-test-outsider', logLevel: logLevel.NOTHING })

/**
 * Writes with a producer of somebody outside. Idempotent: where one partition of a new topic has no leader yet, the driver sends the
 * records of all partitions again.
 */
export const withProducer = async (brokers: string, write: (producer: Producer) => Promise<void>): Promise<void> => {
  const producer = clientOf(brokers).producer({ idempotent: true })
  await producer.connect()
  await write(producer)
  await producer.disconnect()
}

/** Writes messages, compressed. */
export const produce = async (brokers: string, topic: string, messages: readonly Message[]): Promise<void> =>
  await withProducer(brokers, async (producer) => {
    await producer.send({ topic, messages: [...messages], compression: CompressionTypes.GZIP })
  })

/** Writes messages in a transaction, which ends as `end` says. */
export const produceInTransaction = async (
  brokers: string,
  topic: string,
  messages: readonly Message[],
  end: 'commit' | 'abort',
): Promise<void> => {
  const producer = clientOf(brokers).producer({ transactionalId: `test-${randomUUID()}`, maxInFlightRequests: 1, idempotent: true })
  await producer.connect()
  const transaction = await producer.transaction()
  await transaction.send({ topic, messages: [...messages] })
  await transaction[end]()
  await producer.disconnect()
}

/** A message, with what is known of it as text. */
export interface FoundMessage {
  readonly key: string
  readonly value: Buffer
  readonly headers: Readonly<Record<string, string>>
}

const foundOf = ({ key, value, headers = {} }: KafkaMessage): FoundMessage => ({
  key: key?.toString() ?? '',
  value: value ?? Buffer.alloc(0),
  headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
})

/** Reads a topic from its first message until it gave this many. */
export const readMessages = async (brokers: string, topic: string, count: number): Promise<readonly FoundMessage[]> => {
  const consumer = clientOf(brokers).consumer({ groupId: `test-${randomUUID()}` })
  const found: FoundMessage[] = []
  await consumer.connect()
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  await new Promise<void>((resolve, reject) => {
    const note = async ({ message }: { readonly message: KafkaMessage }): Promise<void> => {
      found.push(foundOf(message))
      if (found.length >= count) resolve()
    }
    consumer.run({ eachMessage: note }).catch(reject)
  })
  await consumer.disconnect()
  return found
}
