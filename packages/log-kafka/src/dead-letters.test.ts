import { describe, expect, test } from '@jest/globals'
import type { DeadRecord } from '@switchyard/kernel'
import { setAside } from './dead-letters.ts'
import type { Outgoing } from './idempotent-producer.ts'
import { KAFKA_LOG_LIMITS } from './limits.ts'

const route = { source: 'a.in.v1', deadLetters: 'a.in-dead-letters.v1', group: 'a.decide.in-v1' }
const deadOf = (offset: number, byteCount: number): DeadRecord => ({
  record: { key: 'm_1', value: new Uint8Array(byteCount), headers: { id: '', type: '' }, position: { partition: 2, offset } },
  reason: 'INVALID_INPUT',
  message: 'missing field `status`',
})

const requestsFor = async (dead: readonly DeadRecord[]): Promise<readonly (readonly Outgoing[])[]> => {
  const requests: (readonly Outgoing[])[] = []
  const send = async (request: readonly Outgoing[]) => {
    requests.push(request)
    return []
  }
  await setAside({ send }, dead, route)
  return requests
}

describe('dead letters', () => {
  test('carry key, bytes, reason and origin', async () => {
    const [[letter] = []] = await requestsFor([{ ...deadOf(9, 0), record: { ...deadOf(9, 0).record, value: Buffer.from('not json') } }])
    expect(letter).toEqual({
      topic: 'a.in-dead-letters.v1',
      message: {
        key: 'm_1',
        value: Buffer.from('not json'),
        partition: 2,
        headers: {
          reason: 'INVALID_INPUT',
          message: 'missing field `status`',
          'source-topic': 'a.in.v1',
          'source-partition': '2',
          'source-offset': '9',
          'source-group': 'a.decide.in-v1',
        },
      },
    })
  })

  test('go out in requests that are bounded by count and by bytes, in order', async () => {
    const many = Array.from({ length: 2_500 }, (_, offset) => deadOf(offset, 1))
    const requests = await requestsFor(many)
    expect(requests.flat().map(({ message }) => message.headers?.['source-offset'])).toEqual(many.map((_, offset) => String(offset)))
    expect(Math.max(...requests.map(({ length }) => length))).toBeLessThanOrEqual(KAFKA_LOG_LIMITS.batchCountMax)
    expect(await requestsFor([0, 1, 2].map((offset) => deadOf(offset, 600_000)))).toHaveLength(3)
    expect(await requestsFor([])).toEqual([])
  })
})
