import { describe, expect } from '@jest/globals'
import { BEFORE_FIRST, isAfter, isOperatingError, type Positions } from '@switchyard/kernel'
import {
  createGate,
  type EventLogAdapter,
  idsByKey,
  idsOf,
  logTest,
  logTestWith,
  type OpenedLog,
  positionsAfter,
  readAll,
  recordOf,
  recordsOf,
  tailOf,
} from './adapter.ts'

export const describeLifeCycle = <Opened extends OpenedLog>(adapter: EventLogAdapter<Opened>): void => {
  describe('closing', () => {
    logTest(adapter, 'ends everything with LOG_CLOSED, and may be done twice', async ({ log }) => {
      await log.close()
      await log.close()
      const closed = { code: 'LOG_CLOSED', retryable: false }
      await expect(log.append('payments', [recordOf('m_1')])).rejects.toMatchObject(closed)
      await expect(readAll(log, 'payments')).rejects.toMatchObject(closed)
      await expect(log.endPosition('payments', 'm_1')).rejects.toMatchObject(closed)
      await expect(log.endPositions('payments')).rejects.toMatchObject(closed)
      await expect(tailOf(log, { topic: 'payments' }).hasSeen(1)).rejects.toMatchObject(closed)
    })

    logTest(adapter, 'waits for the appends under way and for the handlers, and stops the tails', async ({ log }) => {
      const tail = tailOf(log, { topic: 'payments' })
      const appends = recordsOf('m_1', 20).map(async (record) => await log.append('payments', [record]))
      await log.close()
      expect((await Promise.all(appends)).flat()).toHaveLength(20)
      await tail.stop()
    })

    logTest(adapter, 'a tail that was begun in the turn of the closing ends without a failure', async ({ log }) => {
      const failures: unknown[] = []
      const append = log.append('payments', recordsOf('m_1', 20))
      const onFailure = (error: unknown): void => void failures.push(error)
      const tail = log.subscribe({ topic: 'payments', from: new Map(), handle: () => {}, onFailure })
      const closed = log.close()
      await append
      await closed
      await tail.stop()
      expect(failures).toEqual([])
    })
  })

  describe('opened again', () => {
    logTestWith(adapter, adapter.reopen, 'has all that was acknowledged, and goes on behind it', async (opened, reopen) => {
      const records = [...recordsOf('m_1', 1_500), ...recordsOf('m_2', 10)]
      const positions = await opened.log.append('payments', records)
      const ends = await opened.log.endPositions('payments')
      const again = await reopen(opened)
      try {
        expect(idsByKey(await readAll(again.log, 'payments'))).toEqual(idsByKey(records))
        expect(await again.log.endPositions('payments')).toEqual(ends)
        const next = recordOf('m_1')
        const [position] = await again.log.append('payments', [next])
        const last = positions[1_499]
        expect(position !== undefined && last !== undefined && isAfter(position, last)).toBe(true)
        expect(idsOf(await readAll(again.log, 'payments', ends))).toEqual([next.headers.id])
      } finally {
        await again.dispose()
      }
    })
  })

  describe('truncated', () => {
    /** Two appends to one key; the first of them is forgotten. */
    const forget = async (
      opened: Opened,
      truncate: NonNullable<EventLogAdapter<Opened>['truncate']>,
    ): Promise<{ old: Positions; kept: string }> => {
      const old = await opened.log.append('payments', [recordOf('m_1')])
      await opened.log.append('payments', [recordOf('m_1')])
      const upTo = await opened.log.append('payments', [recordOf('m_1')])
      const kept = recordOf('m_1')
      await opened.log.append('payments', [kept])
      await truncate(opened, 'payments', positionsAfter(upTo))
      return { old: positionsAfter(old), kept: kept.headers.id }
    }

    logTestWith(adapter, adapter.truncate, 'what is no longer kept can not be read or tailed', async (opened, truncate) => {
      const { old } = await forget(opened, truncate)
      const truncated = { code: 'LOG_TRUNCATED', retryable: false }
      await expect(readAll(opened.log, 'payments', old)).rejects.toMatchObject(truncated)
      const failed = createGate<unknown>()
      opened.log.subscribe({ topic: 'payments', from: old, handle: () => {}, onFailure: failed.open })
      expect(isOperatingError(await failed.opened, 'LOG_TRUNCATED')).toBe(true)
      const beforeAll = new Map([...old.keys()].map((partition) => [partition, BEFORE_FIRST]))
      await expect(readAll(opened.log, 'payments', beforeAll)).rejects.toMatchObject(truncated)
    })

    logTestWith(adapter, adapter.truncate, 'a reader that names no position begins with what is kept', async (opened, truncate) => {
      const { kept } = await forget(opened, truncate)
      expect(idsOf(await readAll(opened.log, 'payments'))).toEqual([kept])
      const tail = tailOf(opened.log, { topic: 'payments' })
      await tail.hasSeen(1)
      await tail.stop()
      expect(idsOf(tail.records)).toEqual([kept])
    })

    logTest(adapter, 'a position that the log has never had is refused', async ({ log }) => {
      const positions = await log.append('payments', recordsOf('m_1', 3))
      const ahead = new Map([...positionsAfter(positions)].map(([partition, offset]) => [partition, offset + 1_000]))
      await expect(readAll(log, 'payments', ahead)).rejects.toMatchObject({ code: 'LOG_TRUNCATED' })
      await expect(tailOf(log, { topic: 'payments', from: ahead }).hasSeen(1)).rejects.toMatchObject({ code: 'LOG_TRUNCATED' })
    })
  })
}
