import { expect, test } from '@jest/globals'
import { createMemoryLog } from './memory-log.ts'

test('a log that is told the partitions of its keys has them there, whatever its own hash says', async () => {
  const log = createMemoryLog({ partitionCount: 3, partitionOf: (key) => Number(key.slice(2)) })
  const record = (key: string) => ({ key, value: new Uint8Array([1]), headers: { id: key, type: 'switchyard.payments.OutcomeRecorded' } })
  const keys = ['m_2', 'm_0', 'm_2', 'm_1']
  expect(await log.append('payments', keys.map(record))).toEqual([
    { partition: 2, offset: 0 },
    { partition: 0, offset: 0 },
    { partition: 2, offset: 1 },
    { partition: 1, offset: 0 },
  ])
  expect(await log.endPosition('payments', 'm_2')).toEqual({ partition: 2, offset: 1 })
  await expect(log.append('payments', [record('m_3')])).rejects.toThrow('payments has a partition for m_3')
})
