import { describe, expect, test } from '@jest/globals'
import { createGroupStart, startBehind } from './committed.ts'
import { openSilentBroker } from './silent-broker.fixture.ts'

const range = (first: number, next: number) => new Map([[4, { first, next }]])

describe('a member of a group goes on', () => {
  test.each<[string, number | undefined, [first: number, next: number], number, number]>([
    ['where the group is', 7, [0, 20], 6, 0],
    ['at the end when all is read', 20, [0, 20], 19, 0],
    ['at the first record when nothing was noted', -1, [5, 20], 4, 0],
    ['at the first record of a partition that nobody knows', undefined, [0, 0], -1, 0],
    ['behind records that were forgotten unread, and says how many', 3, [5, 20], 4, 2],
    ['at the first record of a topic that was made anew', 30, [0, 2], -1, 0],
  ])('%s', (_name, noted, [first, next], after, missedCount) => {
    const committed = noted === undefined ? new Map() : new Map([[4, noted]])
    const { from, missed } = startBehind(committed, range(first, next))
    expect([...from]).toEqual([[4, after]])
    expect(missed).toEqual(missedCount === 0 ? [] : [{ partition: 4, count: missedCount }])
  })
})

test('a member that is to stop does not wait for brokers that are silent to say where its group is', async () => {
  const broker = await openSilentBroker()
  const ending = new AbortController()
  const attempts = { forMs: Number.POSITIVE_INFINITY, topicMissingMaxMs: 1, signal: ending.signal }
  const start = createGroupStart({ options: broker.options, group: 'g', source: 't', attempts, onMissed: () => {}, note: async () => {} })
  const from = start([0])
  await broker.asked
  ending.abort()
  await expect(from).rejects.toMatchObject({ name: expect.stringContaining('KafkaJS') })
  broker.close()
}, 3_000)
