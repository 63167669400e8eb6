import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import type { Message } from 'kafkajs'
import driverAnswer from 'kafkajs/src/protocol/requests/fetch/v11/response.js'
import { decodeFetchAnswer } from './fetch-answer.ts'
import { encodeProduceRequest } from './produce-request.ts'

/** Before the record batch in a request to write to the topic `t`. */
const REQUEST_HEAD_BYTES = 27

/** A stored batch, as the broker numbers it. */
const batchOf = (messages: readonly Message[], firstOffset: number, attributes = 0): Buffer => {
  const partitions = [{ partition: 0, firstSequence: 0, messages }]
  const request = { acks: -1, timeout: 1, producerId: '1', producerEpoch: 0, topicData: [{ topic: 't', partitions }] }
  const batch = encodeProduceRequest(request, 1_760_000_000_000).subarray(REQUEST_HEAD_BYTES)
  batch.writeBigInt64BE(BigInt(firstOffset), 0)
  batch.writeInt16BE(attributes, 21)
  return batch
}

interface Partition {
  readonly partition: number
  readonly errorCode: number
  readonly aborted: number
  readonly records: Buffer
}

const int = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeIntBE(value, 0, bytes)
  return buffer
}

const answerOf = (topics: readonly { readonly topic: string; readonly partitions: readonly Partition[] }[]): Buffer =>
  Buffer.concat([
    int(70, 4),
    Buffer.alloc(6),
    int(topics.length, 4),
    ...topics.flatMap(({ topic, partitions }) => [
      int(Buffer.byteLength(topic), 2),
      Buffer.from(topic),
      int(partitions.length, 4),
      ...partitions.flatMap(({ partition, errorCode, aborted, records }) => [
        int(partition, 4),
        int(errorCode, 2),
        Buffer.alloc(24, 1),
        int(aborted, 4),
        Buffer.alloc(Math.max(0, aborted) * 16, 2),
        int(-1, 4),
        int(records.length, 4),
        records,
      ]),
    ]),
  ])

const bytes = fc.uint8Array({ maxLength: 200 }).map((value) => Buffer.from(value))
const message: fc.Arbitrary<Message> = fc.record({
  key: fc.oneof(fc.string(), fc.constant(null)),
  value: fc.oneof(bytes, fc.constant(null)),
  headers: fc.dictionary(
    // The driver takes a header of such a name for what every object has by it.
    fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => !(name in Object.prototype)),
    fc.string({ unit: 'grapheme' }),
    { maxKeys: 4 },
  ),
})
const batch = fc
  .tuple(fc.array(message, { minLength: 1, maxLength: 10 }), fc.maxSafeNat(), fc.constantFrom(0, 8, 0x20))
  .map((of) => batchOf(...of))
const cut = fc.tuple(batch, fc.nat(60)).map(([whole, length]) => whole.subarray(0, Math.min(length, whole.length - 1)))
/** The driver needs a whole batch in front of one that is cut off. */
const records = fc
  .tuple(fc.array(batch, { maxLength: 3 }), fc.option(cut))
  .map(([whole, part]) => Buffer.concat(part === null || whole.length === 0 ? whole : [...whole, part]))
const partition: fc.Arbitrary<Partition> = fc.record({
  partition: fc.nat(50),
  errorCode: fc.constantFrom(0, 1, 6),
  aborted: fc.constantFrom(-1, 0, 2),
  records,
})
const topics = fc.array(fc.record({ topic: fc.string(), partitions: fc.array(partition, { maxLength: 3 }) }), { maxLength: 3 })

/** What the driver says, in the words of this package. */
const asRead = async (answer: Buffer) => {
  const { clientSideThrottleTime, responses } = await driverAnswer.decode(answer)
  return {
    clientSideThrottleTime,
    responses: responses.map(({ topicName, partitions }) => ({
      topicName,
      partitions: partitions.map(({ partition: number, errorCode, messages }) => ({
        partition: number,
        errorCode,
        messages: messages.map(({ offset, key, value, headers, isControlRecord }) => ({
          offset: Number(offset),
          key,
          value,
          headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, text.toString('utf8')])),
          isControlRecord,
        })),
      })),
    })),
  }
}

describe('an answer to a fetch', () => {
  test('says what the driver reads in it', async () => {
    await fc.assert(
      fc.asyncProperty(topics, async (asked) => {
        const answer = answerOf(asked)
        expect(decodeFetchAnswer(answer)).toEqual(await asRead(answer))
      }),
    )
  })

  test('whose last batch is cut off gives those before it', () => {
    const whole = batchOf([{ key: 'k', value: 'v' }], 5)
    const second = batchOf([{ key: 'k', value: Buffer.alloc(100) }], 6)
    for (let length = 0; length < second.length; length++) {
      const answer = answerOf([
        {
          topic: 't',
          partitions: [{ partition: 0, errorCode: 0, aborted: 0, records: Buffer.concat([whole, second.subarray(0, length)]) }],
        },
      ])
      expect(decodeFetchAnswer(answer)?.responses[0]?.partitions[0]?.messages).toHaveLength(1)
    }
  })

  test('tells what is part of a transaction that was given up', () => {
    const written = (producerId: bigint, offset: number, attributes: number): Buffer => {
      const whole = batchOf([{ key: 'k', value: 'v' }], offset, attributes)
      whole.writeBigInt64BE(producerId, 43)
      return whole
    }
    const parts = [
      written(1n, 0, 0x10),
      written(2n, 1, 0x10),
      written(1n, 2, 0),
      written(1n, 3, 0x30),
      written(1n, 4, 0x10),
      written(2n, 5, 0x30),
    ]
    const records = Buffer.concat(parts)
    const answer = answerOf([{ topic: 't', partitions: [{ partition: 0, errorCode: 0, aborted: 1, records }] }])
    // The only one: producer 1 from 0 on.
    const list = answer.indexOf(Buffer.alloc(16, 2))
    answer.writeBigInt64BE(1n, list)
    answer.writeBigInt64BE(0n, list + 8)
    const messages = decodeFetchAnswer(answer)?.responses[0]?.partitions[0]?.messages
    expect(messages?.filter(({ isAborted }) => isAborted).map(({ offset }) => offset)).toEqual([0])
    expect(messages?.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('in which records are compressed is left to the driver', () => {
    const compressed = answerOf([
      { topic: 't', partitions: [{ partition: 0, errorCode: 0, aborted: 0, records: batchOf([{ value: 'v' }], 0, 1) }] },
    ])
    expect(decodeFetchAnswer(compressed)).toBeUndefined()
  })

  test('the last of several headers of one name counts', () => {
    const records = batchOf([{ key: 'k', value: 'v', headers: { id: ['one', 'two'] } }], 0)
    const read = decodeFetchAnswer(answerOf([{ topic: 't', partitions: [{ partition: 0, errorCode: 0, aborted: 0, records }] }]))
    expect(read?.responses[0]?.partitions[0]?.messages[0]?.headers).toEqual({ id: 'two' })
  })
})
