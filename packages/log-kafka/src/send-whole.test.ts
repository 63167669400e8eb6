import { expect, test } from '@jest/globals'
import type { RecordMetadata } from 'kafkajs'
import type { Outgoing } from './idempotent-producer.ts'
import { sendWhole } from './send-whole.ts'

const outgoing = (partition: number, value: string): Outgoing => ({ topic: 't', message: { key: 'k', value, partition } })
const answer = (partition: number, baseOffset: number): RecordMetadata => ({
  topicName: 't',
  partition,
  errorCode: 0,
  baseOffset: String(baseOffset),
})

/** A driver that gives these answers, one after the other. */
const driver = (...answers: readonly (readonly RecordMetadata[])[]) => {
  const sent: string[][] = []
  const left = [...answers]
  const send = async (batch: readonly Outgoing[]): Promise<readonly RecordMetadata[]> => {
    sent.push(batch.map(({ message }) => String(message.value)))
    return left.shift() ?? []
  }
  return { sent, send }
}

const batch = [outgoing(0, 'a'), outgoing(1, 'b'), outgoing(0, 'c'), outgoing(1, 'd')]

test('a partition that moved to a broker that had answered already is not forgotten: all appends of the batch failed for it', async () => {
  const { sent, send } = driver([answer(0, 7)], [answer(1, 3)])
  expect(await sendWhole(send, batch)).toEqual([
    { partition: 0, offset: 7 },
    { partition: 1, offset: 3 },
    { partition: 0, offset: 8 },
    { partition: 1, offset: 4 },
  ])
  expect(sent).toEqual([
    ['a', 'b', 'c', 'd'],
    ['b', 'd'],
  ])
})

test('a driver that never says where a partition stands is not asked for ever', async () => {
  const { sent, send } = driver([answer(0, 7)])
  await expect(sendWhole(send, batch)).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: true })
  expect(sent).toHaveLength(2)
})
