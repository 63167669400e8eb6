import { describe, expect } from '@jest/globals'
import { BEFORE_FIRST } from '@switchyard/kernel'
import { type EventLogAdapter, idsOf, logTestWith, type OpenedLog, readAll, recordOf, tailOf } from './adapter.ts'

export const describeFaults = <Opened extends OpenedLog>(adapter: EventLogAdapter<Opened>): void => {
  describe('when an append', () => {
    logTestWith(adapter, adapter.failNextAppend, 'fails, its caller is told, and the log goes on', async (opened, failNextAppend) => {
      const { log } = opened
      const [before, lost, after] = [recordOf('m_1'), recordOf('m_1'), recordOf('m_1')]
      await log.append('payments', [before])
      failNextAppend(opened)
      await expect(log.append('payments', [lost])).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: true })
      await log.append('payments', [after])
      expect(idsOf(await readAll(log, 'payments'))).toEqual([before.headers.id, after.headers.id])
    })

    logTestWith(adapter, adapter.loseNextAnswer, 'fails, its records may stand in the log all the same', async (opened, loseNextAnswer) => {
      const { log } = opened
      const [before, record] = [recordOf('m_1'), recordOf('m_1')]
      // A server that has just made a topic may refuse its first records: then there would be nothing to stand in the log.
      await log.append('payments', [before])
      loseNextAnswer(opened)
      await expect(log.append('payments', [record])).rejects.toMatchObject({ code: 'LOG_UNAVAILABLE', retryable: true })
      // A server that is busy may write it only after the append was given up.
      let found = await readAll(log, 'payments')
      while (found.length < 2) found = await readAll(log, 'payments')
      expect(idsOf(found)).toEqual([before.headers.id, record.headers.id])
    })

    logTestWith(adapter, adapter.holdAppends, 'is slow, nothing of it is seen before it is done', async (opened, holdAppends) => {
      const { log } = opened
      const release = holdAppends(opened)
      const records = [recordOf('m_1'), recordOf('m_1')]
      const appends = records.map(async (record) => await log.append('payments', [record]))
      expect(await readAll(log, 'payments')).toEqual([])
      expect((await log.endPosition('payments', 'm_1')).offset).toBe(BEFORE_FIRST)
      const tail = tailOf(log, { topic: 'payments' })
      release()
      await Promise.all(appends)
      await tail.hasSeen(2)
      await tail.stop()
      expect(idsOf(tail.records)).toEqual(idsOf(records))
    })
  })
}
