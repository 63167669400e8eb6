import { describe, expect, test } from '@jest/globals'
import { createPartitionOf } from './partitioner.ts'

describe('partition of a key', () => {
  // These stand in every cluster's data: they never change, whatever the driver chooses by default.
  test.each([
    ['m_1', 12, 6],
    ['m_2', 12, 2],
    ['merchant-1234', 12, 5],
    ['', 12, 9],
    ['händler 😀', 12, 6],
    ['m_1', 3, 0],
  ])('%p of %d partitions is in %d', (key, count, partition) => {
    const partitionOf = createPartitionOf(count)
    expect(partitionOf(key)).toBe(partition)
    expect(partitionOf(key)).toBe(partition)
  })

  test('uses every partition', () => {
    const partitionOf = createPartitionOf(12)
    const used = new Set(Array.from({ length: 500 }, (_, number) => partitionOf(`m_${number}`)))
    expect([...used].sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, number) => number))
  })
})
