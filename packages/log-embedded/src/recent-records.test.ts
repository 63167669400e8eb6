import { expect, test } from '@jest/globals'
import type { LogRecord } from '@switchyard/kernel'
import { RECENT_BYTES_MAX, RECENT_RECORD_COUNT_MAX } from './limits.ts'
import { createRecentRecords } from './recent-records.ts'

const committed = (firstOffset: number, count: number, partition = 0) => ({
  topic: 'payments' as const,
  partition,
  firstOffset,
  bytes: 100 * count,
  records: Array.from({ length: count }, (_, i): LogRecord => {
    const offset = firstOffset + i
    return { key: 'm_1', value: new Uint8Array(), headers: { id: `e_${offset}`, type: 't' }, position: { partition, offset } }
  }),
})
const from = (after: number, partition = 0) => ({ topic: 'payments' as const, partition, after })

test('what was committed is given once, to the tail that stands directly in front of it', () => {
  const recent = createRecentRecords()
  recent.keep(committed(0, 2))
  recent.keep(committed(2, 3))
  expect(recent.take(from(4))).toBeUndefined()
  recent.keep(committed(5, 1))
  expect(recent.take(from(4))).toHaveLength(1)
  expect(recent.take(from(4))).toBeUndefined()
})

test('what several commits left behind the tail comes at once: one commit at a time, a tail that rests in between fell ever further behind', () => {
  const recent = createRecentRecords()
  for (const one of [committed(0, 2), committed(0, 1, 1), committed(2, 1), committed(3, 2), committed(6, 1)]) recent.keep(one)
  expect(recent.take(from(-1))?.map(({ position }) => position.offset)).toEqual([0, 1, 2, 3, 4])
  expect(recent.take(from(-1, 1))).toHaveLength(1)
  expect(recent.take(from(5))).toHaveLength(1)
})

test('what a tail has read from the store is not kept', () => {
  const recent = createRecentRecords()
  for (const one of [committed(0, 2), committed(2, 3), committed(0, 1, 1), committed(5, 1)]) recent.keep(one)
  expect(recent.take(from(4))).toHaveLength(1)
  expect([recent.take(from(-1)), recent.take(from(1))]).toEqual([undefined, undefined])
  expect(recent.take(from(-1, 1))).toHaveLength(1)
})

test('the oldest make room', () => {
  const recent = createRecentRecords()
  recent.keep(committed(0, 1))
  recent.keep(committed(1, RECENT_RECORD_COUNT_MAX))
  expect(recent.take(from(-1))).toBeUndefined()
  expect(recent.take(from(0))).toHaveLength(RECENT_RECORD_COUNT_MAX)
})

test('what is at hand further behind tells where reading the store may end', () => {
  const recent = createRecentRecords()
  for (const one of [committed(7, 2), committed(3, 2), committed(1, 1, 1)]) recent.keep(one)
  expect([from(-1), from(3), from(7), from(0, 1), from(0, 2)].map(recent.nextKept)).toEqual([3, 7, Infinity, 1, Infinity])
})

test('a thousand large records were kept for a tail that could not go on, and took half a gigabyte', () => {
  const recent = createRecentRecords()
  const large = (offset: number) => ({ ...committed(offset, 1), bytes: RECENT_BYTES_MAX / 4 })
  for (let offset = 0; offset < 5; offset++) recent.keep(large(offset))
  expect(recent.take(from(-1))).toBeUndefined()
  expect(recent.take(from(0))).toHaveLength(4)
  // What was given takes no room any more.
  for (let offset = 5; offset < 9; offset++) recent.keep(large(offset))
  expect(recent.take(from(4))).toHaveLength(4)
})
