import { expect, test } from '@jest/globals'
import { createIdempotentProducer, type Outgoing } from './idempotent-producer.ts'
import { KAFKA_LOG_LIMITS } from './limits.ts'

const outgoing: Outgoing = { topic: 't', message: { key: 'm_1', value: Buffer.alloc(1), partition: 0, headers: {} } }

/** Nobody listens there. */
const CLOSED_PORT = { host: '127.0.0.1', port: 1 }

test('a batch that comes behind the end reaches no broker: it was written after the log was closed, and kept the process for two minutes', async () => {
  let connections = 0
  const reach = (): typeof CLOSED_PORT => {
    connections += 1
    return CLOSED_PORT
  }
  const { send, close } = createIdempotentProducer(
    { brokers: ['127.0.0.1:1'], clientId: 'test', topicPrefix: 't', partitionCount: 1, replicationFactor: 1, reach },
    { ...KAFKA_LOG_LIMITS, deliveryMaxMs: 200 },
  )
  close()
  await expect(send([outgoing])).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: true })
  expect(connections).toBe(0)
})
