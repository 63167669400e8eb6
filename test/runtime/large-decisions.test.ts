import { expect, test } from '@jest/globals'
import { createMemoryLog } from '@switchyard/log-memory'
import { APPENDER_LIMITS, createPaymentAppender } from '@switchyard/runtime'
import { createManualTimers, turn } from './support/manual-timers.ts'
import { codec, idsOf, outcome } from './support/sample.ts'

test('decisions between many gateways took gigabytes while the log was away: their number was bounded, and not their size', async () => {
  const log = createMemoryLog({ partitionCount: 1 })
  const dropped: number[] = []
  const event = (requestId: string) => outcome('m_1', 'p_1', requestId)
  const { length } = codec.encode(event('d1'))
  const appender = createPaymentAppender({
    log,
    codec,
    newId: idsOf('e'),
    timers: createManualTimers(),
    limits: { ...APPENDER_LIMITS, lossyBytesMax: 3 * length },
    onDropped: (count) => void dropped.push(count),
  })
  log.faults.hold()
  const first = appender.append(event('first'))
  // On its way: what follows waits behind it.
  await turn()
  for (const id of ['d1', 'd2', 'd3', 'd4']) appender.enqueue(event(id))
  const asLargeAsTwo = 'd'.repeat(length + 2)
  appender.enqueue(event(asLargeAsTwo))
  expect(dropped).toEqual([1, 2])
  log.faults.release()
  await first
  await appender.close()
  const ids: string[] = []
  for await (const records of log.read('payments', new Map())) {
    for (const { value } of records) {
      const { data } = codec.decode(value)
      if ('requestId' in data) ids.push(data.requestId)
    }
  }
  expect(ids).toEqual(['first', 'd4', asLargeAsTwo])
})
