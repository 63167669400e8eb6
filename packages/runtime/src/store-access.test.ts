import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import type { DocumentWrite, ReadStore, WriteOutcome } from '@switchyard/kernel'
import { createMemoryStore } from '@switchyard/store-memory'
import { WRITE_BATCH_COUNT_MAX, WRITE_BATCHES_AT_ONCE_MAX } from './limits.ts'
import { createStoreAccess } from './store-access.ts'
import { systemTimers } from './timers.ts'

interface BegunWrite {
  readonly count: number
  readonly end: () => void
  readonly fail: (error: unknown) => void
}

/** A store whose writes end when the test says so. */
const slowStore = (): { readonly store: ReadStore; readonly begun: BegunWrite[] } => {
  const begun: BegunWrite[] = []
  const write = (writes: readonly DocumentWrite[]): Promise<readonly WriteOutcome[]> =>
    new Promise((resolve, reject) => {
      begun.push({ count: writes.length, end: () => resolve(writes.map(() => 'applied')), fail: reject })
    })
  return { store: { ...createMemoryStore({ collections: [] }), write }, begun }
}

const writesOf = (count: number): readonly DocumentWrite[] =>
  Array.from({ length: count }, (_, offset) => ({ collection: 'c', key: [offset], position: { partition: 0, offset }, body: {} }))

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 2 * WRITE_BATCHES_AT_ONCE_MAX; turn++) await nextTurn()
}

const accessTo = (store: ReadStore) => createStoreAccess(store, systemTimers, new AbortController().signal)

describe('writing many documents', () => {
  test('the next batch begins when the oldest one has ended, and each is settled in order', async () => {
    const { store, begun } = slowStore()
    const settled: number[] = []
    const count = (WRITE_BATCHES_AT_ONCE_MAX + 1) * WRITE_BATCH_COUNT_MAX + 1
    const written = accessTo(store).write(writesOf(count), (batch) => settled.push(Number(batch[0]?.key[0])))
    await turns()
    expect(begun.map((batch) => batch.count)).toEqual(Array(WRITE_BATCHES_AT_ONCE_MAX).fill(WRITE_BATCH_COUNT_MAX))
    begun[1]?.end()
    await turns()
    expect([begun.length, settled]).toEqual([WRITE_BATCHES_AT_ONCE_MAX, []])
    begun[0]?.end()
    await turns()
    expect([begun.length, settled]).toEqual([WRITE_BATCHES_AT_ONCE_MAX + 2, [0, WRITE_BATCH_COUNT_MAX]])
    for (const { end } of begun) end()
    await written
    expect(settled).toEqual(begun.map((_, index) => index * WRITE_BATCH_COUNT_MAX))
    expect(begun.at(-1)?.count).toBe(1)
  })

  test('one that fails is told when the others have ended, and nothing behind it is settled', async () => {
    const { store, begun } = slowStore()
    const settled: number[] = []
    let told: unknown
    const ended = accessTo(store)
      .write(writesOf(3 * WRITE_BATCH_COUNT_MAX), (batch) => settled.push(Number(batch[0]?.key[0])))
      .catch((error: unknown) => {
        told = error
      })
    await turns()
    begun[0]?.end()
    const failure = new Error('no such collection')
    begun[1]?.fail(failure)
    await turns()
    expect([told, settled]).toEqual([undefined, [0]])
    begun[2]?.end()
    await ended
    expect([told, settled]).toEqual([failure, [0]])
  })
})
