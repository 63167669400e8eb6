import { describe, expect, jest, test } from '@jest/globals'
import { type NewRecord, OperatingError, type Position } from '@switchyard/kernel'
import { createBatcher } from './batcher.ts'
import type { Outgoing } from './idempotent-producer.ts'

const LIMITS = { batchCountMax: 10, batchBytesMax: 10_000, lingerMs: 1, pendingBytesMax: 50_000 }

const recordOf = (id: number, bytes = 1): NewRecord => ({ key: 'm_1', value: Buffer.alloc(bytes), headers: { id: String(id), type: 't' } })

const recordsOf = (count: number): readonly NewRecord[] => Array.from({ length: count }, (_, index) => recordOf(index))

/** Sends that end when the test says so. */
const heldSends = () => {
  const sends: { readonly ids: readonly string[]; readonly end: () => void; readonly fail: (error: Error) => void }[] = []
  let next = 0
  const send = jest.fn(
    (batch: readonly Outgoing[]) =>
      new Promise<readonly Position[]>((resolve, reject) => {
        const positions = batch.map(() => ({ partition: 0, offset: next++ }))
        sends.push({ ids: batch.map(({ message }) => String(message.headers?.['id'])), end: () => resolve(positions), fail: reject })
      }),
  )
  const batch = async (index: number): Promise<(typeof sends)[number]> => {
    for (;;) {
      const found = sends[index]
      if (found !== undefined) return found
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { send, batch }
}

const batcherOf = (send: (batch: readonly Outgoing[]) => Promise<readonly Position[]>, limits: Partial<typeof LIMITS> = {}) =>
  createBatcher({ send, nameOf: (topic) => topic, partitionOf: () => 0, limits: { ...LIMITS, ...limits } })

describe('batcher', () => {
  test('what is appended within the linger time goes together', async () => {
    const { send, batch } = heldSends()
    const batcher = batcherOf(send)
    const appends = recordsOf(3).map(async (record) => await batcher.append('payments', [record]))
    const first = await batch(0)
    first.end()
    expect(first.ids).toEqual(['0', '1', '2'])
    expect((await Promise.all(appends)).flat().map(({ offset }) => offset)).toEqual([0, 1, 2])
  })

  test('a full batch does not linger', async () => {
    const { send, batch } = heldSends()
    const batcher = batcherOf(send, { lingerMs: 1_000_000 })
    const appended = batcher.append('payments', recordsOf(10))
    const one = await batch(0)
    one.end()
    expect(await appended).toHaveLength(10)
  })

  test('a batch ends at its count and at its bytes, and there is one at a time', async () => {
    const { send, batch } = heldSends()
    const batcher = batcherOf(send)
    const appended = batcher.append('payments', [...recordsOf(12), recordOf(12, 9_000), recordOf(13, 9_000), recordOf(14, 9_000)])
    const sizes: number[] = []
    for (const index of [0, 1, 2]) {
      const { ids, end } = await batch(index)
      expect(send).toHaveBeenCalledTimes(index + 1)
      sizes.push(ids.length)
      end()
    }
    expect(sizes).toEqual([10, 4, 1])
    expect((await appended).map(({ offset }) => offset)).toEqual(Array.from({ length: 15 }, (_, offset) => offset))
  })

  test('what is appended together is written together: a process that ended between two batches left half a command in the log', async () => {
    const { send, batch } = heldSends()
    const batcher = batcherOf(send)
    const first = batcher.append('payments', recordsOf(1))
    const one = await batch(0)
    const others = batcher.append('payments', recordsOf(9))
    const command = batcher.append('config', [recordOf(20), recordOf(21)])
    const large = batcher.append('config', [recordOf(30, 20_000), recordOf(31)])
    const sent = [one.ids]
    one.end()
    for (const index of [1, 2, 3]) {
      const { ids, end } = await batch(index)
      sent.push(ids)
      end()
    }
    await Promise.all([first, others, command, large])
    expect(sent.slice(1)).toEqual([recordsOf(9).map(({ headers: { id } }) => id), ['20', '21'], ['30', '31']])
  })

  test('of an append that failed nothing more is sent, and the others go on', async () => {
    const { send, batch } = heldSends()
    const batcher = batcherOf(send)
    const broken = batcher.append('payments', recordsOf(15))
    const whole = batcher.append('payments', [recordOf(99)])
    const away = new OperatingError('LOG_UNAVAILABLE', 'away', { retryable: true })
    ;(await batch(0)).fail(away)
    await expect(broken).rejects.toBe(away)
    const second = await batch(1)
    expect(second.ids).toEqual(['99'])
    second.end()
    expect(await whole).toHaveLength(1)
    await batcher.idle()
  })

  test('what waits is bounded in bytes', async () => {
    const { send, batch } = heldSends()
    const batcher = batcherOf(send)
    const first = batcher.append('payments', [recordOf(0, 40_000)])
    await expect(batcher.append('payments', [recordOf(1, 40_000)])).rejects.toMatchObject({ code: 'APPEND_BUFFER_FULL', retryable: true })
    ;(await batch(0)).end()
    await first
    await batcher.idle()
    const later = batcher.append('payments', [recordOf(2, 40_000)])
    ;(await batch(1)).end()
    expect(await later).toHaveLength(1)
  })
})
