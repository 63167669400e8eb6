import { describe, expect, jest } from '@jest/globals'
import {
  createGate,
  type EventLogAdapter,
  idsByKey,
  idsOf,
  logTest,
  type OpenedLog,
  positionsAfter,
  recordOf,
  recordsOf,
  tailOf,
} from './adapter.ts'

export const describeTailing = <Opened extends OpenedLog>(adapter: EventLogAdapter<Opened>): void => {
  describe('tailing', () => {
    logTest(adapter, 'sees everything once: what was there, what comes while it catches up, what comes later', async ({ log }) => {
      const there = [...recordsOf('m_1', 3_000), ...recordsOf('m_2', 3_000)]
      await log.append('payments', there)
      const meanwhile = [recordOf('m_1'), recordOf('m_2')]
      const appended = createGate()
      const tail = tailOf(log, {
        topic: 'payments',
        handle: async () => {
          if (tail.records.length > 0) return
          await log.append('payments', meanwhile)
          appended.open()
        },
      })
      await appended.opened
      await tail.hasSeen(there.length + meanwhile.length)
      const later = [recordOf('m_2'), recordOf('m_1')]
      await log.append('payments', later)
      await tail.hasSeen(there.length + meanwhile.length + later.length)
      await tail.stop()
      expect(idsByKey(tail.records)).toEqual(idsByKey([...there, ...meanwhile, ...later]))
    })

    logTest(adapter, 'begins behind the positions', async ({ log }) => {
      const before = await log.append('payments', [...recordsOf('m_1', 10), ...recordsOf('m_2', 10)])
      const tail = tailOf(log, { topic: 'payments', from: positionsAfter(before) })
      const later = [...recordsOf('m_1', 2), ...recordsOf('m_3', 2)]
      await log.append('payments', later)
      await tail.hasSeen(later.length)
      await tail.stop()
      expect(idsByKey(tail.records)).toEqual(idsByKey(later))
    })

    logTest(adapter, 'on another handle sees what is appended, before and after it began to wait', async ({ log, openReader }) => {
      const reader = await openReader()
      const records = recordsOf('m_1', 3)
      const tail = tailOf(reader, { topic: 'payments' })
      for (const [index, record] of records.entries()) {
        await log.append('payments', [record])
        await tail.hasSeen(index + 1)
      }
      await tail.stop()
      expect(idsOf(tail.records)).toEqual(idsOf(records))
    })

    logTest(adapter, 'gives the next batch when the handler is done with the one before', async ({ log }) => {
      const first = createGate()
      const goOn = createGate()
      let running = 0
      let runningMax = 0
      let calls = 0
      const tail = tailOf(log, {
        topic: 'payments',
        handle: async () => {
          calls += 1
          running += 1
          runningMax = Math.max(runningMax, running)
          first.open()
          await goOn.opened
          running -= 1
        },
      })
      await log.append('payments', recordsOf('m_1', 5))
      await first.opened
      await log.append('payments', [...recordsOf('m_1', 2_000), ...recordsOf('m_2', 2_000)])
      // A second tail sees it all while the first one is still held up by its handler.
      const other = tailOf(log, { topic: 'payments' })
      await other.hasSeen(4_005)
      expect(calls).toBe(1)
      goOn.open()
      await tail.hasSeen(4_005)
      expect(runningMax).toBe(1)
      expect(idsByKey(tail.records)).toEqual(idsByKey(other.records))
      await Promise.all([tail.stop(), other.stop()])
    })

    logTest(
      adapter,
      'gives a handler that was held up what came meanwhile in a few batches, however many appends it took',
      async ({ log }) => {
        const [entered, goOn] = [createGate(), createGate()]
        let calls = 0
        const tail = tailOf(log, {
          topic: 'payments',
          handle: async () => {
            calls += 1
            entered.open()
            await goOn.opened
          },
        })
        await log.append('payments', [recordOf('m_1')])
        await entered.opened
        const meanwhile = recordsOf('m_1', 40)
        for (const record of meanwhile) await log.append('payments', [record])
        goOn.open()
        await tail.hasSeen(1 + meanwhile.length)
        await tail.stop()
        expect(calls).toBeLessThan(5)
        expect(idsOf(tail.records).slice(1)).toEqual(idsOf(meanwhile))
      },
    )

    for (const [how, fail] of [
      [
        'throws',
        () => {
          throw new Error('broken handler')
        },
      ],
      ['rejects', async () => await Promise.reject(new Error('broken handler'))],
    ] as const) {
      logTest(adapter, `ends when the handler ${how}, and says so once`, async ({ log }) => {
        const failed = createGate<unknown>()
        const handle = jest.fn(fail)
        const onFailure = jest.fn(failed.open)
        const subscription = log.subscribe({ topic: 'payments', from: new Map(), handle, onFailure })
        await log.append('payments', [recordOf('m_1')])
        expect(await failed.opened).toEqual(new Error('broken handler'))
        const other = tailOf(log, { topic: 'payments' })
        await log.append('payments', [recordOf('m_1')])
        await other.hasSeen(2)
        await Promise.all([other.stop(), subscription.stop()])
        expect(handle).toHaveBeenCalledTimes(1)
        expect(onFailure).toHaveBeenCalledTimes(1)
      })
    }

    logTest(adapter, 'has ended when stop resolves: the handler is done, and none is called again', async ({ log }) => {
      const [entered, goOn] = [createGate(), createGate()]
      let isDone = false
      const handle = jest.fn(async () => {
        entered.open()
        await goOn.opened
        isDone = true
      })
      const { stop } = log.subscribe({ topic: 'payments', from: new Map(), handle, onFailure: () => {} })
      await log.append('payments', [recordOf('m_1')])
      await entered.opened
      const stopped = stop()
      goOn.open()
      await stopped
      expect(isDone).toBe(true)
      const other = tailOf(log, { topic: 'payments' })
      await log.append('payments', [recordOf('m_1')])
      await other.hasSeen(2)
      await other.stop()
      expect(handle).toHaveBeenCalledTimes(1)
    })

    logTest(
      adapter,
      'that is being stopped, or its log closed, ends without a failure, whatever its handler comes to',
      async ({ log, openReader }) => {
        const other = await openReader()
        const failures: unknown[] = []
        const [entered, goOn] = [[createGate(), createGate()], createGate()] as const
        const broken = entered.map(({ open }) => async (): Promise<void> => {
          open()
          await goOn.opened
          throw new Error('what it needed was closed, too')
        })
        const onFailure = (error: unknown): void => void failures.push(error)
        const [here, there] = [log, other].map((each, index) =>
          each.subscribe({ topic: 'payments', from: new Map(), handle: broken[index] ?? (() => {}), onFailure }),
        )
        await log.append('payments', [recordOf('m_1')])
        await Promise.all(entered.map(({ opened }) => opened))
        const ended = [here?.stop(), other.close()]
        goOn.open()
        await Promise.all(ended)
        await there?.stop()
        expect(failures).toEqual([])
      },
    )

    logTest(adapter, 'can be stopped at once, while it waits, and twice', async ({ log }) => {
      const atOnce = tailOf(log, { topic: 'payments' })
      await atOnce.stop()
      const waiting = tailOf(log, { topic: 'payments' })
      await log.append('payments', [recordOf('m_1')])
      await waiting.hasSeen(1)
      await waiting.stop()
      await waiting.stop()
      expect([atOnce.records.length, waiting.records.length]).toEqual([0, 1])
    })
  })
}
