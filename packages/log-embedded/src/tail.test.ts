import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import type { LogRecord } from '@switchyard/kernel'
import type { ChunkStore } from './chunk-store.ts'
import { type Notices, openNotices } from './notices.ts'
import { createPartitionEnds } from './partition-ends.ts'
import { createPutChunks } from './put-chunks.ts'
import { createRecentRecords } from './recent-records.ts'
import { startTail } from './tail.ts'

const PARTITION_COUNT = 4

/** As many records as were put into each partition, and which partitions were read. */
const createCountedStore = () => {
  const counts = new Array<number>(PARTITION_COUNT).fill(0)
  const reads: number[] = []
  const recordAt = (partition: number, offset: number): LogRecord => ({
    key: 'm_1',
    value: new Uint8Array(),
    headers: { id: `e_${partition}_${offset}`, type: 't' },
    position: { partition, offset },
  })
  const store: ChunkStore = {
    commit: async () => {},
    removeUpTo: async () => {},
    firstOffset: () => 0,
    lastOffset: (_, partition) => (counts[partition] ?? 0) - 1,
    read: ({ partition, after }) => {
      reads.push(partition)
      return Array.from({ length: (counts[partition] ?? 0) - after - 1 }, (_, index) => recordAt(partition, after + 1 + index))
    },
    close: async () => {},
  }
  const put = (partition: number): void => {
    counts[partition] = (counts[partition] ?? 0) + 1
  }
  return { store, put, takeReads: () => reads.splice(0) }
}

let notices: Notices
beforeEach(() => {
  notices = openNotices('a folder')
})
afterEach(() => notices.close())

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 8; turn++) await nextTurn()
}

test('a tail looks only where there may be something new', async () => {
  const { store, put, takeReads } = createCountedStore()
  const seen: string[] = []
  const source = { store, partitionCount: PARTITION_COUNT, notices, recent: createRecentRecords(), ends: undefined, assertOpen: () => {} }
  const handle = (records: readonly LogRecord[]): void => void seen.push(...records.map(({ headers }) => headers.id))
  const { stop } = startTail(source, { topic: 'payments', from: new Map(), handle, onFailure: () => {} })
  await turns()
  expect(takeReads()).toEqual([0, 1, 2, 3])
  put(2)
  notices.tell('payments', 2)
  await turns()
  expect([seen, takeReads()]).toEqual([['e_2_0'], [2, 2]])
  notices.wake('payments')
  await turns()
  expect(takeReads()).toEqual([])
  await stop()
})

test('a tail of a log that is closed opens no channel, which nobody would close', async () => {
  const { store } = createCountedStore()
  const [listen, onFailure] = [jest.fn(), jest.fn()]
  const closed = new Error('closed')
  const assertOpen = (): void => {
    throw closed
  }
  const recent = createRecentRecords()
  const source = { store, partitionCount: PARTITION_COUNT, notices: { ...notices, listen }, recent, ends: undefined, assertOpen }
  const { stop } = startTail(source, { topic: 'payments', from: new Map(), handle: () => {}, onFailure })
  await turns()
  await stop()
  expect(onFailure.mock.calls).toEqual([[closed]])
  expect(listen).not.toHaveBeenCalled()
})

test('tails look behind a commit of which nobody knows whether it happened', async () => {
  const refused = { commit: async () => await Promise.reject(new Error('no room')), lastOffset: () => -1 }
  const puts = createPutChunks(refused, createPartitionEnds(refused), notices.announce)
  const chunk = { topic: 'payments' as const, partition: 3, recordCount: 1, bytes: new Uint8Array(8) }
  await expect(puts([chunk])).rejects.toThrow('no room')
  expect(notices.countIn('payments', 3)).toBe(1)
})
