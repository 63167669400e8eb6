import { expect, test } from '@jest/globals'
import type { NewRecord, Topic } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { APPENDER_LIMITS, createPaymentAppender } from '@switchyard/runtime'
import { createManualTimers, turn } from './support/manual-timers.ts'
import { codec, idsOf, outcome } from './support/sample.ts'

test('decisions that wait for company go along with what others write, and no second time', async () => {
  const log = createMemoryLog({ partitionCount: 1 })
  const timers = createManualTimers()
  const counts: number[] = []
  const append = (topic: Topic, records: readonly NewRecord[]) => {
    counts.push(records.length)
    return log.append(topic, records)
  }
  const onDropped = (): void => {}
  const appender = createPaymentAppender({ log: { ...log, append }, codec, newId: idsOf('e'), timers, onDropped })
  appender.sendAlong()
  for (const requestId of ['r_1', 'r_2']) appender.enqueue(outcome('m_1', 'p_1', requestId))
  appender.sendAlong()
  await turn()
  expect(counts).toEqual([2])
  timers.advance(APPENDER_LIMITS.lingerMs)
  await turn()
  expect(counts).toEqual([2])
  await appender.close()
})
