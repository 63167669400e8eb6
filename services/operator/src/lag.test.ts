import { expect, test } from '@jest/globals'
import { domainCollections } from '@switchyard/composition'
import type { EventLog } from '@switchyard/kernel'
import { createMemoryLog } from '@switchyard/log-memory'
import { createMemoryStore } from '@switchyard/store-memory'
import { lag } from './lag.ts'

test('lag lists the partitions of a topic in their order, in whatever order the brokers tell their ends', async () => {
  const log: EventLog = {
    ...createMemoryLog({ partitionCount: 3 }),
    endPositions: async () => new Map([2, 0, 10, 1].map((partition) => [partition, -1])),
  }
  const partitions: number[] = []
  const console = {
    print: async (line: string) => {
      const { topic, partition } = JSON.parse(line)
      if (topic === 'payments') partitions.push(partition)
    },
    note: () => {},
    progress: () => {},
  }
  const store = createMemoryStore({ collections: domainCollections })
  expect(await lag({ name: 'lag', format: 'json' }, { log, store, console })).toBe(0)
  expect(partitions).toEqual([0, 1, 2, 10])
})
