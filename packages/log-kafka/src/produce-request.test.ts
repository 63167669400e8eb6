import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Message } from 'kafkajs'
import type { ProduceOptions } from 'kafkajs/src/protocol/requests/index.js'
import driverRequest from 'kafkajs/src/protocol/requests/produce/v7/request.js'
import { encodeProduceRequest } from './produce-request.ts'

const AT_MS = 1_760_000_000_000

const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value))
const text = fc.oneof(fc.string({ maxLength: 80 }), fc.string({ unit: 'binary', maxLength: 80 }))
const message: fc.Arbitrary<Message> = fc.record({
  key: fc.oneof(text, bytes, fc.constant(null)),
  value: fc.oneof(bytes, text, fc.constant(null)),
  headers: fc.dictionary(text, fc.oneof(text, bytes, fc.array(fc.oneof(text, bytes), { maxLength: 3 })), { maxKeys: 5 }),
})
const partitions = fc.array(
  fc.record({
    partition: fc.nat(100),
    firstSequence: fc.nat(2 ** 31 - 1),
    messages: fc.array(message, { minLength: 1, maxLength: 20 }),
  }),
  { minLength: 1, maxLength: 3 },
)
const options: fc.Arbitrary<ProduceOptions> = fc.record({
  acks: fc.constantFrom(-1, 1),
  timeout: fc.nat(100_000),
  producerId: fc.oneof(fc.maxSafeNat().map(String), fc.maxSafeNat()),
  producerEpoch: fc.nat(30_000),
  topicData: fc.array(fc.record({ topic: text, partitions }), { minLength: 1, maxLength: 3 }),
})

/** The driver takes the time from the messages, else from the clock. */
const timed = ({ topicData, ...rest }: ProduceOptions): ProduceOptions => ({
  ...rest,
  topicData: topicData.map(({ topic, partitions: of }) => ({
    topic,
    partitions: of.map((one) => ({ ...one, messages: one.messages.map((each) => ({ ...each, timestamp: String(AT_MS) })) })),
  })),
})

describe('a request to write', () => {
  test('has the very bytes of the driver', async () => {
    await fc.assert(
      fc.asyncProperty(options, async (asked) => {
        const { buffer } = await driverRequest(timed(asked)).encode()
        expect(encodeProduceRequest(asked, AT_MS).equals(buffer)).toBe(true)
      }),
    )
  })

  test('with values of every length that a number of bytes can say', async () => {
    for (const length of [0, 63, 64, 8_191, 8_192, 1_048_575, 1_048_576]) {
      const messages = [{ key: 'k', value: Buffer.alloc(length, 7) }]
      const asked = {
        acks: -1,
        timeout: 1,
        producerId: '9',
        producerEpoch: 0,
        topicData: [{ topic: 't', partitions: [{ partition: 0, firstSequence: 0, messages }] }],
      }
      const { buffer } = await driverRequest(timed(asked)).encode()
      expect(encodeProduceRequest(asked, AT_MS).equals(buffer)).toBe(true)
    }
  })
})
